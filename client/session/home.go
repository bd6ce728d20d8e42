package session

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"assay/client/i18n"
	"assay/client/plain"
)

// HomeFolder is where Assay keeps everything: the folder given, or else that beside a portable program, or else the system's own place for it. An error
// is Misuse.
func (o *Options) HomeFolder() (string, error) {
	if o.Home != "" {
		full, err := filepath.Abs(o.Home)
		if err != nil {
			return "", &Misuse{Sentence: "The folder given with --home can't be used."}
		}
		return full, nil
	}
	if home, err := o.Machine.portableHome(); home != "" || err != nil {
		return home, err
	}
	base, err := os.UserConfigDir()
	if err != nil {
		return "", &Misuse{Sentence: "This system has no folder for Assay's files. Give one with --home."}
	}
	return filepath.Join(base, "assay"), nil
}

// setupFolder is held by the window of the first run, so that there is only one.
func setupFolder(home string) string { return filepath.Join(home, "setup") }

const (
	maxReadable = 80 // at most, of a folder's name, show the service's address
	maxPort     = 5  // digits
)

// DataFolder is the folder of one service. Each has its own, so that trials never mix with evidence and no service's key is used with another's
// records. address is as in client.Client.Address.
func DataFolder(home, address string, sandbox bool) string {
	if sandbox {
		return filepath.Join(home, "sandbox")
	}
	return filepath.Join(home, serviceFolder(address))
}

// serviceFolder names a service's folder: https+api.example.org, http+127.0.0.1+8080. Where the name can't show the whole address (it has a path, has
// characters that are replaced, or is too long), a part of the address's hash follows.
//
// No two services share a name, on any file system: names have no capitals, and no part of an address holds a plus sign, so that none can be taken
// for a hash. Names that Windows reserves, and Assay's own, have no plus sign.
func serviceFolder(address string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Scheme == "" || u.Host == "" {
		return "service+" + shortHash(address) // it can't be parsed, so nothing of it is shown
	}
	u.User = nil
	host, port := strings.ToLower(u.Hostname()), u.Port()
	if u.Scheme == "https" && port == "443" || u.Scheme == "http" && port == "80" {
		port = "" // with and without the scheme's own port it is the same service
	}
	u.Host = host + ":" + port
	path := strings.Trim(u.EscapedPath(), "/")
	u.Path, u.RawPath = strings.TrimRight(u.Path, "/"), strings.TrimRight(u.RawPath, "/")
	plain := path == "" && u.RawQuery == "" && u.Fragment == "" && len(port) <= maxPort

	parts := []string{u.Scheme, host}
	if port != "" {
		parts = append(parts, port)
	}
	if path != "" {
		parts = append(parts, strings.Split(path, "/")...)
	}
	for i, part := range parts {
		parts[i] = readable(part)
		plain = plain && parts[i] == part
	}
	name := strings.Join(parts, "+")
	if plain && len(name) <= maxReadable {
		return name
	}
	return name[:min(len(name), maxReadable)] + "+" + shortHash(u.String())
}

// readable replaces every character that some file system does not keep by a hyphen.
func readable(part string) string {
	kept := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '.', r == '-':
			return r
		case r >= 'A' && r <= 'Z':
			return r - 'A' + 'a'
		}
		return '-'
	}, part)
	return strings.Trim(kept, ".") // Windows drops a dot at the end, and others hide names that begin with one
}

func shortHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// homeFindings are what is wrong with the permissions of a home.
type homeFindings struct {
	refusal  string          // why nothing may be opened there: a sentence; "" if it may
	warnings []func() string // make sentences in the language then in use
}

// CheckHome is examineHome for the user of this process. An error is Misuse.
func CheckHome(home string) (warnings []func() string, err error) {
	found := examineHome(home, currentUser())
	if found.refusal != "" {
		return nil, &Misuse{Sentence: found.refusal}
	}
	return found.warnings, nil
}

// quotedPath is a path as it is shown.
func quotedPath(path string) string { return i18n.F("“%s”", plain.From(path).String()) }

func refuseOwner(path string) string {
	return fmt.Sprintf("%s belongs to another user, who could read and change what Assay keeps: give a folder of your own with --home.", quotedPath(path))
}

func refuseWritable(path, home string) string {
	return fmt.Sprintf("Other users of this computer may have changed %s, which holds Assay's data: they may write to it. Check that it is as you left it, then protect it with chmod -R go-rwx %s.",
		quotedPath(path), quotedPath(home))
}

func warnWritable(path string) func() string {
	return func() string {
		return i18n.F("Other users of this computer may write to Assay's folder %s. Protect it with chmod go-w.", quotedPath(path))
	}
}

func warnReadable(path string) func() string {
	return func() string {
		return i18n.F("Other users of this computer may read %s. Protect it with chmod go-rwx.", quotedPath(path))
	}
}

func warnSwapped(path string) func() string {
	return func() string {
		return i18n.F("Other users of this computer could replace Assay's folder, because they may change %s.", quotedPath(path))
	}
}

func warnRoot(path string) func() string {
	return func() string {
		return i18n.F("Assay runs as root in another user's folder, %s. What it writes there belongs to root.", quotedPath(path))
	}
}
