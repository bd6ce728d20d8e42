package config

import (
	"encoding/base64"
	"errors"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"assay/client/address"
	"assay/client/i18n"
	"assay/client/submission"
)

// Limits of numbers.
const (
	MinUploads        = 1
	MaxUploads        = 8
	MinScale          = 0.8
	MaxScale          = 2
	MinVaultMegabytes = 100
	MaxVaultMegabytes = 1 << 20 // a terabyte
)

// Themes are the palettes that Appearance.Theme chooses from; "" is the system's choice.
var Themes = []string{"", "light", "dark", "high-contrast"}

const longestText = 4096 // of an address or a path, in bytes

// validate says in a sentence why a setting can't have a value, without quoting it; "" where it can.
func validate(key Key, value any) string {
	switch v := value.(type) {
	case Use:
		if !slices.Contains([]Use{Undecided, UseSandbox, UseService}, v) {
			return i18n.T("Assay works with the sandbox or with a service.")
		}
	case submission.Gate:
		if _, known := gateWords[v]; !known {
			return i18n.T("This is not one of the choices for what may leave this computer.")
		}
	case int:
		return checkCount(key, v)
	case float64:
		if !(v == 0 || v >= MinScale && v <= MaxScale) { // not v < …, which is false for NaN
			return i18n.F("The size of the window's contents must be between %s and %s.", i18n.Percent(100*MinScale, 0), i18n.Percent(100*MaxScale, 0))
		}
	case string:
		if len(v) > longestText || strings.ContainsFunc(v, unicode.IsControl) {
			return i18n.T("This is too long, or contains invisible characters.")
		}
		return checkText(key, v)
	case []Signer:
		return checkSigners(v)
	case []string:
		return checkStamps(v)
	}
	return ""
}

// Limits of known signers.
const (
	longestSigner = 200 // bytes of a name
	mostSigners   = 1000
)

// checkSigners checks that each has a name of its own, and a key of its own as ssh writes it.
func checkSigners(all []Signer) string {
	if len(all) > mostSigners {
		return i18n.F("You can save at most %s signers.", i18n.Count(mostSigners))
	}
	names, keys := map[string]bool{}, map[string]bool{}
	for _, s := range all {
		switch {
		case s.Name == "" || s.Name != strings.TrimSpace(s.Name) || len(s.Name) > longestSigner || strings.ContainsFunc(s.Name, unicode.IsControl):
			return i18n.T("A signer's name must be a short text.")
		case !isSSHKey(s.Key):
			return i18n.T("This is not a signer's public key. A public key begins with ssh-ed25519.")
		case names[s.Name]:
			return i18n.T("There is already a signer with this name.")
		case keys[s.Key]:
			return i18n.T("This key is already known under another name.")
		}
		names[s.Name], keys[s.Key] = true, true
	}
	return ""
}

// MostStamps is how many time stamp authorities can be named.
const MostStamps = 2

// checkStamps checks the form alone.
func checkStamps(all []string) string {
	if len(all) > MostStamps {
		return i18n.F("You can set at most %s time stamp authorities.", i18n.Count(MostStamps))
	}
	for i, v := range all {
		authority, err := address.Parse(v, "https", "http")
		if err != nil || authority.User != nil || len(v) > longestText || slices.Contains(all[:i], v) {
			return i18n.T("Each time stamp authority needs its own web address, such as https://tsa.example.org.")
		}
	}
	return ""
}

// isSSHKey reports whether a text is a public Ed25519 key as ssh writes it, without a comment.
func isSSHKey(text string) bool {
	const start = "\x00\x00\x00\x0bssh-ed25519\x00\x00\x00\x20"
	encoded, ok := strings.CutPrefix(text, "ssh-ed25519 ")
	key, err := base64.StdEncoding.Strict().DecodeString(encoded)
	return ok && err == nil && len(key) == len(start)+32 && strings.HasPrefix(string(key), start) && !strings.ContainsAny(encoded, "\r\n")
}

