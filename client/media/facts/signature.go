package facts

import (
	"bytes"
	"crypto"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"fmt"
	"time"

	"github.com/veraison/go-cose"
)

// signature is a claim's signature with the certificate in it.
type signature struct {
	message     cose.Sign1Message
	algorithm   cose.Algorithm
	key         crypto.PublicKey // nil for an unknown kind of key
	certificate *x509.Certificate
}

// readSignature reads who signed a manifest, according to the file.
func (c *Credentials) readSignature(manifest *superbox) (*signature, error) {
	box := manifest.only("c2pa.signature")
	if box == nil || box.repeats || box.damaged {
		return nil, notConfirmed(reasonIncomplete)
	}
	s := &signature{}
	content := box.Contents["cbor"]
	const tagged = 0xd2 // the tag of COSE_Sign1, which early writers omitted
	var err error
	if bytes.HasPrefix(content, []byte{tagged}) {
		err = s.message.UnmarshalCBOR(content)
	} else {
		err = (*cose.UntaggedSign1Message)(&s.message).UnmarshalCBOR(content)
	}
	if err != nil {
		return nil, notConfirmed(reasonUnreadable)
	}
	if s.algorithm, err = s.message.Headers.Protected.Algorithm(); err != nil {
		return nil, notConfirmed(reasonKey)
	}
	c.Algorithm = s.algorithm.String()
	c.Stamped = stampedTime(s.message.Headers.Unprotected)
	if s.certificate, err = x509.ParseCertificate(leaf(s.message.Headers)); err != nil {
		return nil, notConfirmed(reasonKey)
	}
	s.key = publicKey(s.certificate)
	c.Signer, c.Organisation = names(s.certificate.Subject)
	issuer, organisation := names(s.certificate.Issuer)
	if c.Issuer = issuer; issuer == "" || organisation != "" && organisation != issuer {
		c.Issuer = cleanText(joined(issuer, organisation), longestValue)
	}
	c.Valid = [2]time.Time{s.certificate.NotBefore, s.certificate.NotAfter}
	return s, nil
}

func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + ", " + b
}

func names(n pkix.Name) (common, organisation string) {
	if len(n.Organization) > 0 {
		organisation = n.Organization[0]
	}
	return cleanText(n.CommonName, longestValue), cleanText(organisation, longestValue)
}

// leaf is the signer's certificate: the first of a chain, under the header's number or its older name.
func leaf(h cose.Headers) []byte {
	for _, value := range []any{
		h.Protected[cose.HeaderLabelX5Chain], h.Protected["x5chain"],
		h.Unprotected[cose.HeaderLabelX5Chain], h.Unprotected["x5chain"],
	} {
		if chain, ok := value.([]any); ok && len(chain) > 0 {
			value = chain[0]
		}
		if certificate, ok := value.([]byte); ok {
			return certificate
		}
	}
	return nil
}

// publicKey is a certificate's key. The standard library does not parse RSA keys that are restricted to PSS.
func publicKey(certificate *x509.Certificate) crypto.PublicKey {
	if certificate.PublicKey != nil {
		return certificate.PublicKey
	}
	var info struct {
		Algorithm pkix.AlgorithmIdentifier
		Key       asn1.BitString
	}
	pss := asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 1, 10}
	if _, err := asn1.Unmarshal(certificate.RawSubjectPublicKeyInfo, &info); err != nil || !info.Algorithm.Algorithm.Equal(pss) {
		return nil
	}
	key, err := x509.ParsePKCS1PublicKey(info.Key.RightAlign())
	if err != nil {
		return nil
	}
	return key
}

// verify checks the signature over the claim's bytes, which the signature normally does not contain.
func (s *signature) verify(claim []byte) error {
	switch s.algorithm {
	case cose.AlgorithmES256, cose.AlgorithmES384, cose.AlgorithmES512, cose.AlgorithmPS256, cose.AlgorithmPS384, cose.AlgorithmPS512, cose.AlgorithmEdDSA:
	default:
		return notConfirmed(reasonKey)
	}
	if s.message.Payload != nil && !bytes.Equal(s.message.Payload, claim) {
		return notConfirmed(reasonSignature)
	}
	s.message.Payload = claim
	verifier, err := cose.NewVerifier(s.algorithm, s.key)
	if err != nil {
		return notConfirmed(reasonKey)
	}
	if err := s.message.Verify(nil, verifier); err != nil {
		return fmt.Errorf("%w (%w)", notConfirmed(reasonSignature), err)
	}
	return nil
}

// stampedTime is the time in a signature's RFC 3161 time-stamp, which is neither verified nor trusted; zero where there is none.
func stampedTime(unprotected cose.UnprotectedHeader) time.Time {
	for _, label := range []string{"sigTst2", "sigTst"} {
		stamps, _ := unprotected[label].(map[any]any)
		tokens, _ := stamps["tstTokens"].([]any)
		if len(tokens) == 0 {
			continue
		}
		token, _ := tokens[0].(map[any]any)
		der, _ := token["val"].([]byte)
		if at := tokenTime(der); !at.IsZero() {
			return at
		}
	}
	return time.Time{}
}

// tokenTime finds the time in a token, or in a time-stamping service's response with a token.
func tokenTime(der []byte) time.Time {
	type contentInfo struct {
		Type    asn1.ObjectIdentifier
		Content asn1.RawValue `asn1:"explicit,tag:0"`
	}
	var answer struct{ Status, Token asn1.RawValue }
	if _, err := asn1.Unmarshal(der, &answer); err == nil && answer.Status.Tag == asn1.TagSequence && len(answer.Token.FullBytes) > 0 {
		der = answer.Token.FullBytes
	}
	var token contentInfo
	if _, err := asn1.Unmarshal(der, &token); err != nil {
		return time.Time{}
	}
	var signed struct {
		Version    int
		Algorithms asn1.RawValue
		Content    contentInfo
	}
	if _, err := asn1.Unmarshal(token.Content.Bytes, &signed); err != nil {
		return time.Time{}
	}
	var octets []byte
	if _, err := asn1.Unmarshal(signed.Content.Content.Bytes, &octets); err != nil {
		return time.Time{}
	}
	var info struct {
		Version int
		Policy  asn1.ObjectIdentifier
		Imprint asn1.RawValue
		Serial  asn1.RawValue
		Time    time.Time `asn1:"generalized"`
	}
	if _, err := asn1.Unmarshal(octets, &info); err != nil {
		return time.Time{}
	}
	return info.Time.UTC()
}
