package cases

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"github.com/google/uuid"

	"assay/client/assert"
	"assay/client/store"
	"assay/client/store/storetest"
	"assay/client/submission"
	"assay/gui/guitest"
	"assay/gui/present"
	"assay/gui/thumbs"
)

func init() { storetest.Quick() }

var testNow = time.Date(2026, time.November, 22, 14, 40, 0, 0, time.UTC)

// fixture is the screen in a test window over a real store, with what it asked for written down. The test's goroutine is the UI thread.
type fixture struct {
	*Screen
	*guitest.Frame
	guitest.Calls
	store *store.Store
	now   time.Time
	later func()   // what the last timer runs; nil: none runs
	asked []string // IDs of the items that were read

	open      []string           // the cases that were told to be open, "" for none
	viewers   []string           // who else has the case open
	people    []InCase           // who is in each case, as the desk's server has it: gui's tests ask a real one
	colleague ed25519.PrivateKey // Rui's
	device    uuid.UUID          // likewise
}

func setup(t testing.TB, size fyne.Size) *fixture {
	t.Helper()
	d := &fixture{Frame: guitest.NewFrame(t, size), now: testNow}
	var err error
	d.store, err = store.Open(t.Context(), t.TempDir(), store.Options{Now: func() time.Time { return d.now }})
	assert.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, d.store.Close()) })
	d.Screen = New(Params{
		Records:    d,
		Desk:       d,
		Workers:    d.Workers,
		Network:    d.Workers,
		Sheet:      d.Sheet,
		Thumbs:     thumbs.New(d.UI.Workers(1), noPictures{}, thumbs.Tile),
		Rows:       thumbs.New(d.UI.Workers(1), noPictures{}, thumbs.Row),
		Person:     "Maria",
		ChooseFile: func(chosen func(path string)) { chosen("/in/crane.jpg") },
		AddFiles:   func(string) { d.Did("files") },
		OpenPage: func(p Page, then func(problem string)) {
			d.Did("browse " + p.URL)
			then("")
		},
		Report: func(string) { d.Did("report") }, ScanAgain: func(ids []string) { d.Did(fmt.Sprint("scan again ", len(ids))) },
		After: func(_ time.Duration, do func()) func() {
			d.later = do
			return func() { d.later = nil }
		},
		Open: func(id string) { d.Did("open " + id) },
		Now:  func() time.Time { return d.now },
	})
	d.Display(d.Object(), func(e *fyne.KeyEvent) { d.TypedKey(e) })
	d.Canvas().SetOnTypedRune(func(r rune) { d.TypedRune(r) })
	return d
}

// noPictures are submissions without files.
type noPictures struct{}

func (noPictures) OpenFile(context.Context, string) (*os.File, error) { return nil, fs.ErrNotExist }
func (noPictures) OpenThumbnail(context.Context, string) (*os.File, error) {
	return nil, fs.ErrNotExist
}

// The fixture is the screen's Records: the store, as gui has it, with items that say no more than their names.

func (d *fixture) Cases(ctx context.Context) (entries []Entry, err error) {
	all, err := d.store.Cases(ctx)
	for _, c := range all {
		entries = append(entries, EntryOf(c))
	}
	return entries, errors.Join(err, d.Note(ctx, "cases"))
}

func (d *fixture) Case(ctx context.Context, id string, happened int, since int64) (Case, bool, error) {
	return Read(ctx, d.store, id, happened, since, testNow)
}

func (d *fixture) Items(ctx context.Context, ids []string) (items []Item, err error) {
	d.Lock()
	d.asked = append(d.asked, ids...)
	d.Unlock()
	for _, id := range ids {
		s, ok, err := d.store.Get(ctx, id)
		if err != nil {
			return nil, err
		}
		if ok {
			items = append(items, Item{ID: id, Name: s.Name, Medium: present.Picture, Mark: "fake", Words: "Likely manipulated"})
		}
	}
	return items, nil
}

