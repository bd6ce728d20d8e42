package custody_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"testing"
	"time"

	"assay/client/custody"
	"assay/client/submission"
)

// TestEventsAreFrozen holds the texts that stand in people's logs: one may be added here with a new event, and none changed or taken away.
func TestEventsAreFrozen(t *testing.T) {
	frozen := []string{
		"", "accepted", "pulled", "removed", "hashed", "address received", "sending", "sent", "changed while it was sent", "link submitted",
		"taken by the service", "found in the list", "to be fetched again", "handed over before", "on its own", "tried again", "paused", "resumed",
		"cancelled", "refused", "failed", "answered", "replaced by newer bytes", "held for a decision", "allowed to leave",
		"allowed to leave without metadata", "allowed to leave as a copy", "copy made", "kept on this computer", "never leaves: by the person's word", "never leaves: by its folder",
		"never leaves: by its source", "never leaves: locked by IT", "moved", "filed", "feedback sent", "seen", "taken over from a colleague", "shared by a colleague",
	}
	file, err := parser.ParseFile(token.NewFileSet(), "event.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var events []string
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok {
			for _, value := range spec.Values {
				text, err := strconv.Unquote(value.(*ast.BasicLit).Value)
				if err != nil {
					t.Fatal(err)
				}
				events = append(events, text)
			}
		}
		return true
	})
	slices.Sort(events)
	slices.Sort(frozen)
	if !slices.Equal(events, frozen) {
		t.Errorf("the events are\n%q, and in logs stand\n%q", events, frozen)
	}
}

func TestSumIsWhatItsDocSays(t *testing.T) {
	e := custody.Entry{Seq: 2, At: time.Unix(1, 5), Submission: "s", Event: "dé", Facts: []byte("{}"), Previous: "00"}
	if got := e.Sum(); got != "e0619f365f93c651eb7fd69fd860a44fd198eb43affd65cfc90092151d64066a" {
		t.Error(got)
	}
}

func TestEntriesFollowOneAnother(t *testing.T) {
	var head custody.Head
	var log []custody.Entry
	for _, event := range []custody.Event{custody.Accepted, custody.Sent, custody.Answered} {
		e, err := head.Next(time.Unix(0, int64(len(log))), &submission.Submission{ID: "s", Path: `C:\a\b.jpg`, Name: "b.jpg"}, event, custody.Sums{Kept: "k"}, "")
		if err != nil {
			t.Fatal(err)
		}
		head, log = e.Head(), append(log, e)
	}
	if want := `{"name":"b.jpg","file":"b.jpg","answerSha256":"k"}`; string(log[0].Facts) != want {
		t.Errorf("%s", log[0].Facts)
	}
	// verify is the Seq of the entry that does not fit, 0 where all do.
	verify := func(log ...custody.Entry) int64 {
		var head custody.Head
		for _, e := range log {
			if broken := (*custody.Broken)(nil); errors.As(head.Verify(e), &broken) {
				return broken.Seq
			}
			head = e.Head()
		}
		return 0
	}
	if at := verify(log...); at != 0 {
		t.Errorf("it breaks at %d", at)
	}
	changed, renumbered := log[1], log[2]
	changed.Event = custody.Refused
	renumbered.Seq, renumbered.Previous = 2, log[0].Hash
	resealed := changed
	resealed.Hash = resealed.Sum()
	for name, c := range map[string]struct {
		log []custody.Entry
		at  int64
	}{
		"an event was changed":                       {[]custody.Entry{log[0], changed, log[2]}, 2},
		"and its hash made anew":                     {[]custody.Entry{log[0], resealed, log[2]}, 3},
		"an entry was left out":                      {[]custody.Entry{log[0], log[2]}, 3},
		"and the next one put in its place":          {[]custody.Entry{log[0], renumbered}, 2},
		"the first was left out":                     {log[1:], 2},
		"two were exchanged":                         {[]custody.Entry{log[1], log[0]}, 2},
		"one stands twice":                           {[]custody.Entry{log[0], log[0]}, 1},
		"the last was left out, which can't be seen": {log[:2], 0},
	} {
		if at := verify(c.log...); at != c.at {
			t.Errorf("%s: found at %d, want %d", name, at, c.at)
		}
	}
}

func TestParseTextReadsWhatTextWrote(t *testing.T) {
	var head custody.Head
	e, err := head.Next(time.Unix(1, 5).UTC(), &submission.Submission{ID: "s:1\n", Name: "é"}, custody.Accepted, custody.Sums{Kept: "00"}, "")
	if err != nil {
		t.Fatal(err)
	}
	text := e.Text()
	if read, err := custody.ParseText(text); err != nil || read.Hash != e.Hash || string(read.Text()) != string(text) || !read.At.Equal(e.At) {
		t.Errorf("%+v, %v", read, err)
	}
	for i := range text {
		for _, other := range []string{string(text[:i]), string(text[:i]) + "\x00" + string(text[i:]), string(text[:i]) + " " + string(text[i:])} {
			if read, err := custody.ParseText([]byte(other)); err == nil {
				t.Errorf("%q was read: %+v", other, read)
			}
		}
	}
}
