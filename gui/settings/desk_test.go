package settings

import (
	"errors"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"assay/client/assert"
	"assay/client/config"
	"assay/client/desk/postgres"
	"assay/client/keys"
	"assay/client/store"
	"assay/gui/guitest"
	"assay/gui/kit"
)

// joinedDesk is a desk that works.
func joinedDesk() DeskNow {
	return DeskNow{
		Joined: true, Connected: true, Since: time.Now(), Address: "postgres://ines@desk.example/assay?sslmode=verify-full&sslrootcert=%2Fetc%2Fca.pem", Member: "ines",
		Members: []store.DeskMember{
			{Name: "ines", Display: "Inês Duarte", Role: "editor"}, {Name: "otto", Role: "reader", Revoked: true}, {Name: "rui", Display: "Rui", Role: "reviewer"},
		},
	}
}

func unreachable() error {
	return &postgres.Problem{Cause: postgres.Unreachable, Err: errors.New("no route")}
}

// openDesk shows the page of the desk.
func openDesk(d *fixture) *Screen {
	s := d.section(SectionDesk)
	d.Until("the desk was read", func() bool { return d.Button("Join the desk") != nil || d.Button("Leave the desk…") != nil })
	return s
}

// typeInto types into the field under a name.
func typeInto(d *fixture, name, text string) {
	d.T.Helper()
	for _, o := range guitest.InSight[interface {
		fyne.Focusable
		fyne.Accessible
		SetText(string)
	}](d.Top()) {
		if label := o.AccessibilityLabel(); len(label) >= len(name) && label[:len(name)] == name {
			o.SetText("")
			test.Type(o, text)
			return
		}
	}
	d.T.Fatalf("no field %q in sight", name)
}

