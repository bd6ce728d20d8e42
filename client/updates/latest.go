package updates

import (
	"encoding/json"
	"errors"
	"net/url"
	"strings"

	"golang.org/x/mod/semver"

	"assay/client"
	"assay/client/address"
)

// Latest is the newest version, as the file latest.json says it. Other fields of it are ignored.
type Latest struct {
	Version string `json:"version"` // "0.2.0"
	Page    string `json:"page"`    // the https URL of what is new, on the host of the file
}

// Limits of a Latest, in bytes.
const (
	longestVersion = 20
	longestPage    = 500
)

var (
	errVersion = errors.New("no version of the form 1.2.3")
	errPage    = errors.New("no page on the same host")
)

// Parse parses the answer of a host. An error is a *client.Error.
func Parse(content []byte, host *url.URL) (latest Latest, err error) {
	if json.Unmarshal(content, &latest) != nil {
		return Latest{}, client.LatestUnusable(errors.New("not JSON")) // the decoder's own words quote the answer
	}
	if err := latest.check(host); err != nil {
		return Latest{}, client.LatestUnusable(err)
	}
	return latest, nil
}

// check checks that a version is a release of three numbers, and that its page is on the host that was asked: nobody else can lead a person anywhere.
func (l Latest) check(host *url.URL) error {
	if len(l.Version) > longestVersion || semver.Canonical("v"+l.Version) != "v"+l.Version || semver.Prerelease("v"+l.Version) != "" {
		return errVersion
	}
	page, err := address.Parse(l.Page, "https")
	if err != nil || page.User != nil || !client.SameOrigin(page, host) || len(l.Page) > longestPage || strings.ContainsFunc(l.Page, unprintable) {
		return errPage
	}
	return nil
}

// unprintable reports whether a character has no place in a URL as it is written.
func unprintable(r rune) bool { return r <= ' ' || r >= 0x7f || strings.ContainsRune("\"'`$\\<>", r) }

// newerThan reports whether a version is newer than another.
func newerThan(version, than string) bool { return semver.Compare("v"+version, "v"+than) > 0 }
