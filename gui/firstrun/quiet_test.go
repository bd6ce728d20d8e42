package firstrun

import (
	"context"
	"net"
	"testing"
	"time"

	"fyne.io/fyne/v2/test"

	"assay/client"
	"assay/gui/guitest"
)

// TestTheFirstRunSendsNothing has somebody listen at the address that is typed, who hears of it once the person says so.
func TestTheFirstRunSendsNothing(t *testing.T) {
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	calls := make(chan struct{}, 100)
	over := make(chan struct{})
	go func() {
		defer close(over)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			calls <- struct{}{}
			_ = conn.Close()
		}
	}()
	t.Cleanup(func() {
		_ = listener.Close()
		<-over
	})
	d := setup(t, guitest.Smallest)
	f := d.start(func(p *Params) {
		p.Check = func(ctx context.Context, draft ServiceDraft) error {
			return client.Check(ctx, client.Options{BaseURL: draft.Service(), Key: func() string { return draft.Key }})
		}
	})
	test.Type(f.form.Address, "http://"+listener.Addr().String())
	test.Type(f.form.Key, "k-123")
	f.form.network.fold.OnTapped()
	test.Type(f.form.network.proxy, listener.Addr().String())
	for range 20 {
		d.Canvas().(interface{ FocusNext() }).FocusNext()
	}
	f.form.network.proxy.SetText("")
	again := d.start(func(p *Params) { p.Actions, p.Draft = f.Actions, f.Draft() }) // as for another language
	f.Close()
	if len(calls) > 0 {
		t.Fatalf("%d calls before the person said so", len(calls))
	}
	d.Tap("Test the connection")
	select {
	case <-calls:
	case <-time.After(20 * time.Second):
		t.Fatal("nobody called after the person said so")
	}
	d.Until("the test has ended", func() bool { return again.Setup().Stage == SetupRefused })
}
