package client

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"assay/client/bounded"
	"assay/client/i18n"
)

// maxCertificates is how large a file of certificates may be: those of all the world's authorities take a quarter of a megabyte.
const maxCertificates = 4 << 20

// trust is the TLS configuration of the options: the roots of CAFile are added to those of TLS, or to the system's.
func trust(o Options) (*tls.Config, error) {
	if o.CAFile == "" {
		return o.TLS, nil
	}
	const op = "read the certificate file"
	pem, err := bounded.ReadFile(o.CAFile, maxCertificates)
	if err != nil {
		failed := &Error{Op: op, Kind: KindSetup, Message: i18n.T("The certificate file could not be read."), Err: cause(err)}
		if refused := (*bounded.Refusal)(nil); errors.As(err, &refused) {
			failed.Hint = refused.Sentence()
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
		config.RootCAs = x509.NewCertPool() // a system without roots of its own
	default:
		config.RootCAs = roots
	}
	if !config.RootCAs.AppendCertsFromPEM(pem) {
		return nil, &Error{Op: op, Kind: KindSetup, Message: i18n.T("The certificate file holds no certificate."),
			Hint: i18n.T("It is a text that begins with -----BEGIN CERTIFICATE-----; ask the IT desk for the one in this form (PEM).")}
	}
	return config, nil
}

// proxyOf is the proxy of the options: ProxyURL where there is one, else Proxy, else the environment's.
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
			return nil, nil // this computer is not reached through another
		}
		return proxy, nil
	}, nil
}
