package command_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"assay/client/assert"
	"assay/client/command"
	"assay/client/plain"
	"assay/client/plain/plaintest"
)

// caseLine is what --json prints of a case.
type caseLine struct {
	ID, Title string
	ItemCount int
	Added     int
	Items     []struct{ RequestID, Status string }
	Notes     []struct{ Text, By string }
	Checks    []struct{ Kind, Text, By string }

	State      string
	Tags       []string
	Removed    int
	Conclusion *struct{ Text, By string }
	Questions  []struct {
		Text, By string
		Assigned []struct{ Text, Due, By string }
		Answers  []struct {
			Text, By string
			Evidence []struct{ Kind, Value string }
		}
	}
	Events []struct{ Kind, Check, Text, By string }
}

// caseCalls calls assay case with --json.
type caseCalls func(t *testing.T, args ...string) []caseLine

func casesOf(call func(args ...string) (code int, stdout, stderr string)) caseCalls {
	return func(t *testing.T, args ...string) (all []caseLine) {
		t.Helper()
		code, stdout, stderr := call(append([]string{"case", args[0], "--json"}, args[1:]...)...)
		if code != command.ExitAnswered || stderr != "" {
			t.Fatalf("%q: exit %d: %s%s", args, code, stdout, stderr)
		}
		for line := range strings.Lines(stdout) {
			var c caseLine
			if err := json.Unmarshal([]byte(line), &c); err != nil {
				t.Fatalf("%v: %q", err, line)
			}
			all = append(all, c)
		}
		return all
	}
}

// one is the only case that was printed.
func (c caseCalls) one(t *testing.T, args ...string) caseLine {
	t.Helper()
	all := c(t, args...)
	if len(all) != 1 {
		t.Fatalf("%q: %+v", args, all)
	}
	return all[0]
}

