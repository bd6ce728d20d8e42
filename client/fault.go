package client

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"syscall"

	"assay/client/i18n"
	"assay/client/plain"
)

// Fault says more closely than Kind why a service can't be reached, as far as it can be told from here, so that the person knows what to do. "" is
// any other failure.
type Fault string

// The faults.
const (
	FaultAddress     Fault = "address"     // no such name, nobody listens there, or something other than the service does
	FaultOffline     Fault = "offline"     // this computer has no network
	FaultProxy       Fault = "proxy"       // the proxy is not there, or refuses
	FaultProxyLogin  Fault = "proxy-login" // the proxy wants a login, or another one than it was given
	FaultCertificate Fault = "certificate" // the certificate is not trusted
	FaultPage        Fault = "page"        // a network's log-in page answered
	FaultTime        Fault = "time"        // no answer in time
)

// faultOf finds the fault of a failure without an answer.
func faultOf(err error) Fault {
	var (
		refusal *proxyRefusal
		op      *net.OpError
		dns     *net.DNSError
		away    *redirectedAway
	)
	switch {
	case errors.As(err, &away):
		return FaultPage
	case errors.As(err, &refusal):
		if refusal.status == http.StatusProxyAuthRequired {
			return FaultProxyLogin
		}
		return FaultProxy
	case isCertificate(err): // also a proxy's
		return FaultCertificate
	case errors.As(err, &op) && strings.HasPrefix(op.Op, "socks"):
		if strings.Contains(err.Error(), "authentication") { // net/http's own errors, which have no type
			return FaultProxyLogin
		}
		return FaultProxy
	case errors.As(err, &op) && op.Op == "proxyconnect": // checked before what may also be wrong on the way to the proxy
		return FaultProxy
	case errors.As(err, &dns):
		if dns.IsNotFound {
			return FaultAddress
		}
		return FaultOffline // no name server was reached
	case isAny(err, unreachable):
		return FaultOffline
	case isTimeout(err):
		return FaultTime
	}
	return ""
}

// notTheService reports whether err means that nobody listens there, or that something other than the service does. For a service that has answered
// before, the same error means no such thing: it may be down, or a connection broken.
func notTheService(err error) bool {
	var plain tls.RecordHeaderError
	return errors.As(err, &plain) || isAny(err, refusals) ||
		isAny(err, []error{http.ErrSchemeMismatch, io.EOF, io.ErrUnexpectedEOF, syscall.ECONNRESET, syscall.EPIPE})
}

func isTimeout(err error) bool {
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout() || errors.Is(err, context.DeadlineExceeded)
}

func isAny(err error, targets []error) bool {
	return slices.ContainsFunc(targets, func(target error) bool { return errors.Is(err, target) })
}

// proxyRefusal is the error of a proxy's answer other than success.
type proxyRefusal struct {
	status int
	login  bool // it was given a login
}

func (e *proxyRefusal) Error() string { return "the proxy answered " + statusWords(e.status).String() }

// checkProxyAnswer is a transport's OnProxyConnectResponse: without it the refusal would be a text without a type.
func checkProxyAnswer(_ context.Context, _ *url.URL, req *http.Request, resp *http.Response) error {
	if resp.StatusCode == http.StatusOK {
		return nil
	}
	return &proxyRefusal{status: resp.StatusCode, login: req.Header.Get("Proxy-Authorization") != ""}
}

// isCertificate reports whether err is about the other side's certificate.
func isCertificate(err error) bool {
	var (
		verification *tls.CertificateVerificationError
		authority    x509.UnknownAuthorityError
		invalid      x509.CertificateInvalidError
		host         x509.HostnameError
	)
	return errors.As(err, &verification) || errors.As(err, &authority) ||
		errors.As(err, &invalid) || errors.As(err, &host)
}

// certificateWords say what is wrong with a certificate, and who issued it: that names a company that inspects the traffic.
func certificateWords(err error) (message, hint i18n.Message) {
	var (
		invalid x509.CertificateInvalidError
		host    x509.HostnameError
	)
	switch issuer := issuerOf(err); {
	case errors.As(err, &host):
		return i18n.M("The service's certificate could not be trusted: it is for a different address."),
			i18n.M("Check the service's address. Or it is a network's log-in page: open a web page in your browser first.")
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return i18n.M("The service's certificate could not be trusted: it has expired, or is not valid yet."),
			i18n.M("Check this computer's date and time.")
	case !issuer.IsZero():
		return i18n.M("The service's certificate could not be trusted: it was issued by “%s”.", issuer),
			i18n.M("A company proxy may need its own certificate; ask the IT desk.")
	}
	return i18n.M("The service's certificate could not be trusted."), i18n.M("A company proxy may need its own certificate; ask the IT desk.")
}

// issuerOf is who issued the certificate that err is about, as the certificate names them, or "".
func issuerOf(err error) plain.Text {
	var (
		verification *tls.CertificateVerificationError
		authority    x509.UnknownAuthorityError
	)
	var c *x509.Certificate
	switch {
	case errors.As(err, &verification) && len(verification.UnverifiedCertificates) > 0:
		c = verification.UnverifiedCertificates[0]
	case errors.As(err, &authority):
		c = authority.Cert
	}
	if c == nil {
		return plain.Text{}
	}
	for _, name := range append([]string{c.Issuer.CommonName}, c.Issuer.Organization...) {
		if name != "" {
			return plain.From(name).Clip(longestName)
		}
	}
	return plain.Text{}
}
