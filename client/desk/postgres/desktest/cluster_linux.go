// Package desktest runs a PostgreSQL server for tests: a cluster of its own on loopback, with TLS, in a temporary folder. It needs none that is there.
package desktest

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"assay/client/assert"
	"assay/client/wait"
)

// Cluster is a running server. It lives as long as the tests of a package: Run starts it, and ends it with them.
type Cluster struct {
	Port      int
	Authority string // path of the certificate that the server's is checked against
	folder    string
	databases atomic.Int64
}

// The server's owner, and what everybody's password is.
const (
	Superuser = "postgres_admin"
	Password  = "a password of the tests"
)

// hba has members use TLS; Unix sockets are in the cluster's own folder.
const hba = "local all all scram-sha-256\nhostssl all all 127.0.0.1/32 scram-sha-256\n"

// Run runs a package's tests beside a server, which it hands to use first. It is for TestMain, which exits with its result.
func Run(m *testing.M, use func(*Cluster)) int {
	c, stop, err := start()
	if err != nil {
		fmt.Fprintln(os.Stderr, "PostgreSQL does not start; make install-desk installs it:", err) //nolint:forbidigo // this is a test's own
		return 1
	}
	defer stop()
	use(c)
	return m.Run()
}

// Start runs a server until a test ends: for packages of which few tests need one.
func Start(t testing.TB) *Cluster {
	t.Helper()
	c, stop, err := start()
	if err != nil {
		t.Fatal("PostgreSQL does not start; make install-desk installs it: ", err)
	}
	t.Cleanup(stop)
	return c
}

func start() (*Cluster, func(), error) {
	bin, err := programs()
	if err != nil {
		return nil, nil, err
	}
	folder, err := os.MkdirTemp("", "desk") //nolint:usetesting // it outlives each test
	if err != nil {
		return nil, nil, err
	}
	remove := func() { os.RemoveAll(folder) } //nolint:errcheck,gosec // it is temporary
	c := &Cluster{folder: folder, Authority: filepath.Join(folder, "ca.pem")}
	as, err := c.owner()
	if err != nil {
		remove()
		return nil, nil, err
	}
	data := filepath.Join(folder, "data")
	run := func(name string, args ...string) *exec.Cmd {
		cmd := exec.Command(filepath.Join(bin, name), args...) //nolint:forbidigo,gosec,noctx // the tests' own server
		cmd.Dir = folder
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: as, Pdeathsig: syscall.SIGKILL}
		return cmd
	}
	secret := filepath.Join(folder, "password")
	err = errors.Join(os.WriteFile(secret, []byte(Password), 0o600), c.certificates(), c.give(as))
	if err == nil {
		var said []byte
		if said, err = run("initdb", "-D", data, "-A", "scram-sha-256", "-U", Superuser, "--pwfile="+secret, "--locale=C.UTF-8", "--no-sync").CombinedOutput(); err != nil {
			err = fmt.Errorf("%w: %s", err, said)
		}
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(data, "pg_hba.conf"), []byte(hba), 0o600)
	}
	if err == nil {
		c.Port, err = freePort()
	}
	if err != nil {
		remove()
		return nil, nil, err
	}
	server := run("postgres", "-D", data, "-p", strconv.Itoa(c.Port), "-h", "127.0.0.1", "-k", folder, "-c", "fsync=off", "-c", "ssl=on",
		"-c", "ssl_cert_file="+filepath.Join(folder, "server.pem"), "-c", "ssl_key_file="+filepath.Join(folder, "server.key"), "-c", "max_connections=500")
	log, err := os.Create(filepath.Join(folder, "log"))
	if err == nil {
		server.Stdout, server.Stderr = log, log
		err = server.Start()
	}
	if err != nil {
		remove()
		return nil, nil, err
	}
	stop := func() {
		server.Process.Signal(syscall.SIGQUIT) //nolint:errcheck,gosec // immediately: its files are removed
		server.Wait()                          //nolint:errcheck,gosec // likewise
		log.Close()                            //nolint:errcheck,gosec // likewise
		remove()
	}
	if err := c.untilUp(); err != nil {
		stop()
		return nil, nil, err
	}
	return c, stop, nil
}

// programs is the folder of the newest PostgreSQL's programs: Debian has them off the PATH.
func programs() (string, error) {
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if len(found) > 0 {
		return filepath.Dir(slices.Max(found)), nil
	}
	path, missing := exec.LookPath("initdb") //nolint:forbidigo // likewise
	return filepath.Dir(path), errors.Join(err, missing)
}

