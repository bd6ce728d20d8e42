package screen

import (
	"context"
	"testing"

	"fyne.io/fyne/v2"

	"assay/client"
	"assay/client/i18n"
	"assay/gui/guitest"
	"assay/gui/present"
)

// firstRunFixture is the first run in a window, and the process behind it.
type firstRunFixture struct {
	*guitest.Frame
	guitest.Calls
	dialog  func(path string) // what the file dialog hands over to
	opening func(error)       // what Open was given
	waits   bool              // the keychain waits for the person
}

func setupFirstRun(t testing.TB, size fyne.Size) *firstRunFixture {
	t.Helper()
	return &firstRunFixture{Frame: guitest.NewFrame(t, size), opening: func(error) {}}
}

// start shows the first run.
func (d *firstRunFixture) start(set func(*FirstRunParams)) *FirstRun {
	p := FirstRunParams{Workers: d.Workers, SetLanguage: func(code string) { d.Did("language " + code) }, ServiceDeeds: ServiceDeeds{
		Check: func(ctx context.Context, draft present.ServiceDraft) error {
			return d.Note(ctx, "check "+draft.Service()+" "+draft.Key)
		},
		Keep: func(ctx context.Context, draft present.ServiceDraft, waiting func()) error {
			d.Lock()
			waits := d.waits
			d.Unlock()
			if waits {
				waiting()
			}
			return d.Note(ctx, "keep "+draft.Service()+" "+draft.Key)
		},
		KeepForThisRun: func(draft present.ServiceDraft) { d.Did("run " + draft.Service() + " " + draft.Key) },
		Open: func(draft present.ServiceDraft, sandbox bool, done func(error)) {
			d.Did(map[bool]string{true: "open sandbox", false: "open " + draft.Service()}[sandbox])
			d.opening = done
		},
		ChooseFile: func(chosen func(path string)) { d.dialog = chosen },
	}}
	if set != nil {
		set(&p)
	}
	f := NewFirstRun(p)
	d.Display(f.Object(), func(e *fyne.KeyEvent) { f.TypedKey(e) })
	return f
}

func offline() error {
	return &client.Error{Kind: client.KindNetwork, Fault: client.FaultOffline, Message: i18n.Verbatim("This computer has no network.")}
}
