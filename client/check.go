package client

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"strings"
	"time"

	"assay/client/bounded"
	"assay/client/i18n"
)

// Limits of a check: a person waits for it.
const (
	checkLimit     = 15 * time.Second
	checkCallLimit = 10 * time.Second // of each of its two calls; Options.CallTimeout may be less
)

const opCheck = "check the service"

// Check asks the service once whether it is there and accepts the key. It retries nothing, keeps nothing, and takes 15 seconds at most.
//
// The first call has no key and asks for the list of results. Only if the answer is like the service's, which is a list or the refusal of a caller
// without a key, does a second call have the key.
//
// nil means that the service accepted the key, or needs none. An error is an *Error. KindSetup: the address, the proxy's address or the file of
// certificates can't be used, and nothing was sent. KindKey: the key was refused, or there is none and the service needs one. KindBusy and
// KindService: it may be the service, but nothing is known of the key. For all others Fault says what is wrong, as far as it can be told.
func Check(ctx context.Context, o Options) error {
	key := ""
	if o.Key != nil {
		key = strings.TrimSpace(o.Key())
	}
	tried := ""
	o.Key, o.KeyRequired = func() string { return tried }, false
	o.CallTimeout = min(orDefault(o.CallTimeout, checkCallLimit), checkCallLimit)
	c, err := New(o)
	if err != nil {
		return err
	}
	defer c.Close()
	ctx, cancel := context.WithTimeout(ctx, checkLimit)
	defer cancel()

	e := c.tryKey(ctx)
	if e != nil && e.Kind == KindKey && key == "" {
		e.Message, e.Hint = i18n.M("The service answers and asks for a key."), i18n.Message{}
	}
	if key != "" && (e == nil || e.Kind == KindKey) {
		tried = key
		e = c.tryKey(ctx)
	}
	if e == nil {
		return nil // not an *Error of nil
	}
	c.refineForCheck(e)
	return e
}

// tryKey makes one call with the key, if there is one.
func (c *Client) tryKey(ctx context.Context) *Error {
	ctx, cancel := context.WithTimeout(ctx, c.callTimeout)
	defer cancel()
	k := call{op: opCheck, method: http.MethodGet, path: []string{"api", "v2", "media", "users", "pages", "0"}, query: ListQuery{Size: 1}.values()}
	req, failed := c.build(ctx, k)
	if failed != nil {
		return failed
	}
	secret := keyOf(req)
	resp, err := c.calls.Do(req)
	if err != nil {
		return secret.strip(transportError(opCheck, err))
	}
	defer resp.Body.Close() //nolint:errcheck // read to its end or given up
	body, err := bounded.ReadUpTo(resp.Body, maxJSON)
	if err != nil {
		return secret.strip(transportError(opCheck, err))
	}
	if e := c.judge(resp, body); e != nil {
		return secret.strip(e)
	}
	return nil
}

// judge says what answered: nil is the service with a list, KindKey the service that refuses the caller.
func (c *Client) judge(resp *http.Response, body []byte) *Error {
	page := isPage(resp, body)
	switch status := resp.StatusCode; {
	case status == http.StatusNetworkAuthenticationRequired, page && (status < 300 || status == http.StatusUnauthorized || status == http.StatusForbidden):
		return pageInstead(opCheck, status)
	case status < 300:
		if _, ok := pageOf(body); ok {
			return nil
		}
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		if len(body) == 0 || json.Valid(body) {
			return statusError(opCheck, resp, body, c.now())
		}
	case status == http.StatusTooManyRequests || status >= 500:
		return statusError(opCheck, resp, body, c.now())
	}
	return &Error{Op: opCheck, Kind: KindAnswer, Fault: FaultAddress, Status: resp.StatusCode,
		Message: i18n.M("Something else answers at this address, not the service."), Hint: i18n.M("Check the address.")}
}

// refineForCheck words an error more closely than for a service that has answered before.
func (c *Client) refineForCheck(e *Error) {
	var dns *net.DNSError
	online := c.given.online
	if online == nil {
		online = hasNetwork
	}
	switch {
	case e.Fault == FaultAddress && errors.As(e.Err, &dns) && !online():
		e.Fault = FaultOffline
	case e.Fault == "" && e.Kind == KindNetwork && notTheService(e.Err):
		e.Fault = FaultAddress
	}
	switch {
	case e.Kind == KindKey && e.Status != 0 && c.key() != "":
		said := e.Message
		e.Message, e.Hint = i18n.M("The service did not accept this key."), i18n.M("Check that you copied all of it, and that it is the key for this address.")
		if said != keyRefused() {
			e.Message = i18n.Sentences(e.Message, said)
		}
	case e.Kind == KindBusy:
		e.Message, e.Hint = i18n.M("The service is busy, so Assay could not try the key."), i18n.M("Try again in a minute.")
	case e.Kind == KindService:
		e.Message = i18n.M("This address answers with an error (%d, %s), so Assay could not try the key.", e.Status, statusWords(e.Status))
		e.Hint = i18n.M("Try again later.")
	case e.Kind != KindNetwork:
	case e.Fault == FaultOffline:
		e.Message, e.Hint = i18n.M("This computer has no working network connection."), i18n.M("Connect it, and try again.")
	case e.Fault == FaultAddress && dns != nil:
		e.Message, e.Hint = i18n.M("No server was found with this name."), i18n.M("Check the address. If your network needs a proxy, enter it in Settings first.")
	case e.Fault == FaultAddress && isAny(e.Err, refusals):
		e.Message, e.Hint = i18n.M("Nothing answers at this address."), i18n.M("Check the address.")
	case e.Fault == FaultAddress:
		e.Message, e.Hint = i18n.M("Something else answers at this address, not the service."), i18n.M("Check the address.")
	case e.Fault == FaultTime:
		e.Hint = i18n.M("Check the address. If your network needs a proxy, enter it in Settings first.")
	}
}

// hasNetwork reports whether a network interface is up that leads further than this computer.
func hasNetwork() bool {
	all, err := net.Interfaces()
	if err != nil {
		return true // it is not known: then the name is taken to be wrong
	}
	for _, i := range all {
		if i.Flags&net.FlagLoopback != 0 || i.Flags&net.FlagUp == 0 || i.Flags&net.FlagRunning == 0 {
			continue
		}
		addresses, err := i.Addrs()
		if err != nil {
			return true
		}
		for _, a := range addresses {
			if network, ok := a.(*net.IPNet); ok && network.IP.IsGlobalUnicast() {
				return true
			}
		}
	}
	return false
}
