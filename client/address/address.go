// Package address parses URLs of the web and of files that come from people, files, other programs and the service. It imports the standard library alone,
// so that every layer can use it.
package address

import (
	"errors"
	"net/netip"
	"net/url"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ErrUnusable means that a text is no usable URL. Its message does not quote the text, which may contain a password.
var ErrUnusable = errors.New("not an address that can be called")

// Parse parses an absolute URL that has one of these schemes, in lower case, and a host as HasHost defines it. Its error is ErrUnusable.
func Parse(raw string, schemes ...string) (*url.URL, error) {
	u, err := url.Parse(raw)
	if err != nil || !slices.Contains(schemes, u.Scheme) || !HasHost(u) {
		return nil, ErrUnusable
	}
	return u, nil
}

// HasHost reports whether u has a host, and a valid port if it has one. Without a host, or with the unspecified address 0.0.0.0, a connection
// would be made to this computer itself.
func HasHost(u *url.URL) bool {
	host := strings.TrimRight(u.Hostname(), ".")
	if host == "" || !utf8.ValidString(host) {
		return false
	}
	if ip, err := netip.ParseAddr(host); err == nil && ip.WithZone("").Unmap().IsUnspecified() || err != nil && endsInNumber(host) {
		return false
	}
	if u.Port() == "" {
		return !strings.HasSuffix(u.Host, ":")
	}
	port, err := strconv.ParseUint(u.Port(), 10, 16)
	return err == nil && port > 0
}

// endsInNumber reports whether the last part of a host is a number, as in 0, 0x0 and 00.0, which systems take for other spellings of an IP
// address such as 0.0.0.0 (the URL standard's "ends in a number"). No host name ends in a number.
func endsInNumber(host string) bool {
	last := strings.ToLower(host[strings.LastIndexByte(host, '.')+1:])
	digits := "0123456789"
	if hex, found := strings.CutPrefix(last, "0x"); found {
		last, digits = hex, digits+"abcdef"
	}
	return strings.Trim(last, digits) == ""
}

// FilePath returns the path on this computer for a URL of the form file://host/path. ok is false for any other URL, also for a file on
// another computer, and for a URL with a query or a fragment: it may come from a program that does not escape the "#" in a name, and then
// means another file.
func FilePath(raw string) (path string, ok bool) {
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" || strings.ContainsAny(raw, "?#") {
		return "", false
	}
	path = u.Path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/") // of /C:/folder
	}
	path = filepath.FromSlash(path)
	if !filepath.IsAbs(path) || strings.ContainsRune(path, 0) || strings.HasPrefix(filepath.VolumeName(path), `\\`) {
		return "", false
	}
	return filepath.Clean(path), true
}
