package facts_test

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/binary"
	"math/big"
	"strings"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/media/mediatest"

	"github.com/fxamacker/cbor/v2"
	"github.com/veraison/go-cose"
)

// signer makes content credentials with a certificate of its own making.
type signer struct {
	algorithm   cose.Algorithm
	key         crypto.Signer
	certificate []byte

	// What a test may want otherwise.
	kind       string                       // of the manifest's box, "c2ma"
	hashName   string                       // "sha256"
	listed     []assertion                  // further assertions that are signed
	unlisted   []assertion                  // and such that are not
	noBinding  bool                         // leave the binding out
	widen      int64                        // exclude so many bytes more
	payload    []byte                       // attach this to the signature
	claimed    func(claim map[string]any)   // change the claim before it is signed
	exclusions []map[string]any             // of the clip's hash, beside the usual ones
	protected  func(cose.ProtectedHeader)   // change the signature's header
	message    func(m *cose.Sign1Message)   // change the signed message
	store      func(manifest string) string // put the manifest into a store otherwise
}

type assertion struct {
	label string
	value any
}

func newSigner(t testing.TB, algorithm cose.Algorithm) *signer {
	t.Helper()
	var key crypto.Signer
	var err error
	switch algorithm {
	case cose.AlgorithmES256:
		key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	case cose.AlgorithmES384:
		key, err = ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	case cose.AlgorithmES512:
		key, err = ecdsa.GenerateKey(elliptic.P521(), rand.Reader)
	case cose.AlgorithmEdDSA:
		_, key, err = ed25519.GenerateKey(rand.Reader)
	default:
		key, err = rsa.GenerateKey(rand.Reader, 2048)
	}
	assert.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "A. Photographer\u202egro", Organization: []string{"The Desk"}},
		NotBefore: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), NotAfter: time.Date(2126, 1, 1, 0, 0, 0, 0, time.UTC),
	}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	assert.NoError(t, err)
	return &signer{algorithm: algorithm, key: key, certificate: certificate, kind: "c2ma", hashName: "sha256"}
}

func encoded(t testing.TB, v any) string {
	t.Helper()
	mode, err := cbor.CoreDetEncOptions().EncMode()
	assert.NoError(t, err)
	b, err := mode.Marshal(v)
	assert.NoError(t, err)
	return string(b)
}

// superboxContent is what hashes of a superbox are computed over.
func superboxContent(kind, label, content string) string {
	return isoBox("jumd", kind+"\x00\x11\x00\x10\x80\x00\x00\xaa\x00\x38\x9b\x71\x03"+label+"\x00") + content
}

func superbox(kind, label, content string) string {
	return isoBox("jumb", superboxContent(kind, label, content))
}

// manifestStore signs a store whose manifest holds a binding.
func (s *signer) manifestStore(t testing.TB, binding assertion) string {
	t.Helper()
	assertions := append([]assertion{
		{"c2pa.actions.v2", map[string]any{"actions": []any{map[string]any{
			"action": "c2pa.created", "digitalSourceType": "http://cv.iptc.org/newscodes/digitalsourcetype/digitalCapture", "softwareAgent": map[string]any{"name": "Camera/2"},
		}}}},
		{"c2pa.ingredient.v3", map[string]any{"relationship": "componentOf"}},
	}, s.listed...)
	if !s.noBinding {
		assertions = append(assertions, binding)
	}
	var boxes strings.Builder
	var references []any
	for _, a := range assertions {
		content := superboxContent("cbor", a.label, isoBox("cbor", encoded(t, a.value)))
		sum := sha256.Sum256([]byte(content))
		references = append(references, map[string]any{"url": "self#jumbf=c2pa.assertions/" + a.label, "hash": sum[:]})
		boxes.WriteString(isoBox("jumb", content))
	}
	for _, a := range s.unlisted {
		boxes.WriteString(superbox("cbor", a.label, isoBox("cbor", encoded(t, a.value))))
	}
	claim := map[string]any{
		"claim_generator_info": map[string]any{"name": "Assay's test", "version": "1"}, "dc:title": "Harbour", "instanceID": "xmp:iid:1",
		"signature": "self#jumbf=/c2pa/urn:c2pa:1/c2pa.signature", "alg": s.hashName, "created_assertions": references,
	}
	if s.claimed != nil {
		s.claimed(claim)
	}
	claimBytes := encoded(t, claim)
	manifest := superbox(s.kind, "urn:c2pa:1", superbox("c2as", "c2pa.assertions", boxes.String())+
		superbox("c2cl", "c2pa.claim.v2", isoBox("cbor", claimBytes))+
		superbox("c2cs", "c2pa.signature", isoBox("cbor", s.sign(t, claimBytes))))
	if s.store != nil {
		return s.store(manifest)
	}
	return superbox("c2pa", "c2pa", manifest)
}

func (s *signer) sign(t testing.TB, claim string) string {
	t.Helper()
	signing, err := cose.NewSigner(s.algorithm, s.key)
	assert.NoError(t, err)
	m := cose.NewSign1Message()
	m.Headers.Protected.SetAlgorithm(s.algorithm)
	m.Headers.Protected[cose.HeaderLabelX5Chain] = s.certificate
	if s.protected != nil {
		s.protected(m.Headers.Protected)
	}
	m.Payload = []byte(claim)
	if s.payload != nil {
		m.Payload = s.payload
	}
	assert.NoError(t, m.Sign(rand.Reader, nil, signing))
	if s.payload == nil {
		m.Payload = nil
	}
	if s.message != nil {
		s.message(m)
	}
	b, err := m.MarshalCBOR()
	assert.NoError(t, err)
	return string(b)
}

