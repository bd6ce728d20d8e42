package session

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"assay/client/config"
	"assay/client/i18n"
	"assay/client/plain"
)

// HomeFolder is where Assay keeps things: the one given, else the system's folder for it.
func (o *Options) HomeFolder() (string, error) {
	if o.Home != "" {
		full, err := filepath.Abs(o.Home)
		if err != nil {
			return "", &Misuse{Sentence: "The folder given with --home can't be used."}
		}
		return full, nil
	}
	base, err := os.UserConfigDir()
	if err != nil {
		return "", &Misuse{Sentence: "This system names no folder for Assay's files: give one with --home."}
	}
	return filepath.Join(base, "assay"), nil
}

// setupFolder is held by the window of the first run, so that there is one.
func setupFolder(home string) string { return filepath.Join(home, "setup") }

const (
	maxReadable = 80 // bytes that a folder's name shows of a service's address at most
	maxPort     = 5  // digits
)

// DataFolder is where everything of one service lies: a folder of its own, so that trying out never mixes with evidence
// and a key never meets another service's records. The address is as client.Client.Address has it.
func DataFolder(home, address string, sandbox bool) string {
	if sandbox {
		return filepath.Join(home, "sandbox")
	}
	return filepath.Join(home, serviceFolder(address))
}

// serviceFolder names a service's folder: https+api.example.org, http+127.0.0.1+8080. Where the name can't tell all of the
// address (it has a path, a letter that is lost on the way, or is too long), a part of the address's hash follows.
//
// No two services share a name, on no file system: it has no capitals, and an address can't write a plus sign, and so no
// hash, by itself. Nor is it ever a name that Windows reserves, or Assay has for something else: those have no plus sign.
func serviceFolder(address string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Scheme == "" || u.Host == "" {
		return "service+" + shortHash(address) // what it is can't be told, so nothing of it is shown
	}
	u.User = nil
	host, port := strings.ToLower(u.Hostname()), u.Port()
	if u.Scheme == "https" && port == "443" || u.Scheme == "http" && port == "80" {
		port = "" // a service is the same with its scheme's own port spelled out
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

// readable puts a hyphen in the place of every character that some file system does not keep as it is.
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
	return strings.Trim(kept, ".") // Windows drops a dot at the end, and others hide what begins with one
}

func shortHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// homeFindings are what is wrong with who may do what in a home.
type homeFindings struct {
	refusal  string          // why nothing may be opened there: a sentence; "" for no reason
	warnings []func() string // sentences, in the language in use then
}

// CheckHome is examineHome for the user of this process. An error is Misuse.
func CheckHome(home string) (warnings []func() string, err error) {
	found := examineHome(home, currentUser())
	if found.refusal != "" {
		return nil, &Misuse{Sentence: found.refusal}
	}
	return found.warnings, nil
}

// quotedPath is a path for the person.
func quotedPath(path string) string { return i18n.F("“%s”", plain.From(path).String()) }

func refuseOwner(path string) string {
	return fmt.Sprintf("%s belongs to another user, who could read and change what Assay keeps: give a folder of your own with --home.", quotedPath(path))
}

func refuseWritable(path, home string) string {
	return fmt.Sprintf("Others on this computer may have changed %s, which holds what Assay keeps: they may write to it. See that it is as you left it, then close it with chmod -R go-rwx %s.",
		quotedPath(path), quotedPath(home))
}

func warnWritable(path string) func() string {
	return func() string {
		return i18n.F("Others on this computer may write to Assay's folder %s. Close it with chmod go-w.", quotedPath(path))
	}
}

func warnReadable(path string) func() string {
	return func() string {
		return i18n.F("Others on this computer may read %s. Close it with chmod go-rwx.", quotedPath(path))
	}
}

func warnSwapped(path string) func() string {
	return func() string {
		return i18n.F("Others on this computer may put another folder in the place of Assay's: they may change %s.", quotedPath(path))
	}
}

func warnRoot(path string) func() string {
	return func() string {
		return i18n.F("Assay runs as root in a folder of another user's, %s: what it writes there belongs to root.", quotedPath(path))
	}
}

// openSettings reads the settings of a home, which others must not have written. What else is wrong with it is among their notices.
func openSettings(p config.Params) (*config.Config, error) {
	warnings, err := CheckHome(p.Dir)
	if err != nil {
		return nil, err
	}
	settings, err := config.Open(p)
	if err != nil {
		return nil, misuse(err)
	}
	for _, warning := range warnings {
		settings.Note(warning)
	}
	return settings, nil
}
