package viewer

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"assay/client"
	"assay/client/assert"
	"assay/client/submission"
	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// source holds submissions by ID.
type source struct {
	mu    sync.Mutex
	subs  map[string]submission.Submission
	sound map[string]submission.Submission
	notes map[string]string
	near  map[string][]present.Near
	there map[string]present.TheirFile
	hold  chan struct{} // each reading waits for one; nil: none does
	fail  error
}

func (s *source) Viewer(ctx context.Context, id string) (v present.Viewer, ok bool, err error) {
	if s.hold != nil {
		select {
		case <-s.hold:
		case <-ctx.Done():
			return v, false, ctx.Err()
		}
	}
	if s.fail != nil {
		return v, false, s.fail
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	sub, ok := s.subs[id]
	if !ok {
		return v, false, nil
	}
	v = present.ViewerOf(sub, time.Now())
	v.Near, v.Theirs = s.near[id], s.there[id]
	return v, true, nil
}

func (s *source) SoundOf(_ context.Context, id string) (v present.Viewer, ok bool, err error) {
	sub, ok := s.sound[id]
	if !ok {
		return v, false, nil
	}
	return present.ViewerOf(sub, time.Now()), true, nil
}

func (s *source) History(context.Context, string) (present.History, error) {
	return present.History{Answers: []present.PastAnswer{{Words: "Suspicious: needs a human look"}}}, nil
}

func (s *source) SetNote(_ context.Context, id, note string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notes[id] = note
	return nil
}

// notedPane notes what it is to do.
type notedPane struct {
	root    *kit.Fill
	shown   string
	cleared int
	keys    string // the characters that stand for something
	typed   string
	preview present.Preview
	// previewAtShow is what preview was as the pane was given what it shows.
	previewAtShow present.Preview
	field         string
	full          bool
	over          func(inside bool)
}

func newNotedPane(keys string) *notedPane {
	return &notedPane{root: kit.NewFill(look.ColorSunk), keys: keys}
}

func (n *notedPane) Object() fyne.CanvasObject    { return n.root }
func (n *notedPane) Show(v present.Viewer)        { n.shown, n.previewAtShow = v.ID, n.preview }
func (n *notedPane) Clear()                       { n.cleared++; n.shown = "" }
func (n *notedPane) TypedKey(*fyne.KeyEvent) bool { return false }
func (n *notedPane) Shortcuts() []present.Shortcut {
	return []present.Shortcut{{Keys: n.keys, Does: "Something"}}
}
func (n *notedPane) SetPreview(p present.Preview) { n.preview = p }
func (n *notedPane) Reveal(field string)          { n.field = field }
func (n *notedPane) SetFull(full bool, over func(bool)) fyne.CanvasObject {
	n.full, n.over = full, over
	return kit.NewText("What works "+n.shown, kit.TextStyle{})
}
func (n *notedPane) TypedRune(r rune) bool {
	if !strings.ContainsRune(n.keys, r) {
		return false
	}
	n.typed += string(r)
	return true
}

// fixture is a viewer in a window, with panes that note what they are asked to do.
type fixture struct {
	*Viewer
	*guitest.Frame
	source                            *source
	picture, clip, details, data, bar *notedPane
	rested                            func() // what the clock was asked to do last; nil: nothing, or it was cancelled
}

func setup(t *testing.T, c *source, size fyne.Size) *fixture {
	t.Helper()
	d := &fixture{Frame: guitest.NewFrame(t, size), source: c, picture: newNotedPane("12o"), clip: newNotedPane(","), details: newNotedPane(""), data: newNotedPane(""), bar: newNotedPane("q")}
	readers := d.UI.Workers(2)
	d.Viewer = New(Params{
		Readers: readers, Askers: readers, Source: c,
		Media: map[present.Medium]func() Pane{
			present.Picture: func() Pane { return d.picture },
			present.Clip:    func() Pane { return d.clip },
		},
		Details: func() Pane { return d.details }, Data: func() DataPane { return d.data }, Feedback: d.bar,
		Fill: func(o fyne.CanvasObject) {
			if o == nil {
				o = d.Object()
			}
			d.Display(o, nil)
		},
		After: func(_ time.Duration, do func()) func() {
			d.rested = do
			return func() { d.rested = nil }
		},
	})
	d.Display(d.Object(), nil)
	return d
}

// see shows a submission and waits until it is there.
func (d *fixture) see(id string) {
	d.T.Helper()
	d.Show(id)
	d.Until(id+" is shown", func() bool { return d.body.Visible() && d.shown.ID == id })
}

func sub(t *testing.T, id, answer string) submission.Submission {
	t.Helper()
	r := new(client.Result)
	assert.NoError(t, json.Unmarshal([]byte(answer), r))
	return submission.Submission{ID: id, Name: id, Result: r, RequestID: "r-" + id, State: submission.Done}
}

func samples(t *testing.T) *source {
	return &source{notes: map[string]string{}, subs: map[string]submission.Submission{
		"fake.jpg":  sub(t, "fake.jpg", `{"mediaType":"IMAGE","overallStatus":"FAKE","resultsSummary":{"metadata":{"finalScore":88}},"models":[{"name":"oak","status":"FAKE","normalizedPredictionNumber":93}]}`),
		"other.jpg": sub(t, "other.jpg", `{"mediaType":"IMAGE","overallStatus":"AUTHENTIC","models":[]}`),
		"half.jpg":  sub(t, "half.jpg", `{"mediaType":"IMAGE","overallStatus":"FAKE","models":[{"name":"a","status":"ANALYZING"},{"name":"b","status":"FAKE"}]}`),
		"press.mp4": sub(t, "press.mp4", `{"mediaType":"VIDEO","overallStatus":"AUTHENTIC","showAudioResult":"True","audioRequestId":"r-sound","models":[{"name":"vid","status":"AUTHENTIC","normalizedPredictionNumber":6}]}`),
		"mute.mp4":  sub(t, "mute.mp4", `{"mediaType":"VIDEO","overallStatus":"AUTHENTIC","showAudioResult":false,"audioRequestId":"r-sound","models":[]}`),
		"rolling.mp4": sub(t, "rolling.mp4", `{"mediaType":"VIDEO","overallStatus":"FAKE","models":[
			{"name":"erie","status":"FAKE","normalizedPredictionNumber":93.2,"rollingAvgNumber":104.5,"finalScore":0},
			{"name":"tahoe","status":"FAKE","finalScore":80}]}`),
		"odd.bin": sub(t, "odd.bin", `{"mediaType":"HOLOGRAM","overallStatus":"FAKE"}`),
	}, sound: map[string]submission.Submission{
		"press.mp4": sub(t, "press.mp4", `{"mediaType":"AUDIO","overallStatus":"FAKE","resultsSummary":{"metadata":{"finalScore":91}},"models":[{"name":"everest-aud","status":"FAKE","normalizedPredictionNumber":95}]}`),
		"mute.mp4":  sub(t, "mute.mp4", `{"mediaType":"AUDIO","overallStatus":"FAKE"}`),
	}}
}

var wideSize, narrowSize = fyne.NewSize(876, 800), fyne.NewSize(572, 600)
