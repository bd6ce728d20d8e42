package client

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"time"

	"assay/client/address"
	"assay/client/bounded"
	"assay/client/i18n"
)

const (
	opStamp      = "ask for a time stamp"
	stampTimeout = time.Minute
	// maxStamp is larger than any time stamp with its certificates, in bytes.
	maxStamp = 1 << 20
)

// AskForStamp sends a query for a time stamp (RFC 3161) to an authority that is reached by n, and returns its reply, unchecked. It sends no key. An
// error is an *Error.
func AskForStamp(ctx context.Context, n Network, authority string, query []byte) ([]byte, error) {
	config, proxy, err := Options{}.WithNetwork(n).network()
	if err != nil {
		return nil, err
	}
	where, err := address.Parse(strings.TrimSpace(authority), "https", "http")
	if err != nil {
		return nil, &Error{Op: opStamp, Kind: KindSetup, Message: i18n.M("The time stamp authority's address is not a web address.")}
	}
	ctx, cancel := context.WithTimeout(ctx, stampTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, where.String(), bytes.NewReader(query))
	if err != nil {
		return nil, &Error{Op: opStamp, Kind: KindSetup, Message: i18n.M("The time stamp authority's address is not a web address."), Err: withoutURL(err)}
	}
	req.Header.Set("User-Agent", "Assay")
	req.Header.Set("Content-Type", "application/timestamp-query")
	transport := newHTTPTransport(config, proxy, 0, nil, nil)
	defer transport.CloseIdleConnections()
	resp, err := (&http.Client{Transport: transport, CheckRedirect: limitRedirects}).Do(req)
	if err != nil {
		return nil, stampError(err)
	}
	defer resp.Body.Close() //nolint:errcheck // read to its end or given up
	reply, err := bounded.ReadAll(resp.Body, maxStamp)
	switch {
	case resp.StatusCode != http.StatusOK:
		return nil, &Error{Op: opStamp, Kind: KindRefused, Status: resp.StatusCode, Message: statusWords(resp.StatusCode)}
	case err != nil:
		return nil, stampError(err)
	}
	return reply, nil
}

// stampError has the words for an authority that could not be reached.
func stampError(err error) *Error {
	return unreached(transportError(opStamp, err), i18n.M("The time stamp authority could not be reached."))
}

// unreached puts message where the words speak of the service: it was another host that could not be reached.
func unreached(e *Error, message i18n.Message) *Error {
	switch e.Fault {
	case FaultProxy, FaultProxyLogin, FaultCertificate:
		return e
	}
	e.Message, e.Hint = message, i18n.M("Check the network connection.")
	return e
}
