package command

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"path/filepath"
	"strings"
)

const (
	maxReadable = 80 // bytes that a folder's name shows of a service's address at most
	maxPort     = 5  // digits
)

// dataFolder is where everything of one service lies: a folder of its own, so that trying out never mixes with evidence
// and a key never meets another service's records. The address is as client.Client.Address has it.
func dataFolder(home, address string, sandbox bool) string {
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
