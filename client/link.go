package client

import (
	"net/netip"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/client/address"
	"assay/client/i18n"
)

// Platform is the kind of a site that a link leads to (interface, operation 3, "Supported platforms, by kind").
type Platform string

// The platforms. The first four are accepted for certain; of the next two the interface says both; of the rest nothing.
const (
	Microblogging Platform = "microblogging"
	VideoSharing  Platform = "video sharing"
	ShortVideo    Platform = "short video"
	TextThread    Platform = "text thread"
	SocialNetwork Platform = "social network"
	PhotoSharing  Platform = "photo sharing"
	OtherPlatform Platform = "" // a host that the table does not hold
)

// Accepted reports whether the service is sure to accept links of this platform.
func (p Platform) Accepted() bool {
	switch p {
	case Microblogging, VideoSharing, ShortVideo, TextThread:
		return true
	}
	return false
}

// DefaultLinkHosts is the table of hosts by kind of platform, for Options.LinkHosts: a fresh copy. The names are those
// that public documentation of services of this kind gives; a host's subdomains belong to it.
func DefaultLinkHosts() map[string]Platform {
	return map[string]Platform{
		"twitter.com":   Microblogging,
		"x.com":         Microblogging,
		"youtube.com":   VideoSharing,
		"youtu.be":      VideoSharing,
		"tiktok.com":    ShortVideo,
		"threads.com":   TextThread,
		"threads.net":   TextThread,
		"facebook.com":  SocialNetwork,
		"fb.com":        SocialNetwork,
		"fb.watch":      SocialNetwork,
		"instagram.com": PhotoSharing,
	}
}

// words name a platform whose links may be refused.
func (p Platform) words() string {
	switch p {
	case SocialNetwork:
		return i18n.T("social network")
	case PhotoSharing:
		return i18n.T("photo sharing")
	}
	return string(p) // of a table that Options brought
}

// Link is a link that may be submitted.
type Link struct {
	URL      string   // as it is sent: as it was given, without white space around it
	Host     string   // in lower case, without port
	Platform Platform // of the host
	Note     string   // a sentence for the person where the service may refuse the link, else ""
}

// longestLink is the longest link that is sent, in bytes. No platform's come near.
const longestLink = 4096

// CheckLink says whether a link may be submitted, by the default table of hosts. It touches no network. An error is
// of KindSetup, with a sentence.
func CheckLink(link string) (Link, error) { return checkLink(link, DefaultLinkHosts()) }

// CheckLink is the function CheckLink by the client's own table, Options.LinkHosts.
func (c *Client) CheckLink(link string) (Link, error) { return checkLink(link, c.linkHosts) }

const opSubmitLink = "submit the link"

func checkLink(link string, hosts map[string]Platform) (Link, error) {
	refuse := func(sentence i18n.Key) (Link, error) {
		return Link{}, &Error{Op: opSubmitLink, Kind: KindSetup, Message: i18n.T(sentence), Hint: i18n.T("A link looks like https://example.org/post/1.")}
	}
	link = strings.TrimSpace(link)
	switch {
	case link == "":
		return refuse("There is no link.")
	case len(link) > longestLink:
		return refuse("The link is too long.")
	case !utf8.ValidString(link) || strings.ContainsFunc(link, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }):
		return refuse("This is not one link: it holds a space, a line break or a character that no link has.")
	}
	u, err := url.Parse(link)
	if err != nil {
		return refuse("This is not a link.") // the cause would quote it
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return refuse("Only whole links that begin with http:// or https:// can be submitted.")
	}
	if !address.HasHost(u) {
		return refuse("The link names no site.")
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if u.User != nil {
		return refuse("The link holds a user name or a password, which would go to the service.")
	}
	l := Link{URL: link, Host: host, Platform: platformOf(host, hosts)}
	switch l.Platform {
	case Microblogging, VideoSharing, ShortVideo, TextThread:
	case OtherPlatform:
		l.Note = i18n.T("This site is none that the service is known to accept; it may refuse the link.")
	default:
		l.Note = i18n.F("Whether the service accepts links of this kind (%s) is not certain; it may refuse it.", l.Platform.words())
	}
	return l, nil
}

// platformOf looks for the host, then for each domain that it is part of.
func platformOf(host string, hosts map[string]Platform) Platform {
	if _, err := netip.ParseAddr(host); err == nil {
		return hosts[host]
	}
	for {
		if p, listed := hosts[host]; listed {
			return p
		}
		_, parent, more := strings.Cut(host, ".")
		if !more {
			return OtherPlatform
		}
		host = parent
	}
}