// signData puts a store into a file at an offset by way of wrap, and binds it to the rest of the file.
func (s *signer) signData(t testing.TB, plain []byte, at int, wrap func(store string) string) []byte {
	t.Helper()
	sum := sha256.Sum256(append(bytes.Clone(plain[:at]), plain[min(len(plain), at+int(s.widen)):]...))
	length, wrapped := int64(0), ""
	for range 5 { // the length is part of what it is the length of
		wrapped = wrap(s.manifestStore(t, assertion{"c2pa.hash.data", map[string]any{
			"exclusions": []any{map[string]any{"start": at, "length": length + s.widen}}, "alg": s.hashName, "hash": sum[:], "pad": []byte{},
		}}))
		if int64(len(wrapped)) == length {
			break
		}
		length = int64(len(wrapped))
	}
	return append(append(bytes.Clone(plain[:at]), wrapped...), plain[at:]...)
}

func (s *signer) jpeg(t testing.TB) []byte {
	return s.signData(t, plainJPEG(t), 2, func(store string) string { return mediatest.APP11(store, 600) })
}

func (s *signer) png(t testing.TB) []byte {
	return s.signData(t, plainPNG(t), mediatest.BehindIHDR, func(store string) string { return pngChunk("caBX", store) })
}

func (s *signer) gif(t testing.TB) []byte {
	plain := plainGIF(t)
	at := 13 + 3<<(plain[10]&7+1)
	return s.signData(t, plain, at, func(store string) string {
		return "!\xff\x0bC2PA_GIF\x01\x00\x00" + mediatest.GIFBlocks(store)
	})
}

// wav signs a recording; the length in its header, which is signed too, is that of the signed file.
func (s *signer) wav(t testing.TB) []byte {
	t.Helper()
	plain := []byte("RIFF\x00\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x40\x1f\x00\x00\x01\x00\x08\x00data\x40\x1f\x00\x00" + strings.Repeat("\x80", 8000))
	wrap := func(store string) string { return chunkOf("C2PA", store) }
	length := len(s.signData(t, plain, len(plain), wrap))
	binary.LittleEndian.PutUint32(plain[4:], uint32(length-8))
	return s.signData(t, plain, len(plain), wrap)
}

// mp3 signs a recording with an ID3 tag.
func (s *signer) mp3(t testing.TB) []byte {
	t.Helper()
	const header = 10
	plain := []byte("ID3\x03\x00\x00\x00\x00\x00\x00\xff\xfb\x90\x00" + zeros(413))
	wrap := func(store string) string {
		content := "\x00application/c2pa\x00c2pa\x00c2pa manifest store\x00" + store
		return "GEOB" + be32(len(content)) + "\x00\x00" + content
	}
	n := len(s.signData(t, plain, header, wrap)) - len(plain)
	copy(plain[6:], []byte{0, byte(n >> 14 & 0x7f), byte(n >> 7 & 0x7f), byte(n & 0x7f)})
	return s.signData(t, plain, header, wrap)
}

// clip signs a small clip: its boxes hold no pictures.
func (s *signer) clip(t testing.TB) []byte {
	t.Helper()
	const head = "\xd8\xfe\xc3\xd6\x1b\x0e\x48\x3c\x92\x97\x58\x28\x87\x7e\xc4\x81"
	brand := isoBox("ftyp", "isom\x00\x00\x02\x00isomiso2")
	header := make([]byte, 100)
	binary.BigEndian.PutUint32(header[12:], 1000)
	binary.BigEndian.PutUint32(header[16:], 2500)
	rest := isoBox("moov", isoBox("mvhd", string(header))) + isoBox("mdat", strings.Repeat("picture", 100))
	wrapped := ""
	for range 5 {
		h := sha256.New()
		for at := len(brand) + len(wrapped); len(rest) > at-len(brand)-len(wrapped); {
			piece := rest[at-len(brand)-len(wrapped):]
			n := int(binary.BigEndian.Uint32([]byte(piece)))
			if !s.excludes(piece[4:8]) {
				h.Write(binary.BigEndian.AppendUint64(nil, uint64(at)))
				h.Write([]byte(piece[:n]))
			}
			at += n
		}
		exclusions := append([]map[string]any{
			{"xpath": "/uuid", "data": []any{map[string]any{"offset": 8, "value": []byte(head)}}}, {"xpath": "/ftyp"}, {"xpath": "/mfra"},
		}, s.exclusions...)
		store := s.manifestStore(t, assertion{"c2pa.hash.bmff.v3", map[string]any{"exclusions": exclusions, "alg": "sha256", "hash": h.Sum(nil)}})
		before := len(wrapped)
		wrapped = isoBox("uuid", head+"\x00\x00\x00\x00manifest\x00"+zeros(8)+store)
		if len(wrapped) == before {
			break // the hash was computed with the boxes where they are
		}
	}
	return []byte(brand + wrapped + rest)
}

func (s *signer) excludes(kind string) bool {
	for _, e := range s.exclusions {
		if e["xpath"] == "/"+kind {
			return true
		}
	}
	return false
}