// TestCases does everything with cases twice: through a window that is open, and alone.
func TestCases(t *testing.T) {
	_, call, closeWindow, ended := openSandboxWindow(t)
	code, stdout, stderr := call("scan", "--json", picture("generated.png"), picture("mountains.jpg"))
	if code != command.ExitAnswered {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	scanned := answers(t, stdout)
	ids := []string{scanned[0].RequestID, scanned[1].RequestID}
	cases, folder := casesOf(call), t.TempDir()
	// refused calls it in a way that fails with a sentence, and changes nothing.
	refused := func(t *testing.T, wantCode int, says string, args ...string) {
		t.Helper()
		before := cases(t, "list")
		if code, stdout, stderr := call(args...); code != wantCode || stdout != "" || !strings.Contains(stderr, says) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%.200q: exit %d, %q, %q", args, code, stdout, stderr)
		}
		if after := cases(t, "list"); !slices.EqualFunc(before, after, func(a, b caseLine) bool { return a.ID == b.ID && a.ItemCount == b.ItemCount }) {
			t.Errorf("%.200q: there were %+v, and are %+v", args, before, after)
		}
	}
	// everything is done with titles that end with a word.
	everything := func(t *testing.T, word string) {
		title := "The flood, " + word
		made := cases.one(t, "new", "  "+title+" ")
		if made.ID == "" || made.Title != title || made.ItemCount != 0 {
			t.Errorf("%+v", made)
		}
		if c := cases.one(t, "add", title, ids[1], ids[0], ids[1]); c.Added != 2 || c.ItemCount != 2 || c.ID != made.ID {
			t.Errorf("%+v", c)
		}
		if c := cases.one(t, "add", made.ID, ids[0]); c.Added != 0 || c.ItemCount != 2 {
			t.Errorf("the same again: %+v", c)
		}
		cases.one(t, "note", title, "Came by\nmessenger.", "--by", "Ines")
		cases.one(t, "check", made.ID, "place", "The mill", "--by", "Rui 🌊")
		cases.one(t, "note", title, "Seen by me.")
		shown := cases.one(t, "show", title)
		if len(shown.Items) != 2 || shown.Items[0].RequestID != ids[1] || shown.Items[1].RequestID != ids[0] || shown.Items[1].Status != scanned[0].Status {
			t.Errorf("items in the order in which they were added: %+v", shown)
		}
		if len(shown.Notes) != 2 || shown.Notes[0].Text != "Came by messenger." || shown.Notes[0].By != "Ines" || shown.Notes[1].By == "" ||
			len(shown.Checks) != 1 || shown.Checks[0].Kind != "place" || shown.Checks[0].Text != "The mill" || shown.Checks[0].By != "Rui 🌊" {
			t.Errorf("%+v", shown)
		}
		cases.one(t, "remove", title, ids[0])
		if c := cases.one(t, "show", title); c.ItemCount != 1 || c.Items[0].RequestID != ids[1] {
			t.Errorf("one was taken out: %+v", c)
		}
		if c := cases.one(t, "remove", title, ids[0]); c.Removed != 0 {
			t.Errorf("it was not in it: %+v", c)
		}
		cases.one(t, "add", title, ids[0])
		if list := cases(t, "list"); list[0].ID != made.ID || list[0].ItemCount != 2 {
			t.Errorf("%+v", list)
		}
		code, stdout, stderr := call("case", "show", title)
		for _, want := range []string{title + ": 2 items, ID " + made.ID + "\n", "  mountains.jpg: ", "\nInes, ", ": Came by messenger.\n", "\nPlace (Rui 🌊, ", ": The mill\n"} {
			if code != command.ExitAnswered || stderr != "" || !strings.Contains(stdout, want) {
				t.Errorf("exit %d, without %q: %q, %q", code, want, stdout, stderr)
			}
		}
		t.Run("export", func(t *testing.T) {
			path := filepath.Join(folder, word+".ndjson")
			if code, stdout, stderr := call("export", "--case", title, "--out", path); code != command.ExitAnswered || stdout != "2 results written to "+path+"\n" || stderr != "" {
				t.Fatalf("exit %d: %q, %q", code, stdout, stderr)
			}
			lines := strings.Split(read(t, path), "\n")
			if len(lines) != 3 || !strings.Contains(lines[0], ids[1]) || !strings.Contains(lines[1], ids[0]) {
				t.Errorf("%q", lines)
			}
			path = filepath.Join(folder, word+".html")
			if code, _, stderr := call("export", "--case", made.ID, "--out", path); code != command.ExitAnswered {
				t.Fatalf("exit %d: %s", code, stderr)
			}
			for _, want := range []string{"Case: " + title, "Came by messenger.", "Ines, ", "The mill"} {
				if !strings.Contains(read(t, path), want) {
					t.Errorf("the page does not say %q", want)
				}
			}
		})
		t.Run("questions, tags and the conclusion", func(t *testing.T) {
			c := cases.one(t, "new", "Asked, "+word, "--by", "Ines")
			evidence := filepath.Join(folder, "pier.txt")
			assert.NoError(t, os.WriteFile(evidence, []byte("abc"), 0o600))
			const sum = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
			cases.one(t, "ask", c.ID, "Where was this taken?", "--by", "Ines")
			cases.one(t, "ask", c.ID, "When?", "--by", "Ines")
			cases.one(t, "answer", c.ID, "1", "Pier 4", "--by", "Rui", "--link", "https://example.org/pier?a=b", "--file", evidence, "--because", "the cranes' numbers")
			cases.one(t, "answer", c.ID, "Where was this taken?", "Pier 5", "--by", "Ines")
			cases.one(t, "tag", c.ID, "harbour", "Two words, split", "HARBOUR")
			if tagged := cases.one(t, "tag", c.ID, "--remove", "split", "nothing"); !slices.Equal(tagged.Tags, []string{"harbour", "Two words"}) {
				t.Errorf("%+v", tagged)
			}
			cases.one(t, "rename", c.ID, "The harbour, "+word)
			if c := cases.one(t, "conclude", c.ID, "We don't run it.", "--by", "Ines"); c.State != "concluded" || c.Conclusion == nil {
				t.Errorf("%+v", c)
			}
			code, stdout, stderr := call("case", "show", c.ID)
			for _, want := range []string{
				"The harbour, " + word + ": concluded, 0 items, ID " + c.ID + "\n", "\nTags: harbour, Two words\n", "\nQuestion 1 (Ines, ", "): Where was this taken?\n  Rui, ",
				": Pier 4\n    Link: https://example.org/pier?a=b\n    File with the SHA-256 " + sum + "\n    the cranes' numbers\n  Ines, ",
				": Pier 5\nQuestion 2 (Ines, ", "): When?\n  not answered yet\nThe desk's conclusion (Ines, ", "): We don't run it.\n",
			} {
				if code != command.ExitAnswered || stderr != "" || !strings.Contains(stdout, want) {
					t.Errorf("exit %d, without %q: %q, %q", code, want, stdout, stderr)
				}
			}
			cases.one(t, "reopen", c.ID, "--by", "Rui")
			shown := cases.one(t, "show", c.ID)
			if shown.State != "open" || shown.Conclusion == nil || shown.Conclusion.Text != "We don't run it." || shown.Conclusion.By != "Ines" || len(shown.Questions) != 2 ||
				len(shown.Questions[0].Answers) != 2 || len(shown.Questions[0].Answers[0].Evidence) != 3 || shown.Questions[0].Answers[0].Evidence[1].Value != sum {
				t.Errorf("%+v", shown)
			}
			var happened []string
			for _, e := range shown.Events {
				happened = append(happened, e.Kind+" "+e.Text)
			}
			assert.Equal(t, []string{
				"created Asked, " + word, "question Where was this taken?", "question When?", "answer Pier 4", "answer Pier 5", "tags harbour, Two words, split", "tags harbour, Two words",
				"renamed The harbour, " + word, "concluded We don't run it.", "reopened ",
			}, happened)
			refused(t, command.ExitFailed, "There is no question “3” in the case.", "case", "answer", c.ID, "3", "Here")
			cases.one(t, "ask", c.ID, "When?")
			refused(t, command.ExitFailed, "Several questions of the case are “When?”", "case", "answer", c.ID, "When?", "At noon")
			for _, flags := range [][]string{{"--link", "javascript:alert(1)"}, {"--link", "https://"}, {"--file", folder}, {"--file", filepath.Join(folder, "nothing")}, {"--because", " "}} {
				refused(t, command.ExitMisuse, "assay: ", append([]string{"case", "answer", c.ID, "1", "Here"}, flags...)...)
			}
		})
		t.Run("assigned", func(t *testing.T) {
			c := cases.one(t, "new", "Assigned, "+word)
			cases.one(t, "ask", c.ID, "Where?", "--to", "Rui", "--due", "2026-11-27", "--by", "Ines")
			cases.one(t, "ask", c.ID, "When?", "--due", "2026-11-28")
			cases.one(t, "ask", c.ID, "Who?")
			cases.one(t, "assign", c.ID, "Who?", "Zoe", "--by", "Ines")
			cases.one(t, "assign", c.ID, "3", "Anna", "--due", "2026-12-01", "--by", "Ines")
			var got []string
			for _, q := range cases.one(t, "show", c.ID).Questions {
				for _, a := range q.Assigned {
					got = append(got, q.Text+" "+a.Text+" "+a.Due)
				}
			}
			assert.Equal(t, []string{"Where? Rui 2026-11-27", "When?  2026-11-28", "Who? Anna 2026-12-01"}, got)
			_, stdout, _ := call("case", "show", c.ID)
			for _, want := range []string{": Where?\n  not answered yet\n  assigned to Rui · due 27 Nov 2026\n", ": When?\n  not answered yet\n  due 28 Nov 2026\n"} {
				if !strings.Contains(stdout, want) {
					t.Errorf("without %q: %q", want, stdout)
				}
			}
			cases.one(t, "assign", c.ID, "Where?", "")
			if q := cases.one(t, "show", c.ID).Questions[0]; len(q.Assigned) != 0 {
				t.Errorf("%+v", q)
			}
			refused(t, command.ExitMisuse, "2026-11-27", "case", "assign", c.ID, "Where?", "Rui", "--due", "Friday")
			refused(t, command.ExitMisuse, "2026-11-27", "case", "ask", c.ID, "Why?", "--due", "2026-02-30")
			refused(t, command.ExitMisuse, "A name has at most", "case", "assign", c.ID, "Where?", strings.Repeat("a", 201))
			refused(t, command.ExitFailed, "There is no question “Why?”", "case", "assign", c.ID, "Why?", "Rui")
		})
		t.Run("scan", func(t *testing.T) {
			c := cases.one(t, "new", "Scanned, "+word)
			missing := filepath.Join(folder, "missing.jpg")
			if code, _, _ := call("scan", "--case", c.ID, picture("generated.png"), missing, picture("generated.png")); code != command.ExitFailed {
				t.Errorf("exit %d", code)
			}
			if shown := cases.one(t, "show", c.ID); shown.ItemCount != 2 || len(shown.Items) != 2 || shown.Items[0].RequestID != ids[0] {
				t.Errorf("what was scanned, each content once: %+v", shown)
			}
			path := filepath.Join(folder, word+" scanned.csv")
			if code, stdout, stderr := call("export", "--case", c.ID, "--out", path); code != command.ExitAnswered || !strings.HasPrefix(stdout, "1 result ") || !strings.Contains(stderr, "1 item of the case has no answer") {
				t.Errorf("exit %d: %q, %q", code, stdout, stderr)
			}
			if code, stdout, stderr := call("scan", "--case", "Nothing of that name", picture("poster.png")); code != command.ExitFailed || stdout != "" || !strings.Contains(stderr, "There is no case “Nothing of that name”.") {
				t.Errorf("exit %d: %s", code, stderr)
			}
		})
		t.Run("refused", func(t *testing.T) {
			twin := cases.one(t, "new", "Twins, "+word)
			other := cases.one(t, "new", "Twins, "+word)
			empty := cases.one(t, "new", "Empty, "+word)
			for _, args := range [][]string{{"show"}, {"note", "a"}, {"add", ids[0]}, {"check", "place", "a"}} {
				args = append([]string{"case", args[0], twin.Title}, args[1:]...)
				refused(t, command.ExitFailed, "Several cases are called “Twins, "+word+"”", args...)
				refused(t, command.ExitFailed, twin.ID, args...)
				refused(t, command.ExitFailed, other.ID, args...)
				args[2] = "Nobody's\x1b[2J"
				refused(t, command.ExitFailed, "There is no case “Nobody's\ufffd[2J”.", args...)
			}
			none := filepath.Join(folder, "none.csv")
			refused(t, command.ExitFailed, "Several cases", "export", "--case", twin.Title, "--out", none)
			refused(t, command.ExitFailed, "Nothing in the case “Empty, "+word+"” has an answer yet", "export", "--case", empty.ID, "--out", none)
			refused(t, command.ExitFailed, "Nobody", "case", "add", twin.ID, ids[0], "Nobody")
			refused(t, command.ExitMisuse, "not both", "export", ids[0], "--case", twin.ID, "--out", none)
			refused(t, command.ExitMisuse, "source, earlier-copy, place", "case", "check", twin.ID, "weather", "Rain")
			refused(t, command.ExitMisuse, "at most 200", "case", "new", strings.Repeat("🌊", 10_000))
			refused(t, command.ExitMisuse, "at most 10", "case", "note", twin.ID, strings.Repeat("a", 10_001))
			refused(t, command.ExitMisuse, "--by", "case", "note", twin.ID, "a", "--by", strings.Repeat("a", 201))
			for _, args := range [][]string{{}, {"nothing"}, {"new"}, {"new", " \n"}, {"new", "a", "b"}, {"add", twin.ID}, {"note", twin.ID}, {"note", twin.ID, " "}, {"note", " ", "a"}, {"check", twin.ID, "place"}, {"list", "a"}, {"show"}, {"show", "--loud"},
				{"ask", twin.ID, " "}, {"answer", twin.ID, "1"}, {"tag", twin.ID}, {"tag", twin.ID, " , "}, {"tag", twin.ID, strings.Repeat("a", 51)}, {"rename", twin.ID, " "}, {"conclude", twin.ID}, {"reopen"}, {"remove", twin.ID}} {
				refused(t, command.ExitMisuse, "assay: ", append([]string{"case"}, args...)...)
			}
			if _, err := os.Stat(none); err == nil {
				t.Error("something was written")
			}
		})
	}
	t.Run("through the window that is open", func(t *testing.T) { everything(t, "open") })
	t.Run("of several processes at once, nothing is lost", func(t *testing.T) {
		c := cases.one(t, "new", "All of them")
		atOnce(t, 4, call, "case", "note", c.ID, "seen")
		if shown := cases.one(t, "show", c.ID); len(shown.Notes) != 4 {
			t.Errorf("%+v", shown)
		}
	})
	closeWindow()
	assert.Equal(t, command.ExitAnswered, <-ended)
	t.Run("alone", func(t *testing.T) { everything(t, "alone") })
	t.Run("of several processes at once without a window, nothing is lost", func(t *testing.T) {
		c := cases.one(t, "new", "All of them again")
		atOnce(t, 3, call, "case", "note", c.ID, "seen")
		if shown := cases.one(t, "show", c.ID); len(shown.Notes) != 3 {
			t.Errorf("%+v", shown)
		}
	})
	t.Run("hostile titles and notes are shown in one line, and kept as they are", func(t *testing.T) {
		for _, text := range plaintest.Hostile() {
			if strings.TrimSpace(text) == "" || len([]rune(text)) > 200 || strings.HasPrefix(text, "-") || strings.ContainsRune(text, 0) {
				continue
			}
			c := cases.one(t, "new", text)
			if want := strings.TrimSpace(strings.ToValidUTF8(text, "\ufffd")); c.Title != want {
				t.Errorf("%q is kept as %q", want, c.Title)
			}
			cases.one(t, "note", c.ID, text, "--by", text)
			for _, args := range [][]string{{"case", "show", c.ID}, {"case", "show", "--json", c.ID}, {"case", "list"}, {"case", "add", c.ID, ids[0]}} {
				code, stdout, stderr := call(args...)
				if code != command.ExitAnswered || stderr != "" {
					t.Fatalf("%q: exit %d: %s", args, code, stderr)
				}
				for _, line := range strings.Split(strings.TrimSuffix(stdout, "\n"), "\n") {
					if line != plain.Line(line) {
						t.Errorf("%q prints %q", args, line)
					}
				}
			}
		}
	})
}

// atOnce makes a call so many times at once.
func atOnce(t *testing.T, times int, call func(args ...string) (code int, stdout, stderr string), args ...string) {
	t.Helper()
	var all sync.WaitGroup
	for range times {
		all.Go(func() {
			if code, _, stderr := call(args...); code != command.ExitAnswered {
				t.Errorf("%q: exit %d: %s", args, code, stderr)
			}
		})
	}
	all.Wait()
}

func read(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	assert.NoError(t, err)
	return string(content)
}
