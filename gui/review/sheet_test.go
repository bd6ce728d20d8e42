package review

import (
	"fmt"
	"image"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"

	"assay/client"
	"assay/client/i18n"
	"assay/client/i18n/i18ntest"
	"assay/client/media/facts"
	"assay/client/submission"
	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// fixture is a window over which the sheet lies, with what was decided written down.
type fixture struct {
	*Sheet
	*guitest.Frame
	guitest.Calls
	closed int
	now    time.Time
	looks  []string
}

func setup(t *testing.T) *fixture {
	t.Helper()
	return setupAt(t, guitest.Smallest)
}

func setupAt(t *testing.T, size fyne.Size) *fixture {
	t.Helper()
	d := &fixture{Frame: guitest.NewFrame(t, size), now: time.Unix(1_800_000_000, 0)}
	note := func(call string) func([]string) {
		return func(ids []string) { d.Did(call + " " + strings.Join(ids, " ")) }
	}
	d.Sheet = New(Params{
		Sheet: d.Frame.Sheet,
		Send: func(ids []string, how Choice) {
			note(fmt.Sprintf("send %v %v", how.WithoutMetadata, how.NeutralName))(ids)
		},
		Never: note("never"), Closed: func() { d.closed++ }, Now: func() time.Time { return d.now },
		Copy: func(text string) { d.Did("copy " + text) },
		Look: func(id string, now present.Preview, asked bool) {
			d.looks = append(d.looks, fmt.Sprintf("%s %s %v", id, now, asked))
		},
	})
	return d
}

// player is one that only says so.
type player struct{ d *fixture }

func (p player) Object() fyne.CanvasObject { return kit.NewText("player", kit.TextStyle{}) }
func (p player) Show(id string)            { p.d.Did("play " + id) }
func (p player) Clear()                    { p.d.Did("silence") }

// ask shows the sheet for some submissions.
func (d *fixture) ask(subs ...submission.Submission) *Review {
	l := NewReview(subs, "api.example.org")
	d.Show(l)
	return l
}

const copyOption = "Send a copy without metadata"

// copyOffered reports whether a copy can be chosen.
func (d *fixture) copyOffered() bool {
	b := d.Button(copyOption)
	return b != nil && !b.Disabled()
}

// unfold shows what else the file says.
func (d *fixture) unfold(l *Review) { d.Tap(l.Content(Choice{}).OtherMany) }

func heldPicture(id string) submission.Submission {
	return submission.Submission{ID: id, Path: "/in/" + id + ".jpg", Name: id + ".jpg", SendName: id + "-1a2b3c4d.jpg", Type: client.Image, Size: 3 << 20,
		SHA256: strings.Repeat("ab", 32), State: submission.Held, Gate: submission.GateAsk}
}

// heldHEIC waits for the person's word, and is sent as a copy.
func heldHEIC(id string) submission.Submission {
	s := heldPicture(id)
	s.Path, s.Name, s.SendName, s.Needs = "/in/"+id+".heic", id+".heic", id+"-1a2b3c4d.heic", submission.NeedsCopy
	return s
}

func tellingFacts() facts.Facts {
	return facts.Facts{Format: facts.JPEG, Thumbnail: true, EXIF: []facts.Field{
		{Key: "Make", Label: "Made by", Value: "Fujifilm", Identifying: true},
		{Key: "ExposureTime", Label: "Exposure", Value: "1/60 s"}, {Key: "FNumber", Label: "Aperture", Value: "f/2"},
		{Key: "BodySerialNumber", Label: "Camera's serial number", Value: "12345678", Identifying: true},
		{Key: "Artist", Label: "Author", Value: "Jane Doe", Identifying: true},
		{Key: "GPSPosition", Label: "Position", Value: "52.516275 N, 13.377704 E", Identifying: true},
	}}
}

func TestTheSheet(t *testing.T) {
	t.Run("opens at once and fills in", func(t *testing.T) {
		d := setup(t)
		l := d.ask(heldPicture("a"))
		reading := l.Content(Choice{}).Pending
		if d.WantWords(reading); d.Button("Send without waiting") == nil || d.copyOffered() {
			t.Error("it does not show that the file is being read")
		}
		l.Looked("a", tellingFacts(), nil)
		d.Refresh()
		d.WantWords("a-1a2b3c4d.jpg", strings.Repeat("ab", 32), "52.516275 N", "12345678", "api.example.org")
		if d.WantNoWords(reading, "1/60 s"); d.Button("Send") == nil || !d.copyOffered() {
			t.Error("it does not show that the file was read")
		}
		d.unfold(l)
		d.WantWords("1/60 s")
	})
	t.Run("says what becomes of one, or of all", func(t *testing.T) {
		d := setupAt(t, fyne.NewSize(1280, 800))
		d.ask(heldPicture("a"), heldPicture("b"))
		d.WantWords("It stays in the inbox and waits for your decision.")
		test.Tap(d.CheckOf("Decide on all 2 at once"))
		d.WantWords("They stay in the inbox and wait for your decision.", "They stay on this computer.")
	})
	t.Run("sends as it was chosen", func(t *testing.T) {
		d := setup(t)
		l := d.ask(heldPicture("a"), heldPicture("b"))
		test.Tap(d.CheckOf("Decide on all 2 at once"))
		for _, id := range []string{"a", "b"} {
			l.Looked(id, tellingFacts(), nil)
		}
		d.Refresh()
		test.Tap(d.CheckOf("Send under a neutral name"))
		d.Tap(copyOption)
		if got := d.Take(); got != "send true true a b" || d.Open() || d.closed != 1 {
			t.Errorf("did %q", got)
		}
		t.Run("and the next time asks again", func(t *testing.T) {
			d.ask(heldPicture("c"))
			d.Tap("Send without waiting")
			if got := d.Take(); got != "send false false c" {
				t.Errorf("did %q", got)
			}
		})
	})
	t.Run("never sends, or leaves it undecided", func(t *testing.T) {
		for words, want := range map[string]string{"Never send": "never a", "Not now": ""} {
			d := setup(t)
			d.ask(heldPicture("a"))
			d.Tap(words)
			if got := d.Take(); got != want || d.Open() || d.closed != 1 {
				t.Errorf("%s: did %q", words, got)
			}
		}
		d := setup(t)
		d.ask(heldPicture("a"))
		d.Press(fyne.KeyEscape)
		if d.Open() || d.Take() != "" || d.closed != 1 {
			t.Error("Escape")
		}
	})
	t.Run("the keyboard is where nothing is sent by a key that is held down", func(t *testing.T) {
		d := setup(t)
		d.ask(heldPicture("a"))
		if d.Canvas().Focused() != d.Button("Not now") {
			t.Errorf("it is at %T", d.Canvas().Focused())
		}
	})
	t.Run("is in the person's language", func(t *testing.T) {
		i18ntest.Pseudo(t)
		d := setup(t)
		link := submission.Submission{ID: "l", Link: "https://posts.example/1", State: submission.Held, Gate: submission.GateAsk}
		for _, subs := range [][]submission.Submission{{heldPicture("a")}, {link}, {heldPicture("a"), link}} {
			l := d.ask(subs...)
			l.Looked("a", tellingFacts(), nil)
			d.Refresh()
			if l.Content(Choice{}).OtherMany != "" {
				d.unfold(l)
			}
			guitest.CheckTranslated(t, d.Canvas().Overlays().Top(), "SHA-256", "a", "jpg", "JPEG picture", "MB", "api.example.org", "https://posts.example/1", "Made by", "Fujifilm", "Exposure", "1/60 s", "Aperture", "f/2",
				"Camera's serial number", "Author", "Jane Doe", "Position", "52.516275 N, 13.377704 E", "-1a2b3c4d", strings.Repeat("ab", 32))
		}
	})
	t.Run("asks about several one after another, and a key held down decides on one only", func(t *testing.T) {
		d := setup(t)
		l := d.ask(heldPicture("a"), heldPicture("b"), heldPicture("c"))
		for _, id := range l.IDs() {
			l.Looked(id, tellingFacts(), nil)
		}
		d.Refresh()
		d.WantWords("Send a.jpg?", "1 of 3")
		d.SendCopy()
		d.WantWords("Send b.jpg?", "1 of 2")
		for range 40 {
			d.now = d.now.Add(500 * time.Millisecond)
			d.SendCopy()
			d.Tap("Never send")
		}
		d.WantWords("Send b.jpg?")
		d.Tap("Next")
		d.now = d.now.Add(time.Second)
		d.Tap("Send")
		if got := d.Take(); got != "send true false a; send false false c" {
			t.Errorf("did %q", got)
		}
		d.WantWords("Send b.jpg?")
		d.WantNoWords("1 of")
	})
	t.Run("shows what would be sent, and uncovers it when it is asked to", func(t *testing.T) {
		d := setup(t)
		l := d.ask(heldPicture("a"))
		d.WantNoWords("Covered")
		l.Sampled("a", Sample{Picture: image.NewRGBA(image.Rect(0, 0, 40, 30)), Preview: present.PreviewBlurred})
		d.Refresh()
		d.WantWords("Covered, in case it is disturbing.")
		d.Tap("Show")
		l.Sampled("a", Sample{Picture: image.NewRGBA(image.Rect(0, 0, 40, 30))})
		d.Refresh()
		d.WantNoWords("Covered", "Show")
		d.Leave()
		if sample, _ := l.Sample(); sample.Picture != nil {
			t.Error("it is still shown")
		}
		if want := []string{"a  false", "a blurred true", "a  false"}; !slices.Equal(d.looks, want) {
			t.Errorf("%q", d.looks)
		}
	})
	t.Run("plays a recording where it is asked about, and nothing once it is covered or closed", func(t *testing.T) {
		d := setup(t)
		d.Player = player{d}
		recording := heldPicture("a")
		recording.Type = client.Audio
		d.ask(heldPicture("b"), recording)
		d.WantNoWords("player")
		d.Take()
		d.Tap("Next")
		d.WantWords("player")
		d.Leave()
		d.WantWords("player")
		d.Tap("Not now")
		if got := d.Take(); got != "silence; play a; silence; silence; play a; silence" {
			t.Errorf("did %q", got)
		}
	})
	t.Run("copies a hash", func(t *testing.T) {
		d := setup(t)
		d.ask(heldPicture("a"))
		d.Tap("Copy the SHA-256")
		if got := d.Take(); got != "copy "+strings.Repeat("ab", 32) {
			t.Errorf("did %q", got)
		}
	})
	t.Run("what was decided elsewhere is not asked about any more", func(t *testing.T) {
		d := setup(t)
		l := d.ask(heldPicture("a"), heldPicture("b"))
		d.now = d.now.Add(time.Second)
		l.Drop("a")
		d.Refresh()
		d.Tap("Send without waiting")
		if got := d.Take(); got != "send false false b" {
			t.Errorf("did %q", got)
		}
		l = d.ask(heldPicture("a"))
		l.Drop("a")
		d.Refresh()
		if d.Open() || d.Take() != "" {
			t.Error("it is still open")
		}
		d.Refresh()
	})
}

// TestTheChoicesStayInSight holds that no size of the window or of the text hides what can be chosen, and that the rest can be scrolled to.
func TestTheChoicesStayInSight(t *testing.T) {
	for name, size := range map[string]fyne.Size{
		"1280x800 at 100 %": {Width: 1280, Height: 800}, "1280x800 at 150 %": {Width: 853, Height: 533}, "1280x800 at 200 %": {Width: 640, Height: 400},
		"900x600 at 100 %": guitest.Smallest, "900x600 at 150 %": {Width: 600, Height: 400}, "900x600 at 200 %": {Width: 450, Height: 300},
	} {
		t.Run(name, func(t *testing.T) {
			d := setupAt(t, size)
			s := heldHEIC(strings.Repeat("a very long name ", 6))
			s.Problem = i18n.Verbatim("The copy without metadata was gone and could not be made again as it was.")
			l := d.ask(s)
			l.Looked(s.ID, tellingFacts(), nil)
			l.Made(s.ID, Made{Sum: Sum{Size: 2 << 20, SHA256: strings.Repeat("cd", 32)}, Extension: ".jpg", Format: "JPEG"})
			l.Summed(s.ID, Sum{Size: 1 << 20, SHA256: strings.Repeat("ef", 32)})
			d.Refresh()
			guitest.Keep(t, d.Frame, "review-in-sight-"+strings.ReplaceAll(strings.TrimSuffix(name, " %"), " ", "-"))
			driver := fyne.CurrentApp().Driver()
			for _, words := range []string{copyOption, "Send", "Not now", "Never send"} {
				b := d.Button(words)
				at := driver.AbsolutePositionForObject(b)
				if at.X < 0 || at.Y < 0 || at.X+b.Size().Width > size.Width || at.Y+b.Size().Height > size.Height || b.Size().Height < b.MinSize().Height {
					t.Errorf("%s is at %v, %v", words, at, b.Size())
				}
			}
			scrolls := guitest.InSight[*container.Scroll](d.Top())
			if last := scrolls[len(scrolls)-1]; last.Size().Height < 60 {
				t.Errorf("there is no room for what is asked: %v", last.Size())
			}
		})
	}
}

// TestAReasonMakesNoOtherChoiceHigh holds that in a low window, as with large text, what can be chosen stays as low as its words beside what says why it can't be.
func TestAReasonMakesNoOtherChoiceHigh(t *testing.T) {
	d := setupAt(t, fyne.NewSize(600, 400)) // the smallest window at 150 %
	l := d.ask(heldPicture("IMG_2041"))
	l.Looked("IMG_2041", facts.Facts{Format: facts.JPEG}, nil)
	l.Summed("IMG_2041", Sum{Size: 3 << 20, SHA256: strings.Repeat("ab", 32)}) // the copy would be the same
	d.Refresh()
	guitest.Keep(t, d.Frame, "review-a-reason-low")
	driver := fyne.CurrentApp().Driver()
	reason := d.Button(copyOption)
	if !reason.Disabled() {
		t.Error("a copy can be chosen")
	}
	for _, words := range []string{"Send", "Not now", "Never send"} {
		b := d.Button(words)
		if b.Size().Height > 48 {
			t.Errorf("%s is %g high", words, b.Size().Height)
		}
		if driver.AbsolutePositionForObject(b).Y < driver.AbsolutePositionForObject(reason).Y+reason.Size().Height {
			t.Errorf("%s is beside the reason", words)
		}
	}
}

// TestReviewGallery draws the sheet as a person sees it.
func TestReviewGallery(t *testing.T) {
	guitest.Gallery(t, "review", 1, []look.Mode{look.ModeLight, look.ModeDark}, []float32{1}, []guitest.Scene[*fixture]{
		{Name: "one", Set: func(d *fixture) {
			l := d.ask(heldPicture("IMG_2041"))
			l.Looked("IMG_2041", tellingFacts(), nil)
			d.Refresh()
		}},
		{Name: "converted", Set: func(d *fixture) {
			s := heldHEIC("IMG_2041")
			l := NewReview([]submission.Submission{s}, "")
			d.Show(l)
			l.Looked(s.ID, tellingFacts(), nil)
			l.Made(s.ID, Made{Sum: Sum{Size: 2 << 20, SHA256: strings.Repeat("cd", 32)}, Extension: ".jpg", Format: "JPEG"})
			l.Summed(s.ID, Sum{Size: 2<<20 - 12345, SHA256: strings.Repeat("ef", 32)})
			l.Sampled(s.ID, Sample{Picture: image.NewRGBA(image.Rect(0, 0, 40, 30)), Preview: present.PreviewBlurred})
			d.Refresh()
		}},
		{Name: "reading", Set: func(d *fixture) { d.ask(heldPicture("IMG_2041")) }},
		{Name: "clean", Set: func(d *fixture) {
			l := d.ask(heldPicture("IMG_2041"))
			l.Looked("IMG_2041", facts.Facts{Format: facts.PNG}, nil)
			d.Refresh()
		}},
		{Name: "problem", Set: func(d *fixture) {
			s := heldPicture(strings.Repeat("a very long name of a file ", 7))
			s.Problem = i18n.Verbatim("The copy without metadata was gone and could not be made again as it was.")
			l := d.ask(s)
			said := tellingFacts()
			said.Trailing, said.Notes = 123456, []string{"The EXIF data could not be read to its end."}
			l.Looked(s.ID, said, nil)
			d.Refresh()
			d.unfold(l)
			test.Tap(d.CheckOf("Send under a neutral name"))
		}},
		{Name: "link", Set: func(d *fixture) {
			d.ask(submission.Submission{ID: "l", Link: "https://posts.example/" + strings.Repeat("watch-", 30), State: submission.Held, Gate: submission.GateAsk})
		}},
		{Name: "pseudo", Set: func(d *fixture) {
			if err := i18n.Use("xx", ""); err != nil {
				panic(err)
			}
			l := d.ask(heldPicture("IMG_2041"))
			l.Looked("IMG_2041", tellingFacts(), nil)
			d.Refresh()
		}},
		{Name: "fifty", Set: func(d *fixture) {
			var subs []submission.Submission
			for i := range 50 {
				subs = append(subs, heldPicture(fmt.Sprintf("IMG_%04d", 2041+i)))
			}
			l := d.ask(subs...)
			for i, s := range subs[:40] {
				said := tellingFacts()
				if i%3 == 0 {
					said = facts.Facts{Format: facts.PNG}
				}
				l.Looked(s.ID, said, nil)
			}
			d.Refresh()
		}},
	}, func(t *testing.T, set func(*fixture), mode look.Mode, size fyne.Size, _ float32) *guitest.Frame {
		t.Cleanup(func() { _ = i18n.Use("en", "") })
		d := setupAt(t, size)
		d.SetMode(mode)
		set(d)
		return d.Frame
	})
}
