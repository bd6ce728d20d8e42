package client

import (
	"context"
	"encoding/json"
	"net/http"

	"assay/client/i18n"
	"assay/client/plain"
)

// LinkSubmission is the answer to a link.
type LinkSubmission struct {
	RequestID string // identifies the result, never ""
	Link      Link   // what was sent
	Message   string // the service's own words, made plain, "" where it said nothing
}

// SubmitLink hands a link over to the service, which fetches what it leads to (interface, operation 3). What
// CheckLink refuses is not sent; what has a Note is. An answer that was lost leaves the outcome open: the Error is then
// Uncertain, nothing was repeated, and the list of results tells by Result.SocialLink whether the service has it.
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
		e := &Error{Op: opSubmitLink, Kind: KindAnswer, Status: http.StatusOK, Message: message, Uncertain: true,
			Hint: i18n.T("Look among your results before submitting it again.")}
		if message == "" {
			e.Message = i18n.T("The service took the link but did not say under which number.")
		}
		return LinkSubmission{}, e
	}
	return LinkSubmission{RequestID: id, Link: checked, Message: message}, nil
}

// linkAnswer reads the identifier, beside response or inside it, and the service's words: response may be a text or an object.
func linkAnswer(body []byte) (id string, said plain.Text) {
	var answer struct {
		RequestID string          `json:"requestId"`
		Response  json.RawMessage `json:"response"`
	}
	var inner struct {
		RequestID string `json:"requestId"`
	}
	if decodeLenient(body, &answer) == nil {
		_ = decodeLenient(answer.Response, &inner) // a text holds no identifier
	}
	_, said = errorBody(body)
	return orDefault(answer.RequestID, inner.RequestID), said
}

// LinkState is how far the service is with the file behind a link.
type LinkState string

// The states of a link.
const (
	LinkNone     LinkState = ""         // no link was submitted, or its result ended without a word about it
	LinkFetching LinkState = "fetching" // the service still fetches what the link leads to
	LinkFetched  LinkState = "fetched"  // it has it
	LinkFailed   LinkState = "failed"   // it could not fetch it
)

// LinkState reads the three fields about links. They count only where the result is a link's: results of files carry
// them, too, empty or false.
func (r *Result) LinkState() LinkState {
	switch {
	case r.SocialLink == "":
		return LinkNone
	case bool(r.SocialLinkFailed):
		return LinkFailed
	case bool(r.SocialLinkDownloaded), r.Status() == Analyzing:
		return LinkFetched
	case r.Status().Terminal():
		return LinkNone
	}
	return LinkFetching
}
