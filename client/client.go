// Package client speaks to the media deepfake-detection service over HTTP: wire types, the service's
// operations with one file each, artifacts and typed errors. It imports the standard library and i18n.
package client

import (
	"context"
	"crypto/tls"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"syscall"
	"time"

	"assay/client/address"
	"assay/client/i18n"
	"assay/client/wait"
)

// Defaults of Options.
const (
	DefaultUploadPath    = "/api/files/cloud-presigned"
	DefaultCallTimeout   = 30 * time.Second
	DefaultStallTimeout  = 60 * time.Second
	DefaultAnswerTimeout = 5 * time.Minute
)

// SignedURLLife is how long a pre-signed URL works after its issue (interface, "Limits").
const SignedURLLife = 900 * time.Second

// Options configure a Client. Only BaseURL is required.
type Options struct {
	// BaseURL is the service's address: https, or http on loopback; a path in it is kept as prefix.
	BaseURL string
	// KeyRequired ends a call with KindKey, before anything is sent, if Key returns none: a file's name must not be sent without the key.
	KeyRequired bool
	// Key returns the API key for one call. It is called for each, so that a replaced key holds at once, on the goroutine of the call.
	Key func() string
	// UploadPath is the path of the upload-URL call: deployments differ in its name.
	UploadPath string
	// CallTimeout bounds one call that carries JSON.
	CallTimeout time.Duration
	// StallTimeout ends an upload or a download in which no byte has moved for this long.
	StallTimeout time.Duration
	// AnswerTimeout is how long storage may take to answer once it has the whole file.
	AnswerTimeout time.Duration
	// TLS is used for every call; nil means the system's roots.
	TLS *tls.Config
	// CAFile names a PEM file whose certificates are trusted besides those of TLS or of the system, for a company proxy that inspects encrypted
	// traffic. New reads it once.
	CAFile string
	// Proxy picks the proxy of a request; nil means the environment's.
	Proxy func(*http.Request) (*url.URL, error)
	// ProxyURL is used instead of Proxy where it is not empty: http, https, socks5 or socks5h, with user and password
	// where it wants a login. This computer's own addresses are reached without it.
	ProxyURL string
	// ProxyPassword goes with the user of ProxyURL, in place of the password in it; "" leaves that one.
	ProxyPassword string
	// LinkHosts is the kind of platform of each host (in lower case), subdomains included, for links. Nil means DefaultLinkHosts.
	LinkHosts map[string]Platform

	// Attempts is how often a call is made at most, counting the first; 0 means DefaultAttempts.
	Attempts int
	// Pacer spreads the calls; clients may share one. Nil means a pacer of its own, or none for a service on loopback; new(Pacer) delays no call.
	Pacer *Pacer
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// Wait returns after d, or at once with ctx's error when that ends. All waits of calls use it; nil means a timer.
	Wait func(ctx context.Context, d time.Duration) error
	// Jitter returns a number from 0 to 1 that spreads retries; nil means a random one.
	Jitter func() float64
	// Log gets a debug line for each failed attempt: the operation, the kind of error, whether it is retried and why. It never gets a key or a URL.
	// Nil means none.
	Log *slog.Logger

	// Tests replace the network by these; nil: this computer's.
	dial   func(ctx context.Context, network, address string) (net.Conn, error)
	online func() bool // reports whether there is any network
}

// Client calls one service. It is safe for use by many goroutines.
type Client struct {
	given         Options    // for SetNetwork
	changing      sync.Mutex // held by it
	base          *url.URL
	key           func() string
	keyRequired   bool
	uploadPath    string
	callTimeout   time.Duration
	stallTimeout  time.Duration
	answerTimeout time.Duration
	linkHosts     map[string]Platform

	attempts int
	pacer    *Pacer
	now      func() time.Time
	wait     func(ctx context.Context, d time.Duration) error
	jitter   func() float64
	log      *slog.Logger

	calls   *http.Client // under the base URL, with the key
	storage *http.Client // pre-signed URLs to read from, never with the key
	uploads *http.Client // pre-signed URLs to upload to, likewise
}