// owner is whom the server runs as, which is never root; nil for whoever runs the tests.
func (c *Cluster) owner() (*syscall.Credential, error) {
	if os.Getuid() != 0 {
		return nil, nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return nil, err
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, err
}

// give has the folder and what is in it belong to the server's owner.
func (c *Cluster) give(to *syscall.Credential) error {
	if to == nil {
		return nil
	}
	return filepath.WalkDir(c.folder, func(path string, _ os.DirEntry, err error) error {
		return errors.Join(err, os.Chown(path, int(to.Uid), int(to.Gid))) //nolint:gosec // nobody else writes there
	})
}

// certificates makes an authority, and the server's certificate for localhost and 127.0.0.1.
func (c *Cluster) certificates() error {
	authorityKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	serverKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	authority := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Assay's tests"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	server := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "localhost"}, NotBefore: authority.NotBefore, NotAfter: authority.NotAfter,
		DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	own, err := x509.CreateCertificate(rand.Reader, authority, authority, authorityKey.Public(), authorityKey)
	if err != nil {
		return err
	}
	issued, err := x509.CreateCertificate(rand.Reader, server, authority, serverKey.Public(), authorityKey)
	if err != nil {
		return err
	}
	key, err := x509.MarshalPKCS8PrivateKey(serverKey)
	if err != nil {
		return err
	}
	write := func(name, kind string, data []byte, mode os.FileMode) error {
		return os.WriteFile(filepath.Join(c.folder, name), pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: data}), mode)
	}
	return errors.Join(write("ca.pem", "CERTIFICATE", own, 0o644), write("server.pem", "CERTIFICATE", issued, 0o644), write("server.key", "PRIVATE KEY", key, 0o600))
}

func freePort() (int, error) {
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close() //nolint:errcheck // nothing was accepted
	return l.Addr().(*net.TCPAddr).Port, nil
}

// untilUp waits until the server answers.
func (c *Cluster) untilUp() (err error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for {
		var conn *pgx.Conn
		if conn, err = c.connect(ctx, Superuser, "postgres"); err == nil {
			return conn.Close(ctx)
		}
		if wait.For(ctx, 20*time.Millisecond) != nil {
			return err
		}
	}
}

func (c *Cluster) connect(ctx context.Context, login, database string) (*pgx.Conn, error) {
	config, err := pgx.ParseConfig(c.url(login, database))
	if err != nil {
		return nil, err
	}
	config.Password = Password
	return pgx.ConnectConfig(ctx, config)
}

func (c *Cluster) url(login, database string) string {
	return fmt.Sprintf("postgres://%s@localhost:%d/%s?sslmode=verify-full&sslrootcert=%s", login, c.Port, database, url.QueryEscape(c.Authority))
}

// Database is a database with an owner who may create roles, as IT would set one up.
type Database struct {
	*Cluster
	t     testing.TB
	Name  string
	Owner string // login
}

// NewDatabase makes an empty one.
func (c *Cluster) NewDatabase(t testing.TB) *Database {
	t.Helper()
	n := c.databases.Add(1)
	d := &Database{Cluster: c, t: t, Name: fmt.Sprintf("desk%d", n), Owner: fmt.Sprintf("owner%d", n)}
	admin := c.Connect(t, Superuser, "postgres")
	for _, statement := range []string{"CREATE ROLE " + d.Owner + " LOGIN CREATEROLE PASSWORD '" + Password + "'", "CREATE DATABASE " + d.Name + " OWNER " + d.Owner} {
		_, err := admin.Exec(t.Context(), statement)
		assert.NoError(t, err)
	}
	return d
}

// URL is the address for a login.
func (d *Database) URL(login string) string { return d.url(login, d.Name) }

// Login is a connection of a login.
func (d *Database) Login(login string) *pgx.Conn {
	d.t.Helper()
	return d.Connect(d.t, login, d.Name)
}

// Connect is a connection of a login to a database, which ends with the test.
func (c *Cluster) Connect(t testing.TB, login, database string) *pgx.Conn {
	t.Helper()
	conn, err := c.connect(t.Context(), login, database)
	assert.NoError(t, err)
	t.Cleanup(func() { conn.Close(context.Background()) }) //nolint:errcheck,gosec,usetesting // the test is over
	return conn
}