func TestJoiningADesk(t *testing.T) {
	const at = "postgres://ines@desk.example/assay?sslmode=verify-full"
	filled := func(t *testing.T) *fixture {
		d := setup(t, guitest.Smallest)
		d.kept = true
		openDesk(d)
		typeInto(d, "Address", "postgres://desk.example/assay")
		typeInto(d, "Your name at the desk", "ines")
		typeInto(d, "Password", "s3cret")
		return d
	}
	t.Run("says what a desk is, and nothing of one is shown", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		openDesk(d)
		d.WantWords("a database of your newsroom's own")
		d.WantNoWords("Who is at the desk", "Connected")
		d.Want(t)
	})
	t.Run("is joined with what was filled in, and then shown", func(t *testing.T) {
		d := filled(t)
		d.Tap("Join the desk")
		d.UntilWords("Who is at the desk")
		d.Want(t, "join "+at+" s3cret")
		d.WantWords("You have joined the desk. The password is in this computer's keychain.", "postgres://desk.example/assay", "Inês Duarte (ines) · Editor", "Rui (rui) · Reviewer", "otto: no longer a member", "All is shared.")
		if d.Button("Join the desk") != nil {
			t.Error("it is offered once more")
		}
	})
	t.Run("where no keychain takes the password, that is said", func(t *testing.T) {
		d := filled(t)
		d.kept = false
		d.Tap("Join the desk")
		d.UntilWords("Assay keeps it until you quit")
	})
	t.Run("what is missing is said at once, and the keyboard goes there", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		openDesk(d)
		for _, step := range []struct{ said, field, text string }{
			{"Fill in the desk's address first.", "Address", "postgres://desk.example/assay"},
			{"Fill in the name that your IT gave you", "Your name at the desk", "ines"},
			{"Fill in the password that your IT gave you", "Password", "s3cret"},
		} {
			d.Tap("Join the desk")
			d.WantWords(step.said)
			focused, ok := d.Canvas().Focused().(fyne.Accessible)
			if !ok || len(focused.AccessibilityLabel()) < len(step.field) || focused.AccessibilityLabel()[:len(step.field)] != step.field {
				t.Errorf("the keyboard is at %T", d.Canvas().Focused())
			}
			typeInto(d, step.field, step.text)
		}
		d.Want(t)
	})
	t.Run("a whole address needs no name of its own", func(t *testing.T) {
		d := filled(t)
		typeInto(d, "Your name at the desk", "")
		typeInto(d, "Address", "postgres://ines@desk.example/assay")
		d.Tap("Join the desk")
		d.Until("it is joined", func() bool { return d.Has("join " + at + " s3cret") })
	})
	t.Run("the key for a store of files is asked for only where the address names one", func(t *testing.T) {
		d := filled(t)
		d.WantNoWords("Key for the desk's files")
		typeInto(d, "Address", "postgres://desk.example/assay?files=/mnt/desk")
		d.WantNoWords("Key for the desk's files")
		typeInto(d, "Address", "postgres://desk.example/assay?files=https://files.example.org/desk")
		d.WantWords("Key for the desk's files")
		typeInto(d, "Key for the desk's files", "access:word")
		d.Tap("Join the desk")
		d.Until("it is joined", func() bool {
			return d.Has("join postgres://ines@desk.example/assay?files=https%3A%2F%2Ffiles.example.org%2Fdesk&sslmode=verify-full s3cret access:word")
		})
		d.WantNoWords("access:word")
	})
	t.Run("an address with a password is refused, and goes nowhere", func(t *testing.T) {
		d := filled(t)
		typeInto(d, "Address", "postgres://ines:word@desk.example/assay")
		d.Tap("Join the desk")
		d.WantWords("must not contain a password")
		d.Want(t)
	})
	for cause, said := range map[error]string{
		unreachable(): "No desk answers at this address.",
		&postgres.Problem{Cause: postgres.Untrusted, Err: errors.New("x509")}:    "can't prove who it is",
		&postgres.Problem{Cause: postgres.NoCertificate, Err: errors.New("pem")}: "A certificate file for the desk can't be read.",
		&postgres.Problem{Cause: postgres.NotLetIn, Err: errors.New("28P01")}:    "does not accept your name and password",
		&postgres.Problem{Cause: postgres.NoDesk, Err: errors.New("3D000")}:      "There is no desk at this address.",
		&postgres.Problem{Cause: postgres.NoMember, Err: errors.New("none")}:     "You are not a member of this desk.",
		&keys.Problem{Cause: keys.Locked}:                                        "The keychain is locked",
	} {
		t.Run("why it failed is said: "+said, func(t *testing.T) {
			d := filled(t)
			d.Fail("join", cause)
			d.Tap("Join the desk")
			d.UntilWords(said)
			if f := guitest.InSight[*kit.Field](d.Top())[0]; f.Text != "postgres://desk.example/assay" || f.Disabled() {
				t.Errorf("%q, disabled %t", f.Text, f.Disabled())
			}
			d.Fail("join", nil)
			d.Tap("Join the desk")
			d.UntilWords("You have joined the desk.")
		})
	}
	t.Run("an attempt can be stopped", func(t *testing.T) {
		d := filled(t)
		d.Hold, d.Begun, d.Ended = make(chan struct{}), make(chan struct{}, 1), make(chan struct{}, 1)
		d.Tap("Join the desk")
		<-d.Begun
		d.WantWords("Connecting to the desk…")
		d.Tap("Stop")
		<-d.Ended
		d.WantNoWords("Connecting to the desk…")
		if d.Button("Join the desk").Disabled() {
			t.Error("it can't be tried again")
		}
	})
	t.Run("a file of IT's fills in all but the password", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		d.handed = postgres.Parts{Server: "postgres://desk.example/assay", Login: "ines", Authority: "/it/ca.pem"}
		openDesk(d)
		d.Tap("Fill in from a file…")
		d.dialog("/it/newsroom.txt")
		d.UntilWords("/it/ca.pem")
		typeInto(d, "Password", "s3cret")
		d.Tap("Join the desk")
		d.Until("it is joined", func() bool { return d.Has("join " + at + "&sslrootcert=%2Fit%2Fca.pem s3cret") })
	})
	t.Run("a file that is something else is refused", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		d.Fail("read", postgres.ErrAddress)
		openDesk(d)
		d.Tap("Fill in from a file…")
		d.dialog("/it/picture.png")
		d.UntilWords("This is not the address of a desk.")
	})
	t.Run("certificates are chosen", func(t *testing.T) {
		d := filled(t)
		d.Tap("Certificates…")
		d.Tap("Choose a file…")
		d.dialog("/it/ca.pem")
		d.Tap("Join the desk")
		d.Until("it is joined", func() bool { return d.Has("join " + at + "&sslrootcert=%2Fit%2Fca.pem s3cret") })
	})
	t.Run("the address that IT has set is filled in, and stays", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		d.settings.Desk.Address, d.origins[SettingDesk] = "postgres://desk.example/assay?sslrootcert=/it/ca.pem", config.Locked
		s := openDesk(d)
		d.WantWords("Set by your organisation's IT.", "/it/ca.pem")
		if f := guitest.InSight[*kit.Field](d.Top())[0]; f.Text != "postgres://desk.example/assay" || !f.Disabled() {
			t.Errorf("%q, disabled %t", f.Text, f.Disabled())
		}
		typeInto(d, "Your name at the desk", "ines")
		s.Refresh() // as after each change of settings
		typeInto(d, "Password", "s3cret")
		d.Tap("Join the desk")
		d.Until("it is joined", func() bool { return d.Has("join " + at + "&sslrootcert=%2Fit%2Fca.pem s3cret") })
	})
}