// New checks the options and returns a client; it does not touch the network. An error is of KindSetup.
func New(o Options) (*Client, error) {
	base, err := parseBase(o.BaseURL)
	if err != nil {
		return nil, err
	}
	config, proxy, err := o.network()
	if err != nil {
		return nil, err
	}
	c := &Client{
		given:         o,
		base:          base,
		key:           o.Key,
		keyRequired:   o.KeyRequired,
		uploadPath:    orDefault(o.UploadPath, DefaultUploadPath),
		callTimeout:   orDefault(o.CallTimeout, DefaultCallTimeout),
		stallTimeout:  orDefault(o.StallTimeout, DefaultStallTimeout),
		answerTimeout: orDefault(o.AnswerTimeout, DefaultAnswerTimeout),
		linkHosts:     o.LinkHosts,
		attempts:      max(orDefault(o.Attempts, DefaultAttempts), 1),
		pacer:         o.Pacer,
		now:           o.Now,
		wait:          o.Wait,
		jitter:        o.Jitter,
		log:           o.Log,
	}
	c.fillIn()
	// build makes the transport for one kind of request.
	build := func(headerTimeout time.Duration, control func(network, address string, c syscall.RawConn) error) *transport {
		return newTransport(config, proxy, func(config *tls.Config, proxy proxyFunc) *http.Transport {
			return newHTTPTransport(config, proxy, headerTimeout, o.dial, control)
		})
	}
	c.calls = &http.Client{Transport: build(c.callTimeout, nil), CheckRedirect: c.staySameOrigin}
	c.storage = &http.Client{Transport: build(0, nil), CheckRedirect: limitRedirects}
	c.uploads = &http.Client{Transport: build(0, keepLittleUnsent), CheckRedirect: limitRedirects}
	return c, nil
}

// fillIn sets the defaults.
func (c *Client) fillIn() {
	if c.key == nil {
		c.key = func() string { return "" }
	}
	if c.linkHosts == nil {
		c.linkHosts = DefaultLinkHosts()
	}
	if c.pacer == nil {
		c.pacer = new(Pacer)
		if !isLoopback(c.base.Hostname()) {
			c.pacer = NewPacer(DefaultPace, DefaultBurst)
		}
	}
	if c.now == nil {
		c.now = time.Now
	}
	if c.wait == nil {
		c.wait = wait.For
	}
	if c.jitter == nil {
		c.jitter = rand.Float64
	}
	if c.log == nil {
		c.log = slog.New(slog.DiscardHandler)
	}
}

// Close closes idle connections. Calls under way end by their own context.
func (c *Client) Close() {
	c.calls.CloseIdleConnections()
	c.storage.CloseIdleConnections()
	c.uploads.CloseIdleConnections()
}

// Address is the service's address as it is shown: without user and query.
func (c *Client) Address() string {
	return c.base.Scheme + "://" + c.base.Host + c.base.Path
}

func parseBase(s string) (*url.URL, error) {
	base, err := url.Parse(strings.TrimSpace(s))
	if err != nil || !address.HasHost(base) {
		return nil, &Error{Op: "connect", Kind: KindSetup, Message: i18n.M("The service's address is not a web address."),
			Hint: i18n.M("It looks like https://api.example.org.")}
	}
	if base.Scheme != "https" && (base.Scheme != "http" || !isLoopback(base.Hostname())) {
		return nil, &Error{Op: "connect", Kind: KindSetup,
			Message: i18n.M("The service's address must begin with https://."),
			Hint:    i18n.M("Without it, anyone on the network could read the key and the files.")}
	}
	if base.User != nil {
		return nil, &Error{Op: "connect", Kind: KindSetup, Message: i18n.M("The service's address can't contain a user name or a password."),
			Hint: i18n.M("Enter the key in Settings, with assay key set, or in ASSAY_API_KEY.")}
	}
	base.RawQuery, base.Fragment = "", ""
	base.Path, base.RawPath = strings.TrimRight(base.Path, "/"), strings.TrimRight(base.RawPath, "/")
	return base, nil
}

func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

func orDefault[T comparable](v, fallback T) T {
	var zero T
	if v == zero {
		return fallback
	}
	return v
}
