package client

import (
	"crypto/tls"
	"crypto/x509"
	"errors"

	"assay/client/i18n"
	"assay/client/plain"
)

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

// certificateWords say what is wrong with a certificate, and who issued it: a company that looks into the traffic is named so.
func certificateWords(err error) (message, hint string) {
	var (
		invalid x509.CertificateInvalidError
		host    x509.HostnameError
	)
	switch issuer := issuerOf(err); {
	case errors.As(err, &host):
		return i18n.T("The service's certificate could not be trusted: it is for another name than this address."),
			i18n.T("Check the service's address. A network log-in page does this, too: open a web page first.")
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return i18n.T("The service's certificate could not be trusted: it has expired, or is not valid yet."),
			i18n.T("Check this computer's date and time.")
	case !issuer.IsZero():
		return i18n.F("The service's certificate could not be trusted: it was issued by “%s”.", issuer),
			i18n.T("A company proxy may need its own certificate; ask the IT desk.")
	}
	return i18n.T("The service's certificate could not be trusted."), i18n.T("A company proxy may need its own certificate; ask the IT desk.")
}

// issuerOf is who issued the certificate that err is about, in that one's own words, or none.
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
