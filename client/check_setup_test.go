package client_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/binary"
	"errors"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"assay/client"
)

// names is a network whose resolver answers with this code, or not at all; 0: with nothing.
func names(code byte) func(*client.Options) {
	return func(o *client.Options) {
		o.OnlineIf(true)
		o.DialWith((&net.Dialer{Resolver: &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
			if code == 0 {
				return nil, errors.New("nobody to ask")
			}
			ours, theirs := net.Pipe()
			go func() {
				defer theirs.Close() //nolint:errcheck // the test's own
				length := make([]byte, 2)
				for {
					if _, err := io.ReadFull(theirs, length); err != nil {
						return
					}
					query := make([]byte, binary.BigEndian.Uint16(length))
					if _, err := io.ReadFull(theirs, query); err != nil {
						return
					}
					query[2] |= 0x80 // a response
					query[3] = 0x80 | code
					binary.BigEndian.PutUint16(query[10:], 0) // no additional records, which end it
					end := 12
					for query[end] != 0 {
						end += int(query[end]) + 1
					}
					query = query[:end+5]
					if _, err := theirs.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(query))), query...)); err != nil {
						return
					}
				}
			}()
			return ours, nil
		}}}).DialContext)
	}
}

const notFound = 3 // NXDOMAIN

// dials is a network on which every connection fails so.
func dials(err error) func(*client.Options) {
	return func(o *client.Options) {
		o.DialWith(func(_ context.Context, network, _ string) (net.Conn, error) {
			return nil, &net.OpError{Op: "dial", Net: network, Err: os.NewSyscallError("connect", err)}
		})
	}
}

func elsewhere(*testing.T) string { return "https://api.example" }

// closedPort is an address that nobody listens at.
func closedPort(t *testing.T) string {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close() //nolint:errcheck // now nothing listens there
	return listener.Addr().String()
}

// through is a proxy that gives every CONNECT this answer.
func through(answer string, login ...string) func(*testing.T) func(*client.Options) {
	return func(t *testing.T) func(*client.Options) {
		p := byBytes(func(*http.Request) string { return answer })(t)
		if len(login) > 0 {
			p = strings.Replace(p, "http://", "http://"+login[0]+"@", 1)
		}
		return func(o *client.Options) { o.ProxyURL = p }
	}
}

// socks is a proxy of that kind whose answer to every greeting is this, and then it hangs up.
func socks(answers string) func(*testing.T) func(*client.Options) {
	return func(t *testing.T) func(*client.Options) {
		listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		t.Cleanup(func() { _ = listener.Close(); <-done })
		go func() {
			defer close(done)
			for {
				conn, err := listener.Accept()
				if err != nil {
					return
				}
				greeting := make([]byte, 3)
				_, _ = io.ReadFull(conn, greeting)
				_, _ = io.WriteString(conn, answers)
				_, _ = io.Copy(io.Discard, conn) // until it has had enough
				_ = conn.Close()
			}
		}()
		return func(o *client.Options) { o.ProxyURL = "socks5://" + listener.Addr().String() }
	}
}

// certified is a service with a certificate of its own making.
func certified(issuer, name string, until time.Time) func(*testing.T) string {
	return func(t *testing.T) string {
		t.Helper()
		private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		template := &x509.Certificate{SerialNumber: big.NewInt(1), Issuer: pkix.Name{CommonName: issuer}, Subject: pkix.Name{CommonName: issuer},
			NotBefore: time.Now().Add(-48 * time.Hour), NotAfter: until, DNSNames: []string{name}, IPAddresses: []net.IP{net.ParseIP("127.0.0.2")}}
		if name == "" {
			template.IPAddresses = []net.IP{net.ParseIP("127.0.0.1")}
		}
		raw, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
		if err != nil {
			t.Fatal(err)
		}
		s := newService(t, genuine)
		s.Config.ErrorLog = quiet
		s.TLS = &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{{Certificate: [][]byte{raw}, PrivateKey: private}}}
		s.StartTLS()
		return s.URL
	}
}

// trusting trusts the certificate of that very service, as far as its name and its dates go.
func trusting(address string) func(*client.Options) {
	return func(o *client.Options) {
		conn, err := (&tls.Dialer{Config: &tls.Config{InsecureSkipVerify: true}}).DialContext(context.Background(), "tcp", strings.TrimPrefix(address, "https://")) //nolint:gosec // the test's own
		if err != nil {
			panic(err)
		}
		defer conn.Close() //nolint:errcheck // the test's own
		roots := x509.NewCertPool()
		roots.AddCert(conn.(*tls.Conn).ConnectionState().PeerCertificates[0])
		o.TLS = &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: roots}
	}
}
