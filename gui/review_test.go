package gui

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"assay/client"
	"assay/client/assert"
	"assay/client/intake"
	"assay/client/sandbox"
	"assay/client/submission"
	"assay/gui/guitest"
	"assay/gui/present"
	"assay/gui/review"
)

// heldFile has a file of a watched folder wait for the person's word.
func heldFile(t *testing.T, d *fixture, id string) {
	t.Helper()
	folder := t.TempDir()
	content, err := os.ReadFile(photoFile("mountains.jpg"))
	assert.NoError(t, err)
	path := filepath.Join(folder, id+".jpg")
	assert.NoError(t, os.WriteFile(path, append(content, id...), 0o600))
	if _, err := d.Queue.Accept(t.Context(), []intake.Input{{ID: id, Path: path, Folder: folder, Gate: submission.GateAsk}}, intake.Options{Source: submission.Watched}); err != nil {
		t.Fatal(err)
	}
	d.Until("it waits for the person", func() bool {
		s, ok := d.Queue.Get(id)
		return ok && s.State == submission.Held
	})
}

func TestATextIsShownLineByLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memo.txt")
	assert.NoError(t, os.WriteFile(path, []byte("One\r\n\ttwo\u202e\n"), 0o600))
	file, err := os.Open(path) //nolint:gosec // the test's own
	assert.NoError(t, err)
	defer file.Close() //nolint:errcheck // only read from
	assert.Equal(t, review.Sample{Text: "One\n two\ufffd"}, textSample(file))
}

func (d *fixture) sheetSays(words string) bool {
	top := d.window.Canvas().Overlays().Top()
	return top != nil && guitest.Reads(top, words)
}

func TestWhatMayLeaveIsAsked(t *testing.T) {
	d := setup(t)
	state := func(id string) submission.State {
		s, _ := d.Queue.Get(id)
		return s.State
	}
	heldFile(t, d, "one") // whose folder outlasts the first of these
	t.Run("the sheet says what would be sent, once the file was read", func(*testing.T) {
		d.act([]string{"one"}, present.Approve)
		d.Until("the file was read", func() bool { return d.sheetSays("one") && d.sheetSays("What identifies") })
	})
	t.Run("its picture is covered as everything of watched folders is, until it is asked for", func(t *testing.T) {
		shown := func() present.Preview {
			sample, _ := d.review.asked.Sample()
			if sample.Picture == nil {
				return "none"
			}
			return sample.Preview
		}
		d.Until("it is shown covered", func() bool { return shown() == present.PreviewBlurred && d.sheetSays("Show") })
		d.press("Show")
		d.Until("it is shown", func() bool { return shown() == present.PreviewPlain })
		d.cover.toggle()
		if shown() != "none" {
			t.Errorf("under the cover it is still %q", shown())
		}
		d.cover.toggle()
		d.Until("it is covered again", func() bool { return shown() == present.PreviewBlurred })
	})
	t.Run("what its copy would be stands beside it", func(*testing.T) {
		d.Until("it is known", func() bool {
			rows := d.review.asked.Content(review.Choice{}).Rows
			return len(rows[2].Copy) == 64 && rows[2].Copy != rows[2].AsItIs
		})
	})
	t.Run("Escape leaves it undecided, and no key goes to what lies below", func(t *testing.T) {
		d.typedRune('h') // would keep it here
		d.typedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		if d.sheet.Open() || state("one") != submission.Held {
			t.Errorf("open %v, state %v", d.sheet.Open(), state("one"))
		}
	})
	t.Run("what is decided elsewhere is not asked about any more", func(*testing.T) {
		d.act([]string{"one"}, present.Approve)
		d.Queue.Withhold("one")
		d.Until("it stays", func() bool { return state("one") == submission.Stays })
		d.Queue.Remove("one")
		d.Until("the sheet is closed", func() bool { return !d.sheet.Open() })
	})
	t.Run("never is for good", func(t *testing.T) {
		heldFile(t, d, "two")
		d.act([]string{"two"}, present.Approve)
		d.press("Never send")
		if state("two") != submission.Held || d.sheet.Open() {
			t.Errorf("it can't be undone: %v", state("two"))
		}
		d.undo.Flush()
		d.Until("it stays", func() bool { return state("two") == submission.Stays })
		d.act([]string{"two"}, present.Approve)
		if d.sheet.Open() {
			t.Error("it is asked about again")
		}
	})
}

