package folders

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/client/store"
	"assay/client/submission"
)

// FuzzKept holds that whatever stands in the store as a folder's settings, what can't be read never has files sent without a question, what is
// read is valid, and that it is written back as the same, with whatever of it this version does not know.
func FuzzKept(f *testing.F) {
	for _, seed := range []string{
		`{"gate":"send","types":["IMAGE"],"only":["*.jpg"],"skip":["a*"],"subfolders":true,"quietMilliseconds":500,"moveTo":"/done","moveSince":7,"again":true,"ofTomorrow":[1]}`,
		`{}`, `null`, `[]`, `{"gate":"send","only":["["]}`, `{"gate":"send","quietMilliseconds":9223372036854775807}`, `{"gate":"ask","moveToBytes":"/w=="}`, `{"GATE":"send","Paused":true}`,
		`{"gate":"send","quietMilliseconds":-1}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, settings []byte) {
		const path = "/watched"
		k, ok := readRecord(store.Folder{ID: "id", Path: path, Added: time.Unix(1, 0), Settings: settings}, nil)
		if !ok {
			if k.Gate == submission.GateSend {
				t.Errorf("of %q, which can't be read, files are sent", settings)
			}
			return
		}
		if err := k.check(); err != nil || k.Path != path {
			t.Errorf("%q is read as %+v: %v", settings, k.Settings, err)
		}
		row, err := k.row()
		if err != nil {
			t.Fatalf("%q can't be written again: %v", settings, err)
		}
		again, ok := readRecord(row, nil)
		if diff := cmp.Diff(k, again, cmp.AllowUnexported(record{})); diff != "" || !ok {
			t.Errorf("%q is read otherwise once it is written again: %s", settings, diff)
		}
		k.Paused, k.MoveTo = false, ""
		if row, err = k.row(); err != nil {
			t.Fatal(err)
		}
		if changed, _ := readRecord(row, nil); changed.Paused || changed.MoveTo != "" {
			t.Errorf("of %q a setting can't be changed: %+v", settings, changed.Settings)
		}
	})
}
