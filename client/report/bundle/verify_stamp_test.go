package bundle_test

import (
	"bytes"
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"math/big"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/digitorus/timestamp"

	"assay/client/assert"
	"assay/client/report/bundle"
)

// clock stamps hashes at a time, as an authority with a root of its own does.
type clock struct {
	at      time.Time
	key     *ecdsa.PrivateKey
	issued  *x509.Certificate
	issuers []*x509.Certificate
}

// newClock makes one whose certificates are valid for a century from noon on: the library signs only while they are by the real clock.
func newClock(t testing.TB, name string) *clock {
	t.Helper()
	a := &clock{at: noon.Add(time.Hour)}
	made := func(c, parent *x509.Certificate, parentKey *ecdsa.PrivateKey) (*x509.Certificate, *ecdsa.PrivateKey) {
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		assert.NoError(t, err)
		c.NotBefore, c.NotAfter, c.BasicConstraintsValid = noon, noon.AddDate(100, 0, 0), true
		if parent == nil {
			parent, parentKey = c, key
		}
		encoded, err := x509.CreateCertificate(rand.Reader, c, parent, key.Public(), parentKey)
		assert.NoError(t, err)
		c, err = x509.ParseCertificate(encoded)
		assert.NoError(t, err)
		return c, key
	}
	root, rootKey := made(&x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name + " Root"}, IsCA: true, KeyUsage: x509.KeyUsageCertSign}, nil, nil)
	usage, err := asn1.Marshal([]asn1.ObjectIdentifier{{1, 3, 6, 1, 5, 5, 7, 3, 8}})
	assert.NoError(t, err)
	a.issued, a.key = made(&x509.Certificate{SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: name}, KeyUsage: x509.KeyUsageDigitalSignature,
		ExtraExtensions: []pkix.Extension{{Id: asn1.ObjectIdentifier{2, 5, 29, 37}, Critical: true, Value: usage}}}, root, rootKey)
	a.issuers = []*x509.Certificate{root}
	return a
}

// ask is its answer to a query.
func (a *clock) ask(_ context.Context, _ string, query []byte) ([]byte, error) {
	q, err := timestamp.ParseRequest(query)
	if err != nil {
		return nil, err
	}
	ts := timestamp.Timestamp{HashAlgorithm: q.HashAlgorithm, HashedMessage: q.HashedMessage, Time: a.at, Nonce: q.Nonce, Policy: asn1.ObjectIdentifier{1, 2, 3},
		AddTSACertificate: true, Certificates: a.issuers}
	return ts.CreateResponseWithOpts(a.issued, a.key, crypto.SHA256)
}

// stamped is the content of a bundle with time stamps of one authority, or two.
func stamped(t testing.TB, number int) bag {
	t.Helper()
	f := setup(t)
	f.add("one", "a.png", picture(1), nil)
	all := []*clock{newClock(t, "Clock & Sons"), newClock(t, "Another Clock")}[:number]
	f.o.Authorities = []string{"https://one.example/tsa", "https://two.example/tsa"}[:number]
	f.o.Ask = func(ctx context.Context, url string, query []byte) ([]byte, error) {
		return all[slices.Index(f.o.Authorities, url)].ask(ctx, url, query)
	}
	path, written := f.write("case")
	if len(written.Stamps) != number {
		t.Fatalf("%+v", written)
	}
	b := bag{}
	for name, content := range contents(t, path) {
		b[name] = []byte(content)
	}
	return b
}

func TestStamps(t *testing.T) {
	const reply, chain, times = "seal/tagmanifest-sha256.txt.tsr", "seal/tsa-chain.pem", "seal/stamps.txt"
	one := stamped(t, 1)
	with := func(change func(b bag)) *bundle.Verification {
		b := bag{}
		for name, content := range one {
			b[name] = bytes.Clone(content)
		}
		change(b)
		return verify(t, b.folder(t))
	}
	t.Run("say when, by whose word, and whether this system trusts it", func(t *testing.T) {
		v := with(func(bag) {})
		if v.State != bundle.Intact || len(v.Stamps) != 1 || !v.Stamps[0].At.Equal(noon.Add(time.Hour)) || v.Stamps[0].Authority.String() != "Clock & Sons" || v.Stamps[0].Trusted {
			t.Errorf("%+v, %v", v, changes(v))
		}
	})
	t.Run("can be two", func(t *testing.T) {
		if v := verify(t, stamped(t, 2).zip(t)); v.State != bundle.Intact || len(v.Stamps) != 2 || v.Stamps[1].Authority.String() != "Another Clock" {
			t.Errorf("%+v, %v", v, changes(v))
		}
	})
	other := stamped(t, 1)
	for name, change := range map[string]func(bag){
		"of another bundle":            func(b bag) { b[reply], b[chain], b[times] = other[reply], other[chain], other[times] },
		"with another's certificates":  func(b bag) { b[chain] = other[chain] },
		"without certificates":         func(b bag) { delete(b, chain) },
		"certificates alone":           func(b bag) { delete(b, reply) },
		"cut":                          func(b bag) { b[reply] = b[reply][:len(b[reply])/2] },
		"empty":                        func(b bag) { b[reply] = nil },
		"with bytes after it":          func(b bag) { b[reply] = append(b[reply], 0) },
		"with text after certificates": func(b bag) { b[chain] = append(b[chain], "more\n"...) },
		"without how to check it":      func(b bag) { delete(b, times) },
		"with another way to check it": func(b bag) { b[times] = append(b[times], "rm -r .\n"...) },
		"a second one without the first": func(b bag) {
			b["seal/tagmanifest-sha256.txt.2.tsr"], b["seal/tsa-chain.2.pem"] = b[reply], b[chain]
			delete(b, reply)
			delete(b, chain)
		},
		"only how to check it": func(b bag) {
			delete(b, reply)
			delete(b, chain)
		},
	} {
		t.Run(name+", it does not fit", func(t *testing.T) {
			if v := with(change); v.State != bundle.Changed || v.Findings[0].Change != bundle.StampChanged {
				t.Errorf("%+v, %v", v, changes(v))
			}
		})
	}
	t.Run("no byte of them can be changed", func(t *testing.T) {
		dir := one.folder(t)
		for _, name := range []string{reply, chain, times} {
			everyFlip(t, name, one[name], filepath.Join(dir, filepath.FromSlash(name)), dir)
		}
	})
	t.Run("of a time at which the certificate was not valid, it is not taken", func(t *testing.T) {
		f, late := setup(t), newClock(t, "Late")
		late.at = noon.AddDate(101, 0, 0)
		f.add("one", "a.png", picture(1), nil)
		f.o.Authorities, f.o.Ask = []string{"https://one.example/tsa"}, late.ask
		if _, written := f.write("case"); len(written.Stamps) != 0 || len(written.StampProblems) != 1 {
			t.Errorf("%+v", written)
		}
	})
}