func TestWhatIsShownOfACopyIsWhatIsSent(t *testing.T) {
	content, err := os.ReadFile(filepath.Join("..", "client", "media", "convert", "testdata", "phone.heic"))
	assert.NoError(t, err)
	for name, plain := range map[string]bool{"as it is": false, "without metadata": true} {
		t.Run(name, func(t *testing.T) {
			box, server := newSandbox(t, sandbox.Options{}, nil)
			d := setupOn(t, newClient(t, client.Options{BaseURL: server.URL, Key: box.Key}), sessionOptions{pollMin: 20 * time.Millisecond, copies: true})
			path := filepath.Join(t.TempDir(), "IMG_0042.heic")
			assert.NoError(t, os.WriteFile(path, content, 0o600))
			if _, err := d.Queue.Accept(t.Context(), []intake.Input{{ID: "phone", Path: path, Gate: submission.GateAsk}}, intake.Options{Source: submission.Dropped}); err != nil {
				t.Fatal(err)
			}
			d.Until("it waits for the person", func() bool {
				s, ok := d.Queue.Get("phone")
				return ok && s.State == submission.Held
			})
			d.act([]string{"phone"}, present.Approve)
			var rows []review.Row
			d.Until("both copies are known, and the picture is seen", func() bool {
				rows = d.review.asked.Content(review.Choice{}).Rows
				sample, _ := d.review.asked.Sample()
				return len(rows[2].AsItIs) == 64 && len(rows[2].Copy) == 64 && sample.Picture != nil
			})
			if !d.sheetSays("Artist") || !d.sheetSays("Jane") || !d.sheetSays("The JPEG copy") {
				t.Errorf("what the copy would say is not shown: %q", guitest.Read(d.window.Canvas().Overlays().Top()))
			}
			shown := rows[2].AsItIs
			if plain {
				shown = rows[2].Copy
				d.press("Send a copy without metadata")
			} else {
				test.Tap(guitest.ButtonIn(d.top(), "Send"))
			}
			d.Until("it is answered", func() bool {
				s, ok := d.Queue.Get("phone")
				return ok && s.State == submission.Done
			})
			s, _ := d.Queue.Get("phone")
			assert.Equal(t, shown, s.Copy.SHA256)
			assert.Equal(t, rows[3].AsItIs, s.SHA256)
		})
	}
}

func TestAMarkAsGraphicHoldsBeforeItIsSent(t *testing.T) {
	d := setup(t)
	for id, want := range map[string]present.Preview{"marked": present.PreviewBlurred, "unmarked": present.PreviewPlain} {
		content, err := os.ReadFile(photoFile("mountains.jpg"))
		assert.NoError(t, err)
		path := filepath.Join(t.TempDir(), id+".jpg")
		assert.NoError(t, os.WriteFile(path, append(content, id...), 0o600))
		if _, err := d.Queue.Accept(t.Context(), []intake.Input{{ID: id, Path: path, Gate: submission.GateAsk}}, intake.Options{Source: submission.Dropped}); err != nil {
			t.Fatal(err)
		}
		d.Until("it waits for the person", func() bool {
			s, ok := d.Queue.Get(id)
			return ok && s.State == submission.Held
		})
		if id == "marked" {
			assert.NoError(t, d.Store.SetGraphic(t.Context(), []string{id}, true))
		}
		d.act([]string{id}, present.Approve)
		var seen review.Sample
		d.Until("it is shown", func() bool {
			seen, _ = d.review.asked.Sample()
			return seen.Picture != nil
		})
		if seen.Preview != want {
			t.Errorf("%s is shown %q", id, seen.Preview)
		}
		d.sheet.Close()
	}
}
