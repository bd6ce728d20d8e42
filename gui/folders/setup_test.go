package folders

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"assay/client"
	clientfolders "assay/client/folders"
	"assay/client/i18n"
	"assay/client/submission"
	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/watch"
)

var testNow = time.Date(2026, time.November, 12, 14, 2, 0, 0, time.UTC)

// fixture is the screen in a test window, with what it asked for written down: "pause a", "look /in/a". The test's goroutine is the UI
// thread: closures run when it pumps.
type fixture struct {
	*Screen
	*guitest.Frame
	guitest.Calls
	dialog func(path string)      // what the dialog hands over to; nil: none was opened
	picked func(id, title string) // likewise of the sheet that asks for a case

	inside  Inside          // of each folder that is looked at, under the lock of Calls
	begins  submission.Gate // of a new folder
	lock    submission.Gate
	later   func() // what the last timer runs; nil: none runs
	laterIn time.Duration
}

func setup(t testing.TB, size fyne.Size) *fixture {
	t.Helper()
	d := &fixture{Frame: guitest.NewFrame(t, size), begins: submission.GateAsk, lock: submission.GateSend}
	d.Begun, d.Ended = make(chan struct{}, 100), make(chan struct{}, 100)
	action := func(name string) func(context.Context, string) error {
		return func(ctx context.Context, id string) error { return d.Note(ctx, name+" "+id) }
	}
	d.Screen = New(Params{
		Workers:  d.Workers,
		NewForm:  func(path string) Form { return NewForm(path, d.begins, d.lock) },
		Choose:   func(chosen func(path string)) { d.dialog = chosen },
		PickCase: func(chosen func(id, title string)) { d.picked = chosen },
		Look: func(ctx context.Context, f Form) (Inside, error) {
			if err := d.Note(ctx, "look "+f.Path); err != nil {
				return Inside{}, err
			}
			d.Lock()
			defer d.Unlock()
			return d.inside, nil
		},
		Add: func(ctx context.Context, f Form, begin Begin, chosen []string) error {
			return d.Note(ctx, fmt.Sprintf("add %s %s %s %v", f.Path, GateWords(f.Gate), begin.Begin(), chosen))
		},
		Change: func(ctx context.Context, id string, f Form) error {
			action := fmt.Sprintf("change %s to %s, only %q", id, GateWords(f.Gate), f.Only)
			if f.MoveTo != "" {
				action += ", moved to " + f.MoveTo
			}
			if f.Case != "" {
				action += ", into " + f.Case
			}
			if f.Paused {
				action += ", paused"
			}
			return d.Note(ctx, action)
		},
		Pause: action("pause"), Resume: action("resume"), Remove: action("remove"), Undo: action("undo"),
		OpenInFiles: func(path string) { d.Did("open " + path) },
		ShowHeld:    func(path string) { d.Did("held " + path) },
		Now:         func() time.Time { return testNow },
		After: func(in time.Duration, do func()) func() {
			d.later, d.laterIn = do, in
			return func() { d.later = nil }
		},
	})
	d.Display(d.Object(), func(e *fyne.KeyEvent) { d.TypedKey(e) })
	d.Canvas().SetOnTypedRune(func(r rune) { d.TypedRune(r) })
	return d
}

// idle pumps until nothing is done with any folder.
func (d *fixture) idle() {
	d.T.Helper()
	d.Until("all is done", func() bool { return len(d.busy) == 0 && (d.card == nil || d.card.saving == nil) })
}

// offered opens the card for a folder and waits until it was looked at.
func (d *fixture) offered(path string) {
	d.T.Helper()
	d.Offer(path)
	d.counted()
}

// counted waits until what is inside was counted, or could not be.
func (d *fixture) counted() {
	d.T.Helper()
	d.Until("it was counted", func() bool { return !d.says(i18n.T("Counting the files inside…")) })
}

// says reports whether a text is in sight.
func (d *fixture) says(text string) bool { return strings.Contains(d.Words(), text) }

// saveButton is the one that adds the folder of the card, or changes it.
func (d *fixture) saveButton() *kit.Button {
	d.T.Helper()
	for _, label := range []string{"Watch this folder", "Adding…", "Save", "Saving…"} {
		if b := d.Button(label); b != nil {
			return b
		}
	}
	d.T.Fatal("no card is open")
	return nil
}

// save does what the card was filled in for.
func (d *fixture) save() {
	d.T.Helper()
	if b := d.saveButton(); b.Disabled() {
		d.T.Fatalf("%q is disabled", b.Label())
	}
	d.saveButton().Tapped(nil)
	d.idle()
}

// show hands folders to the screen.
func (d *fixture) show(all ...clientfolders.Folder) {
	rows := make([]Row, len(all))
	for i, f := range all {
		rows[i] = RowOf(f)
	}
	d.Update(rows)
}

// editing reports whether the card for a folder is in sight.
func (d *fixture) editing() bool { return d.Button("Cancel") != nil }

