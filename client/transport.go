package client

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"assay/client/address"
	"assay/client/bounded"
	"assay/client/i18n"
	"assay/client/plain"
)

// Network is how the service is reached, in the terms of Options.
type Network struct {
	Proxy         string // as Options.ProxyURL; "": Options.Proxy, or the environment's
	ProxyPassword string // as Options.ProxyPassword
	Certificates  string // as Options.CAFile; "": none besides those of Options.TLS or the system's
}

// WithNetwork returns the options with that network.
func (o Options) WithNetwork(n Network) Options {
	o.ProxyURL, o.ProxyPassword, o.CAFile = n.Proxy, n.ProxyPassword, n.Certificates
	return o
}

// SetNetwork changes how the service and its storage are reached, from the next call on; calls under way end as they began. It reads the file of
// certificates, so it is not for the UI thread. An error is of KindSetup, and nothing is changed then.
func (c *Client) SetNetwork(n Network) error {
	config, proxy, err := c.given.WithNetwork(n).network()
	if err != nil {
		return err
	}
	c.changing.Lock() // so that all three transports change together
	defer c.changing.Unlock()
	for _, h := range []*http.Client{c.calls, c.storage, c.uploads} {
		h.Transport.(*transport).change(config, proxy)
	}
	return nil
}

// network returns the TLS configuration and the proxy of the options.
func (o Options) network() (*tls.Config, proxyFunc, error) {
	config, err := trust(o)
	if err != nil {
		return nil, nil, err
	}
	proxy, err := proxyOf(o)
	return config, proxy, err
}

type proxyFunc = func(*http.Request) (*url.URL, error)

// transport is a round tripper that can be replaced while calls go on.
type transport struct {
	build func(*tls.Config, proxyFunc) *http.Transport
	now   atomic.Pointer[http.Transport]
}

func newTransport(config *tls.Config, proxy proxyFunc, build func(*tls.Config, proxyFunc) *http.Transport) *transport {
	t := &transport{build: build}
	t.now.Store(build(config, proxy))
	return t
}

// change makes the next calls use another transport. Connections of the old one are closed once they are idle.
func (t *transport) change(config *tls.Config, proxy proxyFunc) {
	t.now.Swap(t.build(config, proxy)).CloseIdleConnections()
}

// RoundTrip implements http.RoundTripper.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	return t.now.Load().RoundTrip(req)
}

// CloseIdleConnections is called by http.Client.CloseIdleConnections.
func (t *transport) CloseIdleConnections() { t.now.Load().CloseIdleConnections() }

// SplitProxy takes the password out of a proxy's address as the person gives it, so that the rest may be kept in a file. An error is of KindSetup and
// quotes nothing of the address. "" is no proxy, and no error.
func SplitProxy(typed string) (proxy, password string, err error) {
	if typed = strings.TrimSpace(typed); typed == "" {
		return "", "", nil
	}
	u, err := parseProxy(typed)
	if err != nil {
		return "", "", err
	}
	password, _ = u.User.Password()
	if u.User != nil {
		u.User = url.User(u.User.Username())
	}
	return u.String(), password, nil
}

// parseProxy parses a proxy's address. Its error quotes nothing of it: it may hold a password.
func parseProxy(typed string) (*url.URL, error) {
	proxy, err := address.Parse(typed, "http", "https", "socks5", "socks5h")
	if err == nil {
		return proxy, nil
	}
	return nil, &Error{Op: "connect", Kind: KindSetup, Message: i18n.M("The proxy's address is not valid."),
		Hint: i18n.M("It looks like http://proxy.example.org:3128, or begins with https:// or socks5://.")}
}

// proxyWords say what is wrong with the proxy.
func proxyWords(err error) (message, hint i18n.Message) {
	var refusal *proxyRefusal
	asked := errors.As(err, &refusal)
	switch fault := faultOf(err); {
	case fault == FaultProxyLogin && (!asked || refusal.login):
		return i18n.M("The proxy did not accept its name and password."), i18n.M("Check them in Settings, or ask the IT desk for them.")
	case fault == FaultProxyLogin:
		return i18n.M("The proxy asks for a name and a password."), i18n.M("Enter them in Settings. Your IT desk has them.")
	case asked:
		return i18n.M("The proxy does not let Assay through to the service (it answered %d, %s).", refusal.status, statusWords(refusal.status)),
			i18n.M("Check the service's address, or ask the IT desk.")
	}
	return i18n.M("The proxy could not be reached, or does not let Assay through."), i18n.M("Check its address in Settings, and the network connection.")
}

// maxCertificates is the largest file of certificates that is read, in bytes: those of all public authorities are a quarter of a megabyte.
const maxCertificates = 4 << 20

