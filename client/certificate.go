package client

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
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
