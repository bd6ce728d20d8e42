package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/client/address"
	"assay/client/i18n"
	"assay/client/plain"
)

// LinkSubmission is the answer to the submission of a link.
type LinkSubmission struct {
	RequestID string // never ""
	Link      Link   // what was sent
	Message   string // the service's own message, made plain, "" where it sent none
}

// SubmitLink submits a link; the service fetches what it leads to (interface, operation 3). A link that CheckLink refuses is not sent; one with a
// Note is. If the answer is lost, the outcome is not known: the Error is Uncertain, nothing is retried, and the list of results shows by
// Result.SocialLink whether the service has it.
func (c *Client) SubmitLink(ctx context.Context, link string) (LinkSubmission, error) {
	checked, err := c.CheckLink(link)
	if err != nil {
		return LinkSubmission{}, err
	}
	body, err := c.do(ctx, call{
		op:     opSubmitLink,
		method: http.MethodPost,
		path:   []string{"api", "files", "social"},
		body: struct {
			SocialLink string `json:"socialLink"`
		}{checked.URL},
		once: true,
	})
	if err != nil {
		return LinkSubmission{}, err
	}
	id, said := linkAnswer(body)
	message := plain.From(c.keySecret().without(said.String())).Clip(longestMessage).String()
	if id == "" {
		e := &Error{Op: opSubmitLink, Kind: KindAnswer, Status: http.StatusOK, Message: Says(plain.From(message)), Uncertain: true,
			Hint: i18n.M("Look through your results before you submit it again.")}
		if message == "" {
			e.Message = i18n.M("The service took the link but gave no ID for it.")
		}
		return LinkSubmission{}, e
	}
	return LinkSubmission{RequestID: id, Link: checked, Message: message}, nil
}

// linkAnswer reads the request ID, beside response or inside it, and the service's message: response may be a text or an object.
func linkAnswer(body []byte) (id string, said plain.Text) {
	var answer struct {
		RequestID string          `json:"requestId"`
		Response  json.RawMessage `json:"response"`
	}
	var inner struct {
		RequestID string `json:"requestId"`
	}
	if decodeLenient(body, &answer) == nil {
		_ = decodeLenient(answer.Response, &inner) // a text holds no request ID
	}
	_, said = errorBody(body)
	return orDefault(answer.RequestID, inner.RequestID), said
}

// Platform is the kind of site that a link leads to (interface, operation 3, "Supported platforms, by kind").
type Platform string

// The platforms. The first four are accepted; of the next two the interface says both; of the rest it says nothing.
const (
	Microblogging Platform = "microblogging"
	VideoSharing  Platform = "video sharing"
	ShortVideo    Platform = "short video"
	TextThread    Platform = "text thread"
	SocialNetwork Platform = "social network"
	PhotoSharing  Platform = "photo sharing"
	OtherPlatform Platform = "" // a host that is not in the table
)

// accepted reports whether the service is sure to accept links of this platform.
func (p Platform) accepted() bool {
	switch p {
	case Microblogging, VideoSharing, ShortVideo, TextThread:
		return true
	}
	return false
}

// DefaultLinkHosts returns a new copy of the table of hosts by kind of platform, for Options.LinkHosts. The names are those in the public
// documentation of such services; a host includes its subdomains.
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
func (p Platform) words() i18n.Message {
	switch p {
	case SocialNetwork:
		return i18n.M("social network")
	case PhotoSharing:
		return i18n.M("photo sharing")
	}
	return i18n.Verbatim(string(p)) // from Options.LinkHosts
}

// Link is a link that may be submitted.
type Link struct {
	URL      string       // as it is sent: as given, without white space around it
	Host     string       // in lower case, without port
	Platform Platform     // of the host
	Note     i18n.Message // a sentence for the person if the service may refuse the link
}

// longestLink is the longest link that is sent, in bytes. No platform's links come near it.
const longestLink = 4096

// CheckLink says whether a link may be submitted, by the table of Options.LinkHosts. It makes no request. An error is of KindSetup, with a sentence
// for the person.
func (c *Client) CheckLink(link string) (Link, error) { return checkLink(link, c.linkHosts) }

const opSubmitLink = "submit the link"

func checkLink(link string, hosts map[string]Platform) (Link, error) {
	refuse := func(sentence i18n.Message) (Link, error) {
		return Link{}, &Error{Op: opSubmitLink, Kind: KindSetup, Message: sentence, Hint: i18n.M("A link looks like https://example.org/post/1.")}
	}
	link = strings.TrimSpace(link)
	switch {
	case link == "":
		return refuse(i18n.M("There is no link."))
	case len(link) > longestLink:
		return refuse(i18n.M("The link is too long."))
	case !utf8.ValidString(link) || strings.ContainsFunc(link, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }):
		return refuse(i18n.M("This is not a single link: it contains a space, a line break or a character that no link has."))
	}
	u, err := url.Parse(link)
	if err != nil {
		return refuse(i18n.M("This is not a link.")) // url.Parse's error would quote it
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return refuse(i18n.M("Enter the whole link. It begins with http:// or https://."))
	}
	if !address.HasHost(u) {
		return refuse(i18n.M("The link names no site."))
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if u.User != nil {
		return refuse(i18n.M("The link contains a user name or a password, which would go to the service."))
	}
	l := Link{URL: link, Host: host, Platform: platformOf(host, hosts)}
	switch {
	case l.Platform.accepted():
	case l.Platform == OtherPlatform:
		l.Note = i18n.M("The service is not known to accept links to this site. It may refuse this one.")
	default:
		l.Note = i18n.M("It is not certain that the service accepts links of this kind (%s). It may refuse this one.", l.Platform.words())
	}
	return l, nil
}

// platformOf looks up the host, then each domain that it is part of.
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