func TestADeskThatWasJoined(t *testing.T) {
	open := func(t *testing.T, change func(*DeskNow)) (*fixture, *Screen) {
		d := setup(t, guitest.Smallest)
		d.desk = joinedDesk()
		if change != nil {
			change(&d.desk)
		}
		return d, openDesk(d)
	}
	for name, c := range map[string]struct {
		change func(*DeskNow)
		said   []string
	}{
		"connected": {nil, []string{"Connected", "All is shared."}},
		"not reachable": {func(n *DeskNow) {
			n.Connected, n.Problem, n.Since, n.Next, n.Counts.Pending = false, unreachable(), time.Date(2026, 11, 23, 14, 5, 0, 0, time.Local), time.Date(2026, 11, 23, 14, 9, 0, 0, time.Local), 3
		}, []string{"Not connected since 23 Nov", "14:05", "The desk can't be reached.", "Next try: 14:09.", "3 entries are not shared yet."}},
		"revoked": {func(n *DeskNow) {
			n.Connected, n.Problem = false, &postgres.Problem{Cause: postgres.RevokedMember, Err: errors.New("since")}
		}, []string{"You are no longer a member of this desk. What is on this computer stays."}},
		"a newer one":             {func(n *DeskNow) { n.Newer = true }, []string{"A newer Assay has changed the desk."}},
		"held back":               {func(n *DeskNow) { n.HeldBack = 3 * time.Minute }, []string{"kept new entries back for 3 min"}},
		"what the desk refused":   {func(n *DeskNow) { n.Counts.Refused = 1 }, []string{"The desk did not accept 1 entry."}},
		"what somebody altered":   {func(n *DeskNow) { n.Counts.Altered = 2 }, []string{"2 entries at the desk are not what their authors wrote."}},
		"while it is being tried": {func(n *DeskNow) { n.Connected, n.Trying, n.Problem = false, true, unreachable() }, []string{"Trying now…"}},
	} {
		t.Run("says how it is: "+name, func(t *testing.T) {
			d, _ := open(t, c.change)
			d.WantWords(c.said...)
		})
	}
	t.Run("without a connection nothing says that all is shared", func(t *testing.T) {
		d, _ := open(t, func(n *DeskNow) { n.Connected, n.Problem = false, unreachable() })
		d.WantNoWords("All is shared.")
	})
	t.Run("is reached for at once", func(t *testing.T) {
		d, _ := open(t, func(n *DeskNow) { n.Connected, n.Problem = false, unreachable() })
		d.Tap("Try now")
		d.Until("it was tried", func() bool { return d.Has("try") })
	})
	t.Run("shows what has changed", func(t *testing.T) {
		d, s := open(t, nil)
		d.Lock()
		d.desk.Counts.Pending = 4
		d.Unlock()
		s.DeskChanged()
		d.UntilWords("4 entries are not shared yet.")
	})
	t.Run("what a member calls themselves can be no line of its own", func(t *testing.T) {
		d, _ := open(t, func(n *DeskNow) { n.Members[2].Display = "Rui\nInês · Admin\u202e" })
		for _, p := range guitest.InSight[*kit.Paragraph](d.Top()) {
			if p.Text() == "Inês · Admin" {
				t.Error("it is one")
			}
		}
	})
	t.Run("another password is asked for, not another desk", func(t *testing.T) {
		d, _ := open(t, nil)
		d.Tap("Password and certificates…")
		if f := guitest.InSight[*kit.Field](d.Top())[0]; f.Text != "postgres://desk.example/assay" || !f.Disabled() {
			t.Errorf("%q, disabled %t", f.Text, f.Disabled())
		}
		typeInto(d, "Password", "n3w")
		d.Tap("Save")
		d.UntilWords("You have joined the desk.")
		d.Want(t, "join postgres://ines@desk.example/assay?sslmode=verify-full&sslrootcert=%2Fetc%2Fca.pem n3w")
	})
	t.Run("is left once the person has agreed", func(t *testing.T) {
		d, _ := open(t, func(n *DeskNow) { n.Counts.Pending = 2 })
		d.Tap("Leave the desk…")
		d.WantWords("What you shared stays at the desk.", "2 entries are not shared yet, and won't be.")
		d.Tap("Cancel")
		d.Want(t)
		d.Tap("Leave the desk…")
		d.Tap("Leave the desk")
		d.UntilWords("You have left the desk.")
		d.Until("one can be joined", func() bool { return d.Button("Join the desk") != nil })
		d.Want(t, "leave")
	})
	t.Run("says why it can't be left", func(t *testing.T) {
		d, _ := open(t, nil)
		d.Fail("leave", guitest.Sentence("The disk is full."))
		d.Tap("Leave the desk…")
		d.Tap("Leave the desk")
		d.UntilWords("The disk is full.")
		assert.Equal(t, true, d.Button("Leave the desk…") != nil)
	})
}
