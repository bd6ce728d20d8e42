package command

import (
	"bytes"
	"strings"
	"testing"

	"assay/client/folders"
	"assay/client/i18n/i18ntest"
	"assay/client/ipc"
	"assay/client/session"
	"assay/client/submission"
	"assay/watch"
)

func TestWhatSubcommandsPrintIsInThePersonsLanguage(t *testing.T) {
	i18ntest.Pseudo(t)
	var said []string
	for _, s := range []submission.Submission{
		{State: submission.Held}, {State: submission.Cancelled}, {State: submission.Stays}, {State: submission.Stays, Gate: submission.GateNever, Folder: "/F"},
		{State: submission.Analysing, RequestID: "R"},
	} {
		s.Name = "NAME"
		e, err := newItemEvent(s, true)
		if err != nil {
			t.Fatal(err)
		}
		said = append(said, e.Line)
	}
	gone, err := unknownItem("NAME")
	if err != nil {
		t.Fatal(err)
	}
	e := session.NewEndpoint()
	e.Open(nil, session.SandboxAddress{}, nil)
	said = append(said, e.Handle(t.Context(), ipc.Request{Op: string(session.OpService)}, nil).Error())
	said = append(said, gone.Line, heldLine(submission.Submission{Name: "NAME"}, false), ipc.OtherVersion().Sentence,
		session.OpenAnswer{Taken: 2}.Sentence(), session.OpenAnswer{}.Sentence(), session.OpenAnswer{Later: 1}.Sentence(), keychainWords(true, nil), keychainWords(false, nil))
	for _, passing := range []bool{false, true} {
		for _, gate := range gates {
			said = append(said, beginsText(folders.Folder{Settings: folders.Settings{Path: "NAME", Gate: gate}, Temporary: passing}))
		}
	}
	for _, phase := range []watch.Phase{watch.Paused, watch.Gone, watch.Unreadable, watch.Stuck} {
		said = append(said, standsText(folders.Folder{State: watch.State{Phase: phase}}, true))
	}
	said = append(said, standsText(folders.Folder{}, false), folderText("NAME", standsText(folders.Folder{}, false)))
	var out bytes.Buffer
	saySetAside(&out, "NAME")
	printer := newWatchPrinter(&out, &out, false)
	for _, e := range []watchEvent{{Queue: &standingEvent{Sentence: "NAME"}}, {Queue: &standingEvent{}}, {Folder: &folderEvent{Given: []byte("NAME"), Sentence: "NAME"}}, {Folder: &folderEvent{Given: []byte("NAME")}}} {
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
