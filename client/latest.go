package client

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"assay/client/address"
	"assay/client/bounded"
	"assay/client/i18n"
)

const (
	opLatest        = "ask for the newest version"
	maxLatest       = 16 << 10 // bytes of the answer
	latestRedirects = 3
)

var errElsewhere = errors.New("redirected to another host")

// AskForLatest gets the file that says which version of Assay is the newest, from an https URL that is reached by n, and returns it unchecked. The
// request is the same whoever sends it: it has no key, no cookie and no version, and redirects are followed within its host alone. It takes as long as
// ctx lets it. An error is an *Error.
func AskForLatest(ctx context.Context, n Network, from string) ([]byte, error) {
	where, err := address.Parse(from, "https")
	if err != nil || where.User != nil {
		return nil, LatestUnusable(address.ErrUnusable)
	}
	config, proxy, err := Options{}.WithNetwork(n).network()
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, where.String(), nil)
	if err != nil {
		return nil, LatestUnusable(withoutURL(err))
	}
	req.Header.Set("User-Agent", "Assay")
	transport := newHTTPTransport(config, proxy, 0, nil, nil)
	defer transport.CloseIdleConnections()
	resp, err := (&http.Client{Transport: transport, CheckRedirect: func(req *http.Request, via []*http.Request) error {
		if !sameOrigin(req.URL, where) || req.URL.User != nil || len(via) > latestRedirects {
			return errElsewhere
		}
		req.Header.Del("Referer")
		return nil
	}}).Do(req)
	if err != nil {
		return nil, latestError(err)
	}
	defer resp.Body.Close() //nolint:errcheck // read to its end or given up
	if resp.StatusCode != http.StatusOK {
		failed := LatestUnusable(nil)
		failed.Status = resp.StatusCode
		return nil, failed
	}
	content, err := bounded.ReadAll(resp.Body, maxLatest)
	if err != nil {
		return nil, latestError(err)
	}
	return content, nil
}

// LatestUnusable is the error for an answer that says no version, or not in a way that may be followed; nothing of the answer is in it.
func LatestUnusable(cause error) *Error {
	return &Error{Op: opLatest, Kind: KindAnswer, Message: i18n.M("Assay asked for a newer version, but can't read the answer."), Err: cause}
}

// latestError has the words for an answer that did not arrive whole.
func latestError(err error) *Error {
	var tooLarge *bounded.Refusal
	if errors.As(err, &tooLarge) || errors.Is(err, errElsewhere) {
		return LatestUnusable(withoutURL(err))
	}
	return unreached(transportError(opLatest, err), i18n.M("Assay could not find out whether there is a newer version."))
}

// SameOrigin reports whether two URLs have the same scheme, host and port.
func SameOrigin(one, other *url.URL) bool { return sameOrigin(one, other) }