func checkCount(key Key, v int) string {
	switch key {
	case "uploads":
		if v < MinUploads || v > MaxUploads {
			return i18n.F("Assay can upload %s to %s files at a time.", i18n.Count(MinUploads), i18n.Count(MaxUploads))
		}
	case "storage.vaultMegabytes":
		if v < MinVaultMegabytes || v > MaxVaultMegabytes {
			return i18n.F("The vault's size must be between %s and %s MB.", i18n.Count(MinVaultMegabytes), i18n.Count(MaxVaultMegabytes))
		}
	}
	return ""
}

func checkText(key Key, v string) string {
	if v == "" {
		return "" // "" means not chosen, for every text
	}
	switch key {
	case "service.address":
		return checkAddress(v)
	case "service.uploadPath":
		if !strings.HasPrefix(v, "/") || strings.ContainsAny(v, "?# \\") {
			return i18n.T("The path of uploads must begin with / and contain no spaces and no question mark.")
		}
	case "appearance.theme":
		if !slices.Contains(Themes, v) {
			return i18n.T("There is no such appearance.")
		}
	case "copies":
		if !slices.Contains([]string{"ask", "always"}, v) {
			return i18n.T("Choose ask or always: Assay asks before it makes a copy, or always makes it.")
		}
	case "appearance.language":
		if !slices.ContainsFunc(i18n.All(), func(name i18n.Name) bool { return name.Code == v }) {
			return i18n.T("Assay does not speak this language.")
		}
	case carefulKey:
		if !slices.Contains([]string{"off", "careful", "most"}, v) {
			return i18n.T("There is no such setting of careful viewing.")
		}
	case "network.proxy":
		return checkProxy(v)
	case "desk.address":
		return checkDesk(v)
	case "network.certificates":
		if !filepath.IsAbs(v) {
			return i18n.T("The certificate file needs its full path.")
		}
	}
	return ""
}

// checkAddress checks the form alone: client.New decides.
func checkAddress(v string) string {
	service, err := address.Parse(strings.TrimSpace(v), "https", "http")
	switch {
	case err != nil:
		return i18n.T("The service's address is not a web address. It looks like https://api.example.org.")
	case service.User != nil:
		return i18n.T("The service's address can't contain a user name or a password. Enter the key in its own field.")
	case service.RawQuery != "" || service.ForceQuery || strings.Contains(v, "#"):
		return i18n.T("The service's address can't contain a question mark or a hash sign.")
	}
	return ""
}

func checkProxy(v string) string {
	proxy, err := address.Parse(strings.TrimSpace(v), "http", "https", "socks5", "socks5h")
	if err != nil || proxy.RawQuery != "" || proxy.ForceQuery || strings.Contains(v, "#") {
		return i18n.T("The proxy's address is not valid. It looks like http://proxy.example.org:3128, or begins with https:// or socks5://.")
	}
	if _, has := proxy.User.Password(); has {
		return i18n.T("The proxy's address can't contain its password. Enter the password in its own field.")
	}
	return ""
}

// checkDesk checks the form alone: client/desk/postgres decides.
func checkDesk(v string) string {
	there, err := address.Parse(strings.TrimSpace(v), "postgres", "postgresql")
	if err != nil {
		return i18n.T("This is not the address of a desk. It looks like postgres://ines@desk.example/assay")
	}
	if _, has := there.User.Password(); has {
		return i18n.T("The desk's address must not contain a password. Leave it out: Assay asks for it.")
	}
	return ""
}

// clientsOwn are the settings whose form client.New checks if the start was given them: it did so before there were settings.
var clientsOwn = []Key{"service.address", "network.proxy", "network.certificates"}

// checkGiven returns a given value as its setting's own type.
func checkGiven(key Key, given Given) (any, error) {
	setting, ok := settingOf(key)
	if !ok || given.From != ByEnvironment && given.From != ByFlag {
		return nil, errors.New("no setting can be given as " + string(key))
	}
	value, err := setting.as(given.Value)
	if err != nil {
		return nil, err
	}
	text := ""
	if !slices.Contains(clientsOwn, key) {
		text = validate(key, value)
	} else if proxy, err := url.Parse(value.(string)); key == "network.proxy" && err == nil {
		if _, has := proxy.User.Password(); has {
			text = validate(key, value)
		}
	}
	if text != "" {
		return nil, &Invalid{Key: key, Text: text}
	}
	return value, nil
}
