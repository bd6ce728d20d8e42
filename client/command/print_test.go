package command

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"assay/client/plain/plaintest"
	"assay/client/submission"
)

// TestWhatAnotherProcessHandsOverIsPrintedInOneLine is about a window of another version, which may hand over lines as they came.
func TestWhatAnotherProcessHandsOverIsPrintedInOneLine(t *testing.T) {
	for _, text := range plaintest.Hostile() {
		raw, err := json.Marshal(map[string]string{"error": text})
		if err != nil {
			t.Fatal(err)
		}
		odd := strings.NewReplacer(`\u001b`, "\u009b", `{`, "{\n\t").Replace(string(raw))
		for _, asJSON := range []bool{false, true} {
			var out, said bytes.Buffer
			scan := scanPrinter{out: &out, said: &said, json: asJSON}
			watch := newWatchPrinter(&out, &said, asJSON)
			for _, err := range []error{
				scan.take(scanEvent{Item: &itemEvent{Line: text, JSON: odd}}),
				scan.take(scanEvent{Accepted: &acceptedEvent{LeftOut: text}}),
				scan.take(scanEvent{Progress: &progressEvent{Standing: text}}),
				watch.take(watchEvent{Item: &watchedEvent{itemEvent: itemEvent{Line: text, JSON: odd}, State: submission.Done}}),
				watch.take(watchEvent{Item: &watchedEvent{itemEvent: itemEvent{Line: text, JSON: odd}, State: submission.Held}}),
				watch.take(watchEvent{Said: text}),
				watch.take(watchEvent{Folder: &folderEvent{Given: []byte(text), Sentence: text, Begins: true}}),
				watch.take(watchEvent{Queue: &standingEvent{Sentence: text}}),
			} {
				if err != nil {
					t.Fatal(err)
				}
			}
			wantOut, wantSaid := 2, 6
			if asJSON {
				wantOut, wantSaid = 3, 5
			}
			plaintest.Lines(t, out.String()+said.String())
			if strings.Count(out.String(), "\n") != wantOut || strings.Count(said.String(), "\n") != wantSaid {
				t.Errorf("%q, %q", out.String(), said.String())
			}
		}
	}
}

func TestWhatIsNoJSONIsNotPrintedAsJSON(t *testing.T) {
	var out bytes.Buffer
	if err := printJSONLine(&out, []byte("x\x1b[2J\n{}")); err == nil || out.Len() != 0 {
		t.Errorf("%q, %v", out.String(), err)
	}
}
