// Package address reads addresses that come from people, from files, from other programs and from the service: of the web, and of files. It imports the standard library alone, so
// that every layer can ask the same question.
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

// ErrUnusable is why an address is none. It quotes nothing: an address may hold a password.
var ErrUnusable = errors.New("not an address that can be called")

// Parse reads an absolute URL with one of these schemes, in lower case, and a host as of HasHost. Its error is ErrUnusable.
func Parse(raw string, schemes ...string) (*url.URL, error) {
	u, err := url.Parse(raw)
	if err != nil || !slices.Contains(schemes, u.Scheme) || !HasHost(u) {
		return nil, ErrUnusable
	}
	return u, nil
}

// HasHost reports whether u names a host, and a port that exists where it names one. Without a host, or with the unspecified address
// 0.0.0.0, a connection would be made to this computer itself.
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

// endsInNumber reports whether a host's last part is a number, as in 0, 0x0 and 00.0, which systems take for other spellings of an IP
// address, 0.0.0.0 among them (the URL standard's "ends in a number"). No name does.
func endsInNumber(host string) bool {
	last := strings.ToLower(host[strings.LastIndexByte(host, '.')+1:])
	digits := "0123456789"
	if hex, found := strings.CutPrefix(last, "0x"); found {
		last, digits = hex, digits+"abcdef"
	}
	return strings.Trim(last, digits) == ""
}

// FilePath is the path on this computer that an address of the kind file://host/path names. It is false for any other address, one of
// another computer's file among them, and for one with a query or a fragment: a program that does not escape the "#" of a name would
// otherwise have another file taken.
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
