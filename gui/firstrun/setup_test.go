package firstrun

import (
	"context"
	"fmt"
	"testing"

	"fyne.io/fyne/v2"

	"assay/client"
	"assay/client/i18n"
	"assay/gui/guitest"
)

// fixture is the first run in a window, and the process behind it.
type fixture struct {
	*guitest.Frame
	guitest.Calls
	dialog  func(path string) // what the file dialog hands over to
	opening func(error)       // what Open was given
	waits   bool              // the keychain waits for the person
}

func setup(t testing.TB, size fyne.Size) *fixture {
	t.Helper()
	return &fixture{Frame: guitest.NewFrame(t, size), opening: func(error) {}}
}

// start shows the first run.
func (d *fixture) start(set func(*Params)) *Screen {
	p := Params{Workers: d.Workers, SetLanguage: func(code string) { d.Did("language " + code) },
		SetAsksFirst: func(asks bool) { d.Did(fmt.Sprint("asks ", asks)) }, TextSizes: []string{"100 %", "200 %"}, SetTextSize: func(i int) { d.Did(fmt.Sprint("size ", i)) }, Actions: Actions{
			Check: func(ctx context.Context, draft ServiceDraft) error {
				return d.Note(ctx, "check "+draft.Service()+" "+draft.Key)
			},
			Keep: func(ctx context.Context, draft ServiceDraft, waiting func()) error {
				d.Lock()
				waits := d.waits
				d.Unlock()
				if waits {
					waiting()
				}
				return d.Note(ctx, "keep "+draft.Service()+" "+draft.Key)
			},
			KeepForThisRun: func(draft ServiceDraft) { d.Did("run " + draft.Service() + " " + draft.Key) },
			Open: func(draft ServiceDraft, sandbox bool, done func(error)) {
				d.Did(map[bool]string{true: "open sandbox", false: "open " + draft.Service()}[sandbox])
				d.opening = done
			},
			ChooseFile: func(chosen func(path string)) { d.dialog = chosen },
		}}
	if set != nil {
		set(&p)
	}
	f := New(p)
	d.Display(f.Object(), func(e *fyne.KeyEvent) { f.TypedKey(e) })
	return f
}

func offline() error {
	return &client.Error{Kind: client.KindNetwork, Fault: client.FaultOffline, Message: i18n.Verbatim("This computer has no network.")}
}