// trust returns the TLS configuration of the options: the certificates of CAFile are added to those of TLS, or to the system's.
func trust(o Options) (*tls.Config, error) {
	if o.CAFile == "" {
		return o.TLS, nil
	}
	const op = "read the certificate file"
	pem, err := bounded.ReadFile(o.CAFile, maxCertificates)
	if err != nil {
		failed := &Error{Op: op, Kind: KindSetup, Message: i18n.M("The certificate file could not be read."), Err: cause(err)}
		if refused := (*bounded.Refusal)(nil); errors.As(err, &refused) {
			failed.Hint = refused.UserMessage()
		}
		return nil, failed
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if o.TLS != nil {
		config = o.TLS.Clone()
	}
	switch roots, err := x509.SystemCertPool(); {
	case config.RootCAs != nil:
		config.RootCAs = config.RootCAs.Clone()
	case err != nil:
		config.RootCAs = x509.NewCertPool() // the system has none
	default:
		config.RootCAs = roots
	}
	if !config.RootCAs.AppendCertsFromPEM(pem) {
		return nil, &Error{Op: op, Kind: KindSetup, Message: i18n.M("The certificate file contains no certificate."),
			Hint: i18n.M("Ask the IT desk for it as PEM: a text that begins with -----BEGIN CERTIFICATE-----.")}
	}
	return config, nil
}

// proxyOf returns the proxy of the options: ProxyURL, or else Proxy, or else the environment's.
func proxyOf(o Options) (proxyFunc, error) {
	address := strings.TrimSpace(o.ProxyURL)
	if address == "" {
		if o.Proxy != nil {
			return o.Proxy, nil
		}
		return http.ProxyFromEnvironment, nil
	}
	proxy, err := parseProxy(address)
	if err != nil {
		return nil, err
	}
	if o.ProxyPassword != "" {
		proxy.User = url.UserPassword(proxy.User.Username(), o.ProxyPassword)
	}
	return func(req *http.Request) (*url.URL, error) {
		if isLoopback(req.URL.Hostname()) {
			return nil, nil // this computer is not reached through a proxy
		}
		return proxy, nil
	}, nil
}

// newHTTPTransport makes a transport for HTTP/1.1 alone: over TLS, HTTP/2 halves the speed of a large PUT. dial makes each connection, or with nil
// the system does, and then control, unless nil, sets it up.
func newHTTPTransport(config *tls.Config, proxy proxyFunc, headerTimeout time.Duration, dial func(ctx context.Context, network, address string) (net.Conn, error),
	control func(network, address string, c syscall.RawConn) error) *http.Transport {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	if dial == nil {
		dial = (&net.Dialer{Timeout: 20 * time.Second, KeepAlive: 30 * time.Second, Control: control}).DialContext
	}
	return &http.Transport{
		Proxy:                  proxy,
		OnProxyConnectResponse: checkProxyAnswer,
		DialContext:            dial,
		TLSClientConfig:        config,
		TLSHandshakeTimeout:    20 * time.Second,
		ResponseHeaderTimeout:  headerTimeout,
		IdleConnTimeout:        90 * time.Second,
		MaxIdleConnsPerHost:    8,
		DisableCompression:     true,
		Protocols:              protocols,
	}
}

const maxRedirects = 5

var errTooManyRedirects = errors.New("too many redirects")

// staySameOrigin follows redirects within the service's origin only, so that the key is sent nowhere else.
func (c *Client) staySameOrigin(req *http.Request, via []*http.Request) error {
	if !sameOrigin(req.URL, c.base) {
		return &redirectedAway{host: plain.From(req.URL.Host)}
	}
	return limitRedirects(req, via)
}

// limitRedirects bounds how many redirects are followed. One that would turn a PUT or POST into a GET is not followed: the page at its end would look
// like success with nothing sent. The redirect itself is then the answer.
func limitRedirects(req *http.Request, via []*http.Request) error {
	if req.Method != via[0].Method {
		return http.ErrUseLastResponse
	}
	if len(via) > maxRedirects {
		return errTooManyRedirects
	}
	if !address.HasHost(req.URL) {
		return address.ErrUnusable
	}
	if req.URL.Scheme == "http" && !isLoopback(req.URL.Hostname()) {
		return errors.New("redirected to an unencrypted address")
	}
	req.Header.Del("Referer") // it would hold the signed URL's query
	return nil
}

func sameOrigin(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && strings.EqualFold(a.Hostname(), b.Hostname()) && port(a) == port(b)
}

func port(u *url.URL) string {
	if p := u.Port(); p != "" {
		return p
	}
	if u.Scheme == "https" {
		return "443"
	}
	return "80"
}

type redirectedAway struct{ host plain.Text }

func (e *redirectedAway) Error() string {
	return fmt.Sprintf("redirected to another host (%s)", e.host)
}
