package bundle

import (
	"bytes"
	"cmp"
	"crypto"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"time"

	"github.com/digitorus/pkcs7"
	"github.com/digitorus/timestamp"

	"assay/client/plain"
)

// Stamp is a time stamp (RFC 3161) that fits: an authority's word that the tag manifest was there at a time.
type Stamp struct {
	At        time.Time  `json:"at"`
	Authority plain.Text `json:"authority"` // the name in its certificate
	Trusted   bool       `json:"trusted"`   // that certificate leads to one that this system trusts
}

// stampFiles are the files of each stamp: the authority's reply, and the certificates.
var stampFiles = [mostStamps][2]string{{StampFile, ChainFile}, {SecondStampFile, SecondChainFile}}

// authorityOf is the name of the authority that a certificate is of.
func authorityOf(c *x509.Certificate) plain.Text {
	organisation := ""
	if len(c.Subject.Organization) > 0 {
		organisation = c.Subject.Organization[0]
	}
	return plain.From(cmp.Or(c.Subject.CommonName, organisation, c.Subject.String())).Folded().Clip(longestSigner)
}

// stampText is what StampTimesFile has of a stamp: the command that checks it at its time, and the hashes of its files. These tell whether a byte of
// them was changed that the signatures do not cover.
func stampText(s Stamp, names [2]string, reply, chain []byte, complete bool) string {
	partial := ""
	if !complete {
		partial = " -partial_chain"
	}
	text := fmt.Sprintf("%s, %s\nopenssl ts -verify -data %s -in %s -CAfile %s -attime %d%s\n",
		s.Authority.String(), s.At.UTC().Format(time.RFC3339), TagManifestFile, names[0], names[1], s.At.Unix(), partial)
	for i, content := range [][]byte{reply, chain} {
		sum := sha256.Sum256(content)
		text += hex.EncodeToString(sum[:]) + "  " + names[i] + "\n"
	}
	return text + "\n"
}

// largestStamp is larger than a reply or a chain of certificates is, in bytes.
const largestStamp = 1 << 20

// checkStamps checks the time stamps, if there are any: that they are of the tag manifest, signed, for time stamps, and at their own time vouched for by
// the certificates that the bundle carries. Whether this system trusts these, each Stamp says.
func (v *verifier) checkStamps() {
	var times bytes.Buffer
	for i, names := range stampFiles {
		reply, there := v.kept[names[0]]
		chain, carried := v.kept[names[1]]
		if !there && !carried {
			continue
		}
		s, complete, err := openStamp(reply, chain, v.kept[TagManifestFile])
		if err != nil || i > len(v.Stamps) {
			v.add(finding(StampChanged, names[0]))
			continue
		}
		v.Stamps = append(v.Stamps, s)
		times.WriteString(stampText(s, names, reply, chain, complete))
	}
	if text, there := v.kept[StampTimesFile]; (there || times.Len() > 0) && !bytes.Equal(text, times.Bytes()) {
		v.add(finding(StampChanged, StampTimesFile))
	}
}

var errStamp = errors.New("it does not fit")

// openStamp reads a stamp of some data, with the chain of certificates; complete if that ends with a root.
func openStamp(reply, chain, data []byte) (s Stamp, complete bool, err error) {
	if len(reply) > largestStamp || len(chain) > largestStamp {
		return s, false, errStamp
	}
	ts, signer, err := readReply(reply, data)
	if err != nil {
		return s, false, err
	}
	var certificates []*x509.Certificate
	for rest := chain; len(rest) > 0; {
		block, after := pem.Decode(rest)
		if block == nil || block.Type != "CERTIFICATE" || len(certificates) == 20 {
			return s, false, errStamp
		}
		c, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return s, false, err
		}
		certificates, rest = append(certificates, c), after
	}
	if len(certificates) == 0 || !certificates[0].Equal(signer) {
		return s, false, errStamp
	}
	last := certificates[len(certificates)-1]
	roots := x509.NewCertPool()
	roots.AddCert(last)
	if _, err := verified(signer, roots, certificates, ts.Time); err != nil {
		return s, false, err
	}
	_, untrusted := verified(signer, nil, append(certificates, ts.Certificates...), ts.Time)
	complete = bytes.Equal(last.RawIssuer, last.RawSubject)
	return Stamp{At: ts.Time.UTC(), Authority: authorityOf(signer), Trusted: untrusted == nil}, complete, nil
}

// readReply reads an authority's reply, and checks that it is signed, and of the hash of some data.
func readReply(reply, data []byte) (ts *timestamp.Timestamp, signer *x509.Certificate, err error) {
	defer func() {
		if recovered := recover(); recovered != nil { // the reply comes from outside, and its reader is young
			err = fmt.Errorf("malformed: %v", recovered)
		}
	}()
	if ts, err = timestamp.ParseResponse(reply); err != nil {
		return nil, nil, err
	}
	sum := sha256.Sum256(data)
	token, err := pkcs7.Parse(ts.RawToken)
	if err != nil {
		return nil, nil, err
	}
	signer = token.GetOnlySigner()
	if signer == nil || ts.HashAlgorithm != crypto.SHA256 || !bytes.Equal(ts.HashedMessage, sum[:]) { // without certificates the reader checks no signature
		return nil, nil, errStamp
	}
	return ts, signer, nil
}