// visible is the row that shows a folder.
func (d *fixture) visible(id string) *rowWidget {
	d.T.Helper()
	for _, row := range guitest.InSight[*rowWidget](d.table.Object()) {
		if row.row.ID == id {
			return row
		}
	}
	d.T.Fatalf("%s is not shown", id)
	return nil
}

// rowWords is what a row says, its lines one after the other.
func rowWords(row *rowWidget) string { return strings.ReplaceAll(guitest.Words(row), "\n", " ") }

// cursor is the ID of the row with the outline, the one that keys act on; "" for none in sight.
func (d *fixture) cursor() string {
	row, found := guitest.AtCursor[*rowWidget](d.table.Object())
	if !found {
		return ""
	}
	return row.row.ID
}

// plainFolder is a folder of which nothing is known but that it is watched.
func plainFolder(id, path string) clientfolders.Folder {
	return clientfolders.Folder{ID: id, Settings: clientfolders.Default(path), Lock: submission.GateSend, State: watch.State{Phase: watch.Watching}}
}

var errPlain = errors.New("It did not work.") //nolint:revive,staticcheck // as a person reads it

// manyFolders are n folders in every state.
func manyFolders(n int) []clientfolders.Folder {
	places := []string{
		"/home/desk/Pictures/Camera uploads", "/mnt/newsroom/agency/in", "/home/desk/Downloads", "/media/desk/EOS_DIGITAL/DCIM/100CANON",
		"/home/desk/.local/share/messenger/received files from the correspondents of the night desk/pictures and clips",
		"/home/desk/ملفات الواردة/صور من المراسلين", "/srv/share/编辑部/素材", "/home/desk/Sprachnachrichten",
	}
	var all []clientfolders.Folder
	for i := range n {
		f := clientfolders.Folder{ID: fmt.Sprintf("f%03d", i), Settings: clientfolders.Default(places[i%len(places)]), Lock: submission.GateSend,
			State: watch.State{Phase: watch.Watching, Files: 120 + i}, Taken: 128 + i, Answered: 120, LastName: "IMG_2047.jpg",
			LastAt: testNow.Add(-time.Duration(2+i*7) * time.Minute)}
		if i >= len(places) {
			f.Path = fmt.Sprintf("%s/%d", f.Path, i)
		}
		switch i % 9 {
		case 1:
			f.State.Phase, f.State.Problem = watch.Polling, guitest.Sentence("Network folders do not tell of changes.")
			f.Types, f.Held, f.UnderWay = []client.MediaType{client.Image, client.Video}, 3, 2
			f.LastName = "reuters-2026-11-12T14-02-11Z-harbour-statement-of-the-port-authority-0412.mp4"
		case 2:
			f.Gate, f.State.Settling, f.State.Offered, f.Failed = submission.GateSend, 2, 1, 1
			f.Skip = []string{"*_small.*"}
		case 3:
			f.State.Phase, f.Gate = watch.Gone, submission.GateNever
		case 4:
			f.State.Phase, f.State.Problem = watch.Unreadable, guitest.Sentence("This computer does not allow Assay to read the folder. Change its permissions, or choose another one.")
			f.LastName, f.LastAt, f.Taken, f.Answered = "", time.Time{}, 0, 0
		case 5:
			f.Paused, f.State.Phase = true, watch.Paused
			f.LastName = "صورة من الميناء.jpg"
		case 6:
			f.State.Phase, f.Only = watch.Starting, []string{"*.jpg", "IMG_*"}
			f.LastName, f.LastAt, f.Taken, f.Answered = "", time.Time{}, 0, 0
		case 7:
			f.State.Phase, f.Held, f.Types = watch.Stuck, 1, []client.MediaType{client.Audio}
			f.State.Problem = guitest.Sentence("The disk does not answer. It is asked again until it does.")
		case 8:
			f.Problem, f.MoveTo = i18n.Verbatim("Files could not be moved to “Done”: it is on another disk. Choose a folder on the same one."), "/home/desk/Done"
			f.LastAt = testNow.Add(-26 * time.Hour)
		}
		all = append(all, f)
	}
	return all
}

// manyFiles is a folder with many files inside.
func manyFiles(n, listed int) Inside {
	inside := Inside{Files: n, Bytes: int64(n) * 7_400_000}
	for i := range min(n, listed) {
		name := fmt.Sprintf("IMG_%04d.jpg", 9999-i)
		if i == 2 {
			name = "agency/" + strings.Repeat("a very long name of a clip ", 6) + ".mp4"
		}
		if i == 4 {
			name = "مراسلون/صورة.jpg"
		}
		inside.Newest = append(inside.Newest, File{Path: "/in/" + name, Name: name, Bytes: int64(700_000 * (1 + i%13)),
			At: testNow.Add(-time.Duration(i) * 5 * time.Hour)})
	}
	return inside
}
