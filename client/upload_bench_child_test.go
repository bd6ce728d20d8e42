//go:build linux

package client_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"errors"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/client"
	"assay/client/benchtest"
)

// What a benchmark's own process is told through its environment. A process of its own has its own CPU time and memory.
const (
	roleEnv        = "ASSAY_BENCH_ROLE" // which of the roles below
	fileEnv        = "ASSAY_BENCH_FILE" // of manyRole several, as in a PATH
	addressEnv     = "ASSAY_BENCH_ADDRESS"
	certificateEnv = "ASSAY_BENCH_CERTIFICATE" // a PEM file; none for plain HTTP

	sinkRole  = "sink"  // takes uploads and throws them away, until its standard input ends
	idleRole  = "idle"  // connects nothing: what a process of this size costs
	assayRole = "assay" // client.Put
	manyRole  = "many"  // client.Put of several files at once
	wholeRole = "whole" // reads the file whole and sends that
)

// report is the line that a process writes when it is done.
type report struct {
	Address string // of a sink
	Seconds float64
	PeakKiB int64 // the most memory that was resident
	Failure string
}

// TestMain makes a process of a benchmark what it is to be, and any other the tests.
func TestMain(m *testing.M) {
	role := os.Getenv(roleEnv)
	if role == "" {
		m.Run()
		return
	}
	var r report
	var err error
	switch role {
	case sinkRole:
		err = sink()
	case manyRole:
		r, err = uploadMany()
	default:
		r, err = upload(role)
	}
	if err != nil {
		r.Failure = err.Error()
	}
	_ = json.NewEncoder(os.Stdout).Encode(r) // a parent that is gone needs none
}

// upload sends the file in one of the ways and measures that.
func upload(role string) (report, error) {
	ctx, name, address := context.Background(), os.Getenv(fileEnv), os.Getenv(addressEnv)
	config, err := trust(os.Getenv(certificateEnv))
	if err != nil {
		return report{}, err
	}
	c, err := client.New(client.Options{BaseURL: address, TLS: config})
	if err != nil {
		return report{}, err
	}
	defer c.Close()
	file, err := os.Open(name)
	if err != nil {
		return report{}, err
	}
	defer file.Close() //nolint:errcheck // Put closes it
	info, err := file.Stat()
	if err != nil {
		return report{}, err
	}
	start := time.Now()
	switch role {
	case assayRole:
		err = c.Put(ctx, address, file, info.Size(), func(int64) {}) // with progress, as the app has it
	case wholeRole:
		err = putWhole(ctx, address, name)
	case idleRole:
	default:
		err = errors.New("no such role: " + role)
	}
	r := report{Seconds: time.Since(start).Seconds()}
	if err != nil {
		return r, err
	}
	r.PeakKiB, err = peak()
	return r, err
}

// uploadMany sends the files at once, by one client, and measures that.
func uploadMany() (report, error) {
	address := os.Getenv(addressEnv)
	c, err := client.New(client.Options{BaseURL: address})
	if err != nil {
		return report{}, err
	}
	defer c.Close()
	start := time.Now()
	names := filepath.SplitList(os.Getenv(fileEnv))
	failed := make([]error, len(names))
	var all sync.WaitGroup
	for i, name := range names {
		all.Go(func() { failed[i] = putNamed(c, address, name) })
	}
	all.Wait()
	return report{Seconds: time.Since(start).Seconds()}, errors.Join(failed...)
}

func putNamed(c *client.Client, address, name string) error {
	file, err := os.Open(name) //nolint:gosec // the benchmark's own file
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err != nil {
		return errors.Join(err, file.Close())
	}
	return c.Put(context.Background(), address, file, info.Size(), func(int64) {}) // it closes the file
}

// putWhole is the peer that reads the whole file into memory first.
func putWhole(ctx context.Context, address, name string) error {
	content, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, address, bytes.NewReader(content)) //nolint:gosec // the benchmark's own server
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req) //nolint:gosec // the same
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// peak is this process's own high-water mark. ru_maxrss won't do: a process inherits its parent's there.
func peak() (kib int64, err error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	_, rest, found := strings.Cut(string(status), "VmHWM:")
	line, _, _ := strings.Cut(rest, "\n")
	if !found {
		return 0, errors.New("the kernel tells no VmHWM")
	}
	return strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(line), " kB"), 10, 64)
}

// sink serves on loopback, over TLS where a certificate is wanted.
func sink() error {
	listener, err := new(net.ListenConfig).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	address := "http://" + listener.Addr().String() + "/file"
	if name := os.Getenv(certificateEnv); name != "" {
		certificate, err := ownCertificate(name)
		if err != nil {
			return err
		}
		listener = tls.NewListener(listener, &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12})
		address = "https://" + strings.TrimPrefix(address, "http://")
	}
	var uploads sync.WaitGroup
	uploads.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return // the listener is closed
			}
			uploads.Go(func() { _ = take(conn) }) // the uploader notices what went wrong
		}
	})
	if err := json.NewEncoder(os.Stdout).Encode(report{Address: address}); err != nil {
		return err
	}
	_, _ = io.Copy(io.Discard, os.Stdin) // until the parent closes it, or is gone
	err = listener.Close()
	uploads.Wait()
	return err
}

// take answers one upload. It is as cheap as can be, since a real service runs on another computer.
func take(conn net.Conn) error {
	defer conn.Close() //nolint:errcheck // answered
	buffered := bufio.NewReader(conn)
	r, err := http.ReadRequest(buffered)
	if err != nil {
		return err
	}
	if r.Header.Get("Expect") != "" { // curl waits for it
		if _, err := io.WriteString(conn, "HTTP/1.1 100 Continue\r\n\r\n"); err != nil {
			return err
		}
	}
	early, err := buffered.Discard(int(min(int64(buffered.Buffered()), r.ContentLength)))
	if err != nil {
		return err
	}
	if err := discard(conn, r.ContentLength-int64(early)); err != nil {
		return err
	}
	_, err = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
	return err
}

// discard takes n bytes off a connection.
func discard(conn net.Conn, n int64) error {
	if plain, ok := conn.(*net.TCPConn); ok {
		return benchtest.Discard(plain, n)
	}
	_, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, io.LimitReader(conn, n), make([]byte, megabyte))
	return err
}

// ownCertificate makes one for loopback and writes its public half to name.
func ownCertificate(name string) (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Assay's benchmark"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return tls.Certificate{}, err
	}
	public := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, os.WriteFile(name, public, 0o600)
}

// trust is the TLS configuration that trusts the certificate in the file of that name, if any.
func trust(name string) (*tls.Config, error) {
	if name == "" {
		return nil, nil
	}
	public, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(public) {
		return nil, errors.New("the certificate can't be read")
	}
	return &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}, nil
}
