package desktest

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"sync"
	"testing"

	"assay/client/assert"
)

// Proxy is a network between members and a database, which can fail. What it passes on is encrypted: it counts bytes, and knows nothing of them.
type Proxy struct {
	Attempts int // how often somebody connected, or tried to; under Lock
	sync.Mutex
	database *Database
	listener net.Listener
	open     map[net.Conn]bool
	gone     bool
	sent     int64 // by members since the last change of faults
	cut      int64 // after so many of their bytes the connection breaks; 0: never
	silent   int64 // after so many of their bytes no answer comes; 0: never
}

// Proxy begins to listen, until the test ends.
func (d *Database) Proxy(t testing.TB) *Proxy {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	assert.NoError(t, err)
	p := &Proxy{database: d, listener: l, open: map[net.Conn]bool{}}
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			member, err := l.Accept()
			if err != nil {
				return
			}
			serving.Go(func() { p.serve(member) })
		}
	})
	t.Cleanup(func() {
		l.Close() //nolint:errcheck,gosec // the test is over
		p.Gone()
		serving.Wait()
	})
	return p
}

// URL is the address of the database for a login, by this way.
func (p *Proxy) URL(login string) string {
	return fmt.Sprintf("postgres://%s@localhost:%d/%s?sslmode=verify-full&sslrootcert=%s", login, p.listener.Addr().(*net.TCPAddr).Port, p.database.Name, url.QueryEscape(p.database.Authority))
}

// Gone breaks all connections, and lets nobody connect any more.
func (p *Proxy) Gone() {
	p.Lock()
	defer p.Unlock()
	p.gone = true
	for c := range p.open {
		c.Close() //nolint:errcheck,gosec // it breaks
	}
}

// Mend lets everything through again.
func (p *Proxy) Mend() { p.fail(0, 0) }

// CutAfter breaks a connection once members have sent so many bytes more.
func (p *Proxy) CutAfter(bytes int64) { p.fail(bytes, 0) }

// SilentAfter lets what members send through, and no answer once they have sent so many bytes more.
func (p *Proxy) SilentAfter(bytes int64) { p.fail(0, bytes) }

func (p *Proxy) fail(cut, silent int64) {
	p.Lock()
	defer p.Unlock()
	p.gone, p.sent, p.cut, p.silent = false, 0, cut, silent
}

func (p *Proxy) serve(member net.Conn) {
	server, err := (&net.Dialer{}).DialContext(context.Background(), "tcp", fmt.Sprint("127.0.0.1:", p.database.Port))
	if err != nil {
		member.Close() //nolint:errcheck,gosec // there is no server
		return
	}
	p.Lock()
	p.Attempts++
	if p.open[member], p.open[server] = true, true; p.gone {
		member.Close() //nolint:errcheck,gosec // it breaks
		server.Close() //nolint:errcheck,gosec // likewise
	}
	p.Unlock()
	var both sync.WaitGroup
	both.Go(func() { pass(member, server, p.asked) })
	both.Go(func() { pass(server, member, p.answered) })
	both.Wait()
	p.Lock()
	defer p.Unlock()
	delete(p.open, member)
	delete(p.open, server)
}

// asked says how many of n bytes of a member's are let through, and whether the connection holds.
func (p *Proxy) asked(n int) (through int, holds bool) {
	p.Lock()
	defer p.Unlock()
	p.sent += int64(n)
	if p.cut > 0 && p.sent >= p.cut {
		return n - int(min(int64(n), p.sent-p.cut)), false
	}
	return n, true
}

// answered is asked for the server's.
func (p *Proxy) answered(n int) (through int, holds bool) {
	p.Lock()
	defer p.Unlock()
	if p.silent > 0 && p.sent >= p.silent {
		return 0, true
	}
	return n, true
}

// pass copies what one sends to the other, until one of them ends.
func pass(from, to net.Conn, let func(n int) (through int, holds bool)) {
	defer from.Close() //nolint:errcheck // it is over
	defer to.Close()   //nolint:errcheck // likewise
	for room := make([]byte, 1<<14); ; {
		n, err := from.Read(room)
		if err != nil {
			return
		}
		through, holds := let(n)
		if _, err := to.Write(room[:through]); err != nil || !holds {
			return
		}
	}
}
