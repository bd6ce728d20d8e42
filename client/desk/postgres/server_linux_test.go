package postgres_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/binary"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/desk/postgres"
)

// authority issues certificates, as somebody whom a member trusts, or does not.
type authority struct {
	t    *testing.T
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	assert.NoError(t, err)
	a := &authority{t: t, key: key, cert: &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "An authority"}, NotBefore: time.Now().Add(-99 * time.Hour), NotAfter: time.Now().Add(99 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}}
	a.cert, err = x509.ParseCertificate(a.issue(a.cert, key))
	assert.NoError(t, err)
	return a
}

func (a *authority) issue(to *x509.Certificate, key *ecdsa.PrivateKey) []byte {
	a.t.Helper()
	der, err := x509.CreateCertificate(rand.Reader, to, a.cert, key.Public(), a.key)
	assert.NoError(a.t, err)
	return der
}

// server is a server's certificate for a name, until a time.
func (a *authority) server(name string, until time.Time) *tls.Config {
	a.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	assert.NoError(a.t, err)
	der := a.issue(&x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name}, NotBefore: a.cert.NotBefore, NotAfter: until,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}, key)
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}, MinVersion: tls.VersionTLS12}
}

// file is the authority's certificate as a member has it.
func (a *authority) file() string {
	a.t.Helper()
	path := filepath.Join(a.t.TempDir(), "authority.pem")
	assert.NoError(a.t, os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.cert.Raw}), 0o600))
	return path
}

// impostor is a server that has taken the desk's place: it asks for the password in a way in which it would learn it, and keeps what it is told. Without
// config it says that it knows no TLS.
type impostor struct {
	net.Listener
	config *tls.Config
	told   chan []byte
}

func newImpostor(t *testing.T, config *tls.Config) *impostor {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	assert.NoError(t, err)
	t.Cleanup(func() { l.Close() }) //nolint:errcheck,gosec // the test is over
	i := &impostor{l, config, make(chan []byte, 1)}
	go func() {
		c, err := l.Accept()
		if err != nil {
			i.told <- nil
			return
		}
		defer c.Close() //nolint:errcheck // it was read from
		i.told <- i.listen(c)
	}()
	return i
}

// listen is all that it is told once the member has asked for TLS.
func (i *impostor) listen(c net.Conn) []byte {
	if _, err := io.ReadFull(c, make([]byte, 8)); err != nil {
		return []byte("no request for TLS")
	}
	if i.config == nil {
		_, _ = c.Write([]byte("N"))
		all, _ := io.ReadAll(c)
		return all
	}
	_, _ = c.Write([]byte("S"))
	secure := tls.Server(c, i.config)
	var all bytes.Buffer
	room := make([]byte, 1<<12)
	for {
		n, err := secure.Read(room)
		if err != nil {
			return all.Bytes()
		}
		all.Write(room[:n])
		ask := binary.BigEndian.AppendUint32([]byte{'R'}, 8) // AuthenticationCleartextPassword
		_, _ = secure.Write(binary.BigEndian.AppendUint32(ask, 3))
	}
}

// address is where a member believes the desk to be.
func (i *impostor) address(t *testing.T, trusted *authority) postgres.Address {
	t.Helper()
	a, err := postgres.ParseAddress("postgres://ines@localhost:" + strconv.Itoa(i.Addr().(*net.TCPAddr).Port) + "/assay?sslrootcert=" + url.QueryEscape(trusted.file()))
	assert.NoError(t, err)
	return a
}

func TestAServerInTheDesksPlaceLearnsNothing(t *testing.T) {
	trusted, other := newAuthority(t), newAuthority(t)
	later := time.Now().Add(time.Hour)
	for name, c := range map[string]struct {
		config *tls.Config
		login  bool // it is told who wants to log in
	}{
		"of an authority that nobody trusts":                                 {config: other.server("localhost", later)},
		"of another name":                                                    {config: trusted.server("desk.example.org", later)},
		"whose certificate has ended":                                        {config: trusted.server("localhost", time.Now().Add(-time.Minute))},
		"that speaks without encryption":                                     {},
		"that has the desk's own certificate, and wants the password itself": {trusted.server("localhost", later), true},
	} {
		t.Run(name, func(t *testing.T) {
			i := newImpostor(t, c.config)
			const password = "correct horse"
			_, err := postgres.Connect(t.Context(), i.address(t, trusted), password)
			wantCause(t, err, postgres.Untrusted)
			if strings.Contains(err.Error(), password) {
				t.Errorf("the error is %v", err)
			}
			told := <-i.told
			if bytes.Contains(told, []byte(password)) || bytes.Contains(told, []byte("ines")) != c.login {
				t.Errorf("it was told %q", told)
			}
		})
	}
}