func (d *fixture) Results(ctx context.Context, text string, n int) (items []Item, err error) {
	var ids []string
	for _, name := range []string{"harbour-statement.jpg", "pier-earlier.jpg", "press-call-0412.mp4"} {
		if strings.Contains(name, text) && len(ids) < n {
			ids = append(ids, name)
		}
	}
	return d.Items(ctx, ids)
}

func (d *fixture) New(ctx context.Context, title, by string) (string, error) {
	c, err := d.store.AddCase(ctx, store.Case{Title: title, By: by})
	return c.ID, errors.Join(err, d.Note(ctx, "new "+title))
}

func (d *fixture) Change(ctx context.Context, id string, e store.CaseEvent) error {
	if err := d.Note(ctx, string(e.Kind)+" "+e.Text); err != nil {
		return err
	}
	return d.store.ChangeCase(ctx, id, e)
}

func (d *fixture) SignOff(ctx context.Context, id string, judgement store.Judgement) error {
	return d.store.SignOff(ctx, id, judgement)
}

func (d *fixture) Redact(ctx context.Context, id string, entries []string) error {
	for _, entry := range entries {
		if err := d.store.Redact(ctx, id, entry); err != nil {
			return err
		}
	}
	return nil
}

func (d *fixture) Add(ctx context.Context, id string, items []string, by string) (int, error) {
	if err := d.Note(ctx, "add "+strings.Join(items, " ")); err != nil {
		return 0, err
	}
	return d.store.AddToCase(ctx, id, items, by)
}

func (d *fixture) Remove(ctx context.Context, id string, items []string, by string) error {
	if err := d.Note(ctx, "remove "+strings.Join(items, " ")); err != nil {
		return err
	}
	_, err := d.store.RemoveFromCase(ctx, id, items, by)
	return err
}

func (d *fixture) Hash(ctx context.Context, path string) (string, error) {
	return strings.Repeat("ab", 32), d.Note(ctx, "hash "+path)
}

// submit keeps submissions, whose IDs are their names.
func (d *fixture) submit(names ...string) []string {
	d.T.Helper()
	var subs []submission.Submission
	for _, name := range names {
		subs = append(subs, submission.Submission{ID: name, Name: name, Path: "/in/" + name, State: submission.Waiting, Accepted: d.now})
	}
	_, err := d.store.Add(d.T.Context(), subs)
	assert.NoError(d.T, err)
	return names
}

// gather makes a case with items that were submitted.
func (d *fixture) gather(title string, names ...string) (id string) {
	d.T.Helper()
	c, err := d.store.AddCase(d.T.Context(), store.Case{Title: title, By: "Maria"})
	assert.NoError(d.T, err)
	if len(names) > 0 {
		_, err = d.store.AddToCase(d.T.Context(), c.ID, names, "Maria")
		assert.NoError(d.T, err)
	}
	d.now = d.now.Add(time.Second)
	return c.ID
}

// read reads the cases as they are kept and waits until they are shown.
func (d *fixture) read() {
	d.T.Helper()
	d.Changed()
	d.idle()
}

// idle waits until nothing is read or written.
func (d *fixture) idle() {
	d.T.Helper()
	d.Until("all is read", func() bool { return !d.busy && d.doing == 0 && len(d.pane.items.reading) == 0 })
}

// titles are those of the cases in the list.
func (d *fixture) titles() (titles []string) {
	for _, row := range guitest.InSight[*entryRow](d.list.table.Object()) {
		titles = append(titles, row.entry.Title)
	}
	return titles
}

// happened are the kinds of what happened in a case, the newest first.
func (d *fixture) happened(id string) (kinds []store.CaseEventKind) {
	d.T.Helper()
	events, _, err := d.store.CaseEvents(d.T.Context(), id, store.CaseCursor{}, 100)
	assert.NoError(d.T, err)
	for _, e := range events {
		kinds = append(kinds, e.Kind)
	}
	return slices.Clip(kinds)
}

// itemsRead are the IDs of the items that were read so far.
func (d *fixture) itemsRead() []string {
	d.Lock()
	defer d.Unlock()
	return slices.Clone(d.asked)
}
