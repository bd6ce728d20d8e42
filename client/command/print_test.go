package command

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"assay/client/assert"
	"assay/client/folders"
	"assay/client/i18n/i18ntest"
	"assay/client/ipc"
	"assay/client/plain/plaintest"
	"assay/client/session"
	"assay/client/submission"
	"assay/watch"
)

// TestWhatAnotherProcessHandsOverIsPrintedInOneLine is about a window of another version, which may hand over lines as they came.
func TestWhatAnotherProcessHandsOverIsPrintedInOneLine(t *testing.T) {
	for _, text := range plaintest.Hostile() {
		raw, err := json.Marshal(map[string]string{"error": text})
		assert.NoError(t, err)
		odd := strings.NewReplacer(`\u001b`, "\u009b", `{`, "{\n\t").Replace(string(raw))
		for _, asJSON := range []bool{false, true} {
			var out, said bytes.Buffer
			scan := scanPrinter{out: &out, said: &said, json: asJSON}
			watch := newWatchPrinter(&out, &said, asJSON)
			for _, err := range []error{
				scan.take(scanEvent{Item: &itemEvent{Line: text, JSON: odd}}),
				scan.take(scanEvent{Accepted: &acceptedEvent{LeftOut: text}}),
				scan.take(scanEvent{Progress: &progressEvent{Status: text}}),
				watch.take(watchEvent{Item: &watchedEvent{itemEvent: itemEvent{Line: text, JSON: odd}, State: submission.Done}}),
				watch.take(watchEvent{Item: &watchedEvent{itemEvent: itemEvent{Line: text, JSON: odd}, State: submission.Held}}),
				watch.take(watchEvent{Said: text}),
				watch.take(watchEvent{Folder: &folderEvent{Given: []byte(text), Sentence: text, Begins: true}}),
				watch.take(watchEvent{Queue: &statusEvent{Sentence: text}}),
			} {
				assert.NoError(t, err)
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

func TestAnAnswerSaysWhatWasSentInTheFilesPlace(t *testing.T) {
	s := submission.Submission{State: submission.Cancelled, SHA256: "its own", SendName: "picture-1a2b.jpg", Copy: submission.Copy{SHA256: "the copy's"}}
	if a := answerOf(s, false); a.SHA256 != "its own" || a.SentSHA256 != "the copy's" || a.SentName != "picture-1a2b.jpg" {
		t.Errorf("%+v", a)
	}
	s.Copy = submission.Copy{}
	if a := answerOf(s, false); a.SentSHA256 != "" || a.SentName != "" {
		t.Errorf("of the file itself: %+v", a)
	}
}

func TestWhatSubcommandsPrintIsInThePersonsLanguage(t *testing.T) {
	i18ntest.Pseudo(t)
	var said []string
	for _, s := range []submission.Submission{
		{State: submission.Held}, {State: submission.Cancelled}, {State: submission.Stays}, {State: submission.Stays, Gate: submission.GateNever, Folder: "/F"},
		{State: submission.Analysing, RequestID: "R"},
	} {
		s.Name = "NAME"
		e, err := newItemEvent(s, nil, true)
		assert.NoError(t, err)
		said = append(said, e.Line)
	}
	gone, err := unknownItem("NAME")
	assert.NoError(t, err)
	e := session.NewEndpoint()
	e.Open(nil, session.SandboxAddress{}, nil)
	said = append(said, e.Handle(t.Context(), ipc.Request{Op: string(session.OpService)}, nil).Error())
	said = append(said, gone.Line, heldLine(submission.Submission{Name: "NAME"}, false), ipc.OtherVersion().Sentence,
		session.OpenAnswer{Taken: 2}.Sentence(), session.OpenAnswer{}.Sentence(), session.OpenAnswer{Later: 1}.Sentence(), keychainWords(true, nil), keychainWords(false, nil))
	for _, passing := range []bool{false, true} {
		for _, gate := range gates {
			said = append(said, beginsText(folders.Folder{Settings: folders.Settings{Path: "NAME", Gate: gate}, Lock: submission.GateSend, Temporary: passing}))
		}
	}
	for _, phase := range []watch.Phase{watch.Paused, watch.Gone, watch.Unreadable, watch.Stuck} {
		said = append(said, standsText(folders.Folder{State: watch.State{Phase: phase}}, true))
	}
	said = append(said, standsText(folders.Folder{}, false), folderText("NAME", standsText(folders.Folder{}, false)))
	var out bytes.Buffer
	saySetAside(&out, "NAME")
	printer := newWatchPrinter(&out, &out, false)
	for _, e := range []watchEvent{{Queue: &statusEvent{Sentence: "NAME"}}, {Queue: &statusEvent{}}, {Folder: &folderEvent{Given: []byte("NAME"), Sentence: "NAME"}}, {Folder: &folderEvent{Given: []byte("NAME")}}} {
		if err := printer.take(e); err != nil {
			t.Error(err)
		}
	}
	said = append(said, strings.ReplaceAll(out.String(), "assay:", ""))
	for _, text := range said {
		if words := i18ntest.Forgotten(text, "NAME"); len(words) > 0 {
			t.Errorf("%q: nobody translates %v", text, words)
		}
	}
}
