package gui

import (
	"context"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"assay/client/assert"
	"assay/client/desk/postgres"
	"assay/client/desk/postgres/desktest"
	"assay/client/keys"
	"assay/client/session"
	"assay/client/store"
	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/gui/screens"
	"assay/gui/settings"
)

// heldKeychain is a keychain in memory.
type heldKeychain struct {
	mu   sync.Mutex
	held map[string]string
}

func (k *heldKeychain) Set(_, account, secret string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.held[account] = secret
	return nil
}

func (k *heldKeychain) Get(_, account string) (string, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if secret, ok := k.held[account]; ok {
		return secret, nil
	}
	return "", &keys.Problem{Cause: keys.Missing}
}

func (k *heldKeychain) Delete(_, account string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.held, account)
	return nil
}

// desks are how many passwords for desks it holds.
func (k *heldKeychain) desks() (n int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for account := range k.held {
		if strings.Contains(account, "desk postgres:") {
			n++
		}
	}
	return n
}

// setupSession is the whole window on a session as the program opens it, with the embedded sandbox. now is the clock of the window alone.
func setupSession(t *testing.T, ring *heldKeychain, now func() time.Time) *fixture {
	t.Helper()
	o := &session.Options{Sandbox: true, Home: t.TempDir(), LogLevel: "error", Stderr: io.Discard, Say: func(string) {}, KeyBackend: ring}
	service, err := o.Service()
	assert.NoError(t, err)
	s, err := session.Open(t.Context(), service)
	assert.NoError(t, err)
	assert.NoError(t, s.Watch(t.Context(), false))
	d := &fixture{UI: guitest.NewUI(t)}
	p := windowParams(t, s.Events, d.UI, "")
	p.Session, p.Now = s, now
	d.app = newApp(p, newWindow(p.App), nil)
	d.OnScreen = func() []string { return guitest.Read(d.window.Content()) }
	ctx, cancel := context.WithCancel(context.Background())
	var bridge sync.WaitGroup
	d.carry(ctx, &bridge)
	t.Cleanup(func() {
		cancel()
		bridge.Wait()
		d.stop()
		d.close(ctx)
		s.Close()
	})
	d.window.Resize(fyne.NewSize(1280, 800))
	return d
}

// TestADeskFromTheWindow joins a desk, loses it, gets it back, and leaves it.
func TestADeskFromTheWindow(t *testing.T) {
	database := desktest.Start(t).NewDatabase(t)
	owner, err := postgres.ParseAddress(database.URL(database.Owner))
	assert.NoError(t, err)
	const ines = "ines"
	assert.NoError(t, postgres.Init(t.Context(), owner, desktest.Password, []postgres.NewMember{
		{Name: ines, Role: postgres.Editor, Password: desktest.Password}, {Name: "rui", Role: postgres.Reviewer, Password: desktest.Password},
	}))
	ring := &heldKeychain{held: map[string]string{}}
	later := func() time.Time { return time.Now().Add(2 * deskPatience) } // whatever is not connected has not been for a while
	d := setupSession(t, ring, later)
	d.showSettings(settings.SectionDesk)
	d.reads("Join the desk")
	join := func(address, password string) {
		t.Helper()
		test.Type(guitest.InSight[*kit.Field](d.settings.Object())[0], address)
		secret := guitest.InSight[*kit.SecretField](d.settings.Object())[0]
		secret.Clear()
		test.Type(secret, password)
		d.press("Join the desk")
	}
	join(database.URL(ines), "wrong")
	d.reads("Name or password refused")
	join("", desktest.Password)
	d.reads("You have joined the desk. The password is in this computer's keychain.")
	d.reads("Connected")
	d.reads("rui · Reviewer")
	d.reads("You: ines · Editor")
	assert.Equal(t, 1, ring.desks())

	admin := database.Login(desktest.Superuser)
	exec := func(statement string) {
		t.Helper()
		_, err := admin.Exec(t.Context(), statement)
		assert.NoError(t, err)
	}
	exec("ALTER ROLE ines NOLOGIN")
	exec("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'ines'")
	d.reads("Not connected since")
	d.reads("Desk not connected") // in the rail

	c, err := d.Store.AddCase(t.Context(), store.Case{Title: "A bridge", By: "Inês"})
	assert.NoError(t, err)
	assert.NoError(t, d.Store.ShareCase(t.Context(), c.ID, "answer"))
	d.reads("1 entry is not shared yet.")
	d.reads("1 not shared yet")
	d.rail.Select(screens.Inbox)
	guitest.Keep(t, d.window, "desk-lost")
	d.window.Resize(fyne.NewSize(640, 400)) // as at 200 %: the rail has icons alone
	guitest.Keep(t, d.window, "desk-lost-narrow")
	d.window.Resize(fyne.NewSize(1280, 800))
	d.deskLine.show.Tapped(nil)
	assert.Equal(t, screens.Settings, d.rail.Selected())

	exec("ALTER ROLE ines LOGIN")
	d.press("Try now")
	d.reads("All is shared.")
	d.Until("the rail says nothing of it", func() bool { return !guitest.Reads(d.window.Content(), "Desk not connected") })

	d.press("Leave the desk…")
	d.press("Leave the desk")
	d.reads("You have left the desk.")
	d.reads("Join the desk")
	assert.Equal(t, 0, ring.desks())
	if _, joined, err := d.Store.Desk(t.Context()); joined || err != nil {
		t.Error("it is still joined", err)
	}
}
