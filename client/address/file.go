package address

import (
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
)

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
