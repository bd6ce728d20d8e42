package bundle

import (
	"bytes"
	"context"
	"crypto"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net/url"
	"time"

	"github.com/digitorus/pkcs7"
	"github.com/digitorus/timestamp"

	"assay/client/i18n"
	"assay/client/plain"
)

// mostStamps is how many authorities are asked.
const mostStamps = 2

// newStamp is a stamp with what goes into the bundle.
type newStamp struct {
	Stamp
	reply    []byte
	chain    []byte // PEM
	complete bool   // the chain ends with a root
}

// stamps asks the authorities for time stamps of the tag manifest. One that fails leaves the bundle without its stamp: why is in StampProblems.
func (w *writer) stamps(sealed []byte) error {
	if w.o.Ask == nil {
		return nil
	}
	var times bytes.Buffer
	for _, authority := range w.o.Authorities[:min(len(w.o.Authorities), mostStamps)] {
		s, err := w.ask(w.ctx, authority, sealed)
		if ended := w.ctx.Err(); ended != nil {
			return ended
		}
		if err != nil {
			w.done.StampProblems = append(w.done.StampProblems, i18n.F("There is no time stamp from %s. %s", plain.From(hostOf(authority)), i18n.Sentence(err)))
			continue
		}
		names := stampFiles[len(w.done.Stamps)]
		w.done.Stamps = append(w.done.Stamps, s.Stamp)
		if err := errors.Join(w.addText(names[0], s.reply), w.addText(names[1], s.chain)); err != nil {
			return err
		}
		times.WriteString(stampText(s.Stamp, names, s.reply, s.chain, s.complete))
	}
	if times.Len() == 0 {
		return nil
	}
	return w.addText(StampTimesFile, times.Bytes())
}

// hostOf is an authority's host, as it is shown.
func hostOf(authority string) string {
	if u, err := url.Parse(authority); err == nil && u.Host != "" {
		return u.Hostname()
	}
	return authority
}

// wrongStamp is why a reply is no time stamp of the bundle.
type wrongStamp struct {
	text string
	err  error
}

func (e *wrongStamp) Error() string {
	return fmt.Sprintf("the reply is no time stamp of the bundle: %v", e.err)
}
func (e *wrongStamp) Sentence() string { return e.text }
func (e *wrongStamp) Unwrap() error    { return e.err }

// ask asks one authority, and checks its reply as far as that can be done without knowing it: that it is signed, and for time stamps, and of this hash
// and this query.
func (w *writer) ask(ctx context.Context, authority string, sealed []byte) (newStamp, error) {
	sum := sha256.Sum256(sealed)
	nonce, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 63))
	if err != nil {
		return newStamp{}, err
	}
	query, err := (&timestamp.Request{HashAlgorithm: crypto.SHA256, HashedMessage: sum[:], Certificates: true, Nonce: nonce}).Marshal()
	if err != nil {
		return newStamp{}, err
	}
	reply, err := w.o.Ask(ctx, authority, query)
	if err != nil {
		return newStamp{}, err
	}
	s, err := checkReply(reply, sum[:], nonce)
	if err != nil {
		return newStamp{}, &wrongStamp{i18n.T("Its answer is not a time stamp of this bundle."), err}
	}
	return s, nil
}

// checkReply checks a reply to a query.
func checkReply(reply, sum []byte, nonce *big.Int) (s newStamp, err error) {
	defer func() {
		if recovered := recover(); recovered != nil { // the reply comes from outside, and its reader is young
			err = fmt.Errorf("malformed: %v", recovered)
		}
	}()
	ts, err := timestamp.ParseResponse(reply)
	switch {
	case err != nil:
		return s, err
	case ts.HashAlgorithm != crypto.SHA256 || !bytes.Equal(ts.HashedMessage, sum):
		return s, errors.New("it is of another hash")
	case ts.Nonce == nil || ts.Nonce.Cmp(nonce) != 0:
		return s, errors.New("it answers another query")
	}
	token, err := pkcs7.Parse(ts.RawToken)
	if err != nil {
		return s, err
	}
	signer := token.GetOnlySigner()
	if signer == nil {
		return s, errors.New("its signer's certificate is missing")
	}
	s.At, s.Authority, s.reply = ts.Time, authorityOf(signer), reply
	chain, err := verified(signer, nil, ts.Certificates, ts.Time)
	if err == nil {
		s.Trusted = true
	} else if chain, err = carriedChain(signer, ts.Certificates, ts.Time); err != nil {
		return s, err
	}
	last := chain[len(chain)-1]
	s.complete = bytes.Equal(last.RawIssuer, last.RawSubject)
	for _, certificate := range chain {
		s.chain = append(s.chain, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate.Raw})...)
	}
	return s, nil
}

// carriedChain is the way as far as the certificates that came along show it: to a root among them, or to the signer alone.
func carriedChain(signer *x509.Certificate, carried []*x509.Certificate, at time.Time) ([]*x509.Certificate, error) {
	roots := x509.NewCertPool()
	for _, c := range carried {
		roots.AddCert(c)
	}
	return verified(signer, roots, carried, at)
}

// verified is the longest way from a certificate to one of the roots, nil for the system's.
func verified(signer *x509.Certificate, roots *x509.CertPool, others []*x509.Certificate, at time.Time) (longest []*x509.Certificate, err error) {
	between := x509.NewCertPool()
	for _, c := range others {
		between.AddCert(c)
	}
	chains, err := signer.Verify(x509.VerifyOptions{Roots: roots, Intermediates: between, CurrentTime: at, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageTimeStamping}})
	if err != nil {
		return nil, err
	}
	for _, chain := range chains {
		if len(chain) > len(longest) {
			longest = chain
		}
	}
	return longest, nil
}
