package verify

import (
	"context"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2/test"

	"assay/client/plain"
	"assay/client/report/bundle"
	"assay/gui/guitest"
)

// fixture is a window over which the sheet lies. What is verified turns out as the test says.
type fixture struct {
	*Sheet
	*guitest.Frame
	guitest.Calls
	found  chan outcome
	ended  chan struct{} // closed once the work was cancelled
	closed int
}

type outcome struct {
	*bundle.Verification
	error
}

func setup(t *testing.T) *fixture {
	t.Helper()
	d := &fixture{Frame: guitest.NewFrame(t, guitest.Smallest), found: make(chan outcome, 1), ended: make(chan struct{})}
	d.Sheet = New(Params{
		Sheet: d.Frame.Sheet, Workers: d.Workers, OnUI: d.Do,
		Verify: func(ctx context.Context, path string, progress func(done, total int64)) (*bundle.Verification, error) {
			d.Did("verify " + path)
			progress(48<<20, 210<<20)
			select {
			case o := <-d.found:
				return o.Verification, o.error
			case <-ctx.Done():
				close(d.ended)
				return nil, ctx.Err()
			}
		},
		Keep: func(ctx context.Context, name, key string) error { return d.Note(ctx, "keep "+name+" "+key) },
		Copy: func(text string) { d.Did("copy " + text) }, Closed: func() { d.closed++ },
	})
	return d
}

const fingerprint = "SHA256:uNiVztksCsDhcc0u9e8BrjJXVCBt3H2Sr1aTgzhVCJo"

// sealed is an intact bundle of a signer; "" is an unknown one.
func sealed(signer string) *bundle.Verification {
	v := &bundle.Verification{State: bundle.UnknownSigner, Files: 23, Bytes: 48 << 20, Proofs: 12, Made: plain.From("2026-11-22"),
		Seal: &bundle.Seal{Key: "ssh-ed25519 AAAA", Fingerprint: fingerprint, Signer: plain.From(signer)}}
	if signer != "" {
		v.State = bundle.Intact
	}
	return v
}

// verified opens the sheet and lets it find something.
func (d *fixture) verified(path string, v *bundle.Verification, err error) {
	d.found <- outcome{v, err}
	d.Show(path)
	d.Until("it was verified", func() bool { return d.close.Visible() })
}

func TestTheSheet(t *testing.T) {
	t.Run("shows how far it is, and can be cancelled", func(t *testing.T) {
		d := setup(t)
		d.Show("/in/case.zip")
		d.UntilWords("48 of 210 MB read")
		d.WantWords("Evidence bundle", "case.zip", "Verifying…")
		d.Tap("Cancel")
		select {
		case <-d.ended:
		case <-time.After(time.Minute):
			t.Fatal("it goes on")
		}
		if d.Frame.Sheet.Open() || d.closed != 1 {
			t.Error("it is open")
		}
	})
	t.Run("says who sealed what is intact", func(t *testing.T) {
		d := setup(t)
		d.verified("/in/case.zip", sealed("the desk in Lisbon"), nil)
		d.WantWords("Intact: nothing was changed since the desk in Lisbon sealed it.", fingerprint, "12 entries", "not that what is in it is true", "23 files, 48 MB", "2026-11-22")
		d.WantNoWords("Verifying", "Cancel", "read", "Do you know whose key this is?")
		d.Tap("Copy")
		d.WantLast(t, "copy "+fingerprint)
		d.Tap("Close")
		if d.closed != 1 {
			t.Error("it is open")
		}
	})
	t.Run("says what was changed", func(t *testing.T) {
		d := setup(t)
		v := &bundle.Verification{State: bundle.Changed, More: 3, Findings: []bundle.Finding{
			{Change: bundle.FileChanged, Path: plain.From("data/media/1-received-\u202egpj.exe")}, {Change: bundle.FileMissing, Path: plain.From("data/report.pdf")}}}
		d.verified("/in/case.zip", v, nil)
		d.WantWords("Changed since it was made.", "data/media/1-received-\ufffdgpj.exe was changed.", "data/report.pdf is missing.", "3 more places were changed.")
		d.WantNoWords("Intact", "Fingerprint")
	})
	t.Run("says why it could not be verified", func(t *testing.T) {
		d := setup(t)
		d.verified("/in/case.zip", nil, &bundle.ReadError{Problem: bundle.Damaged})
		d.WantWords("The .zip is damaged or incomplete")
	})
	t.Run("keeps a signer once the fingerprint was compared", func(t *testing.T) {
		d := setup(t)
		d.verified("/in/case.zip", sealed(""), nil)
		d.WantWords("Intact, but the signer is not known to you.", "in another way than the bundle came by", fingerprint)
		keep := d.Button("Add to known signers")
		if !keep.Disabled() {
			t.Error("it can be kept without a name")
		}
		d.named.SetText(" the desk in Lisbon ")
		if !keep.Disabled() {
			t.Error("it can be kept without having been compared")
		}
		test.Tap(d.CheckOf("I have compared this fingerprint with the one they told me"))
		d.Fail("keep", guitest.Sentence("There is already a signer with this name."))
		d.Tap("Add to known signers")
		d.UntilWords("There is already a signer with this name.")
		d.Fail("keep", nil)
		d.Tap("Add to known signers")
		d.UntilWords("since the desk in Lisbon sealed it")
		d.WantLast(t, "keep the desk in Lisbon ssh-ed25519 AAAA")
		d.WantNoWords("Do you know whose key this is?", "There is a signer")
	})
	t.Run("shows a long name and a hundred changes, and can be closed", func(t *testing.T) {
		d := setup(t)
		v := &bundle.Verification{State: bundle.Changed}
		for range 100 {
			v.Findings = append(v.Findings, bundle.Finding{Change: bundle.FileAdded, Path: plain.From("data/" + strings.Repeat("long name ", 20))})
		}
		d.verified("/in/"+strings.Repeat("n", 250)+".zip", v, nil)
		d.Tap("Close")
		if d.Frame.Sheet.Open() {
			t.Error("it is open")
		}
	})
}
