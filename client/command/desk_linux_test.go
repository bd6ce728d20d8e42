package command_test

import (
	"bytes"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/client/assert"
	"assay/client/command"
	"assay/client/desk/files/filestest"
	"assay/client/desk/postgres/desktest"
	"assay/client/session"
)

// newsroom is a desk, and people who call Assay on computers of their own.
type newsroom struct {
	*desktest.Database
	t     *testing.T
	homes []string
}

// at is somebody's computer, with the embedded sandbox as its service.
func (n *newsroom) at() (call func(args ...string) (code int, stdout, stderr string)) {
	home := n.t.TempDir()
	n.homes = append(n.homes, home)
	return func(args ...string) (int, string, string) {
		var out, errs bytes.Buffer
		code := command.Main(n.t.Context(), session.Options{}, append(args, "--sandbox", "--home", home), strings.NewReader(""), &out, &errs, nil)
		return code, out.String(), errs.String()
	}
}

// files are what is in all files of the people's homes.
func (n *newsroom) files() (all []string) {
	n.t.Helper()
	for _, home := range n.homes {
		assert.NoError(n.t, filepath.WalkDir(home, func(path string, f os.DirEntry, err error) error {
			if err != nil || !f.Type().IsRegular() {
				return err
			}
			content, err := os.ReadFile(path) //nolint:gosec // of the test's own home
			all = append(all, string(content))
			return err
		}))
	}
	return all
}

// secrets are the keys of the embedded services, and what these sign their links with.
func (n *newsroom) secrets() (all []string) {
	n.t.Helper()
	for _, home := range n.homes {
		assert.NoError(n.t, filepath.WalkDir(home, func(path string, f os.DirEntry, err error) error {
			if err != nil || f.IsDir() || f.Name() != "key" && f.Name() != "secret" {
				return err
			}
			secret, err := os.ReadFile(path) //nolint:gosec // of the test's own home
			all = append(all, strings.TrimSpace(string(secret)))
			return err
		}))
	}
	return all
}

func TestAnnaAndRuiWorkAtADesk(t *testing.T) {
	n := &newsroom{Database: desktest.Start(t).NewDatabase(t), t: t}
	t.Setenv(session.DeskPasswordVariable, desktest.Password)
	anna, rui := n.at(), n.at()
	ok := func(code int, stdout, stderr string) string {
		t.Helper()
		if code != command.ExitAnswered {
			t.Fatalf("exit %d: %s%s", code, stdout, stderr)
		}
		return stdout
	}
	status := func(call func(...string) (int, string, string)) (s struct {
		Joined, Connected                   bool
		Member, Role                        string
		Pending, Refused, Altered, Received int
	}) {
		t.Helper()
		assert.NoError(t, json.Unmarshal([]byte(ok(call("desk", "status", "--json"))), &s))
		return s
	}
	flood, mill := picture("generated.png"), picture("mountains.jpg")

	t.Run("before there is a desk", func(t *testing.T) {
		assert.Equal(t, false, status(anna).Joined)
		for _, args := range [][]string{{"desk", "sync"}, {"desk", "leave"}, {"desk", "members"}, {"case", "share", "The flood", "--yes"}} {
			if code, stdout, stderr := anna(args...); code != command.ExitFailed || stdout != "" || !strings.Contains(stderr, "has not joined a desk") {
				t.Errorf("%q: exit %d, %q, %q", args, code, stdout, stderr)
			}
		}
		if code, _, stderr := anna("desk", "join", n.URL("anna_"+n.Name)); code != command.ExitFailed || stderr == "" {
			t.Errorf("joined without being let in: exit %d, %q", code, stderr)
		}
	})
	t.Run("IT sets it up", func(t *testing.T) {
		var out, errs bytes.Buffer
		code := command.Main(t.Context(), session.Options{}, []string{"desk", "init", "--admin", n.URL(n.Owner), "--member", "anna_" + n.Name + ":editor", "--member", "rui_" + n.Name + ":reviewer", "--home", t.TempDir()},
			strings.NewReader(desktest.Password+"\n"+desktest.Password+"\n"), &out, &errs, nil)
		if code != command.ExitAnswered || !strings.Contains(out.String(), "2 members can join it") || errs.Len() > 0 {
			t.Fatalf("exit %d: %s%s", code, out.String(), errs.String())
		}
	})
	t.Run("both join", func(t *testing.T) {
		ok(anna("desk", "join", n.URL("anna_"+n.Name)))
		t.Run("wherever the certificate was when he did", func(t *testing.T) {
			t.Chdir(filepath.Dir(n.Authority))
			ok(rui("desk", "join", strings.Replace(n.URL("rui_"+n.Name), url.QueryEscape(n.Authority), filepath.Base(n.Authority), 1)))
		})
		s := status(rui)
		assert.Equal(t, true, s.Joined && s.Connected)
		assert.Equal(t, "reviewer", s.Role)
		if members := ok(anna("desk", "members")); !strings.Contains(members, "rui_"+n.Name+": reviewer\n") {
			t.Errorf("members: %s", members)
		}
	})
	older := t.TempDir() // what her computer is set back to
	assert.NoError(t, os.CopyFS(older, os.DirFS(n.homes[0])))
	t.Run("she shares a case with him, and he sees what was checked", func(t *testing.T) {
		scanned := answers(t, ok(anna("scan", "--json", flood, mill)))
		ok(anna("case", "new", "The flood"))
		ok(anna("case", "add", "The flood", scanned[0].RequestID))
		ok(anna("case", "note", "The flood", "Came by messenger."))
		if code, stdout, stderr := anna("case", "share", "The flood", "--yes", "--with", "nobody"); code != command.ExitFailed || stdout != "" || !strings.Contains(stderr, "nobody is not a member of the desk.") {
			t.Errorf("with somebody who is no member: exit %d, %q, %q", code, stdout, stderr)
		}
		code, stdout, stderr := anna("case", "share", "The flood", "--yes", "--with", "rui_"+n.Name+":reviewer")
		if ok(code, stdout, stderr); !strings.Contains(stderr, "1 result is shared") || !strings.Contains(stdout, "“The flood” is shared.") {
			t.Errorf("%q, %q", stdout, stderr)
		}
		assert.Equal(t, 0, status(anna).Pending)
		ok(rui("desk", "sync"))
		shown := ok(rui("case", "show", "The flood", "--json"))
		if !strings.Contains(shown, "Came by messenger.") || !strings.Contains(shown, scanned[0].RequestID) || strings.Contains(shown, filepath.Base(flood)) {
			t.Errorf("he sees %s", shown)
		}
		var feed struct{ Events []struct{ Kind string } }
		assert.NoError(t, json.Unmarshal([]byte(shown), &feed))
		assert.Equal(t, "created", feed.Events[0].Kind)
	})
	t.Run("with what she saw, in a folder that both can reach", func(t *testing.T) {
		folder := t.TempDir()
		says := func(sentence string, args ...string) {
			t.Helper()
			if code, stdout, stderr := anna(args...); code == command.ExitAnswered || stdout != "" || !strings.Contains(stderr, sentence) {
				t.Errorf("%q: exit %d, %q, %q", args, code, stdout, stderr)
			}
		}
		says("--files must be", "case", "share", "The flood", "--yes", "--files", "all")
		says("--share answer", "case", "share", "The flood", "--yes", "--files", "plain", "--share", "status")
		says("has no place for heatmaps", "case", "share", "The flood", "--yes", "--files", "encrypted")
		says("whole path", "desk", "join", n.URL("anna_"+n.Name)+"&files=pictures")
		for call, login := range map[*func(...string) (int, string, string)]string{&anna: "anna_", &rui: "rui_"} {
			ok((*call)("desk", "join", n.URL(login+n.Name)+"&files="+url.QueryEscape(folder)))
		}
		code, stdout, stderr := anna("case", "share", "The flood", "--yes", "--files", "encrypted")
		if ok(code, stdout, stderr); !strings.Contains(stderr, "small pictures are kept in "+folder+", encrypted.") {
			t.Errorf("%q, %q", stdout, stderr)
		}
		there, err := filepath.Glob(filepath.Join(folder, "*"))
		assert.NoError(t, err)
		assert.True(t, len(there) > 0, "there are none")
		ok(rui("desk", "sync"))
		out := filepath.Join(t.TempDir(), "case.html")
		ok(rui("export", "--case", "The flood", "--media", "received", "--out", out))
		page, err := os.ReadFile(out)
		assert.NoError(t, err)
		if !strings.Contains(string(page), "data:image/") {
			t.Errorf("his report has no picture")
		}
	})
	t.Run("he takes over her answer, and sends only what nobody has checked", func(t *testing.T) {
		got := answers(t, ok(rui("scan", "--json", "--unless-checked", flood, mill)))
		hers := answers(t, ok(anna("scan", "--json", flood)))
		assert.Equal(t, hers[0].RequestID, got[0].RequestID)
		assert.Equal(t, "anna_"+n.Name, got[0].Checked[0].By)
		assert.Equal(t, got[0].Status, got[0].Checked[0].Status)
		assert.Equal(t, 0, len(got[1].Checked))
		list := ok(rui("list", "--json"))
		if strings.Contains(list, "generated") || !strings.Contains(list, "mountains") {
			t.Errorf("his service has %s", list)
		}
	})
	t.Run("of his own result, he is told that she has checked the same file", func(t *testing.T) {
		own := answers(t, ok(rui("scan", "--json", "--again", flood)))[0]
		var shown struct {
			RequestID string
			Checked   []struct{ By, At, Status, Release, Case string }
		}
		code, stdout, stderr := rui("show", "--json", own.RequestID)
		if err := json.Unmarshal([]byte(ok(code, stdout, stderr)), &shown); err != nil || shown.RequestID != own.RequestID || len(shown.Checked) != 1 || stderr != "" {
			t.Fatalf("%v: %s%s", err, stdout, stderr)
		}
		got := shown.Checked[0]
		assert.Equal(t, own.Checked[0].By, got.By)
		assert.Equal(t, own.Checked[0].Status, got.Status)
		assert.True(t, got.At != "" && got.Release != "" && got.Case != "", "%+v", got)
		other := answers(t, ok(rui("scan", "--json", mill)))[0]
		if shown := ok(rui("show", "--json", other.RequestID)); strings.Contains(shown, `"checked"`) {
			t.Errorf("of what nobody has checked: %s", shown)
		}
	})
	t.Run("what she scans into the case reaches him, but for what never leaves", func(t *testing.T) {
		ok(anna("scan", "--case", "The flood", mill))
		if code, _, stderr := anna("scan", "--case", "The flood", "--gate", "never", picture("poster.png")); code != command.ExitFailed {
			t.Errorf("exit %d: %s", code, stderr)
		}
		ok(anna("desk", "sync"))
		ok(rui("desk", "sync"))
		if shown := casesOf(rui).one(t, "show", "The flood"); shown.ItemCount != 2 || len(shown.Items) != 2 {
			t.Errorf("he sees %+v", shown)
		}
		assert.Equal(t, 3, casesOf(anna).one(t, "show", "The flood").ItemCount)
	})
	t.Run("she judges it, and he signs that off", func(t *testing.T) {
		of := answers(t, ok(anna("scan", "--json", flood)))[0].RequestID
		ok(rui("case", "require-sign-off", "The flood", "yes"))
		ok(rui("desk", "sync"))
		ok(anna("feedback", of, "--label", "MANIPULATED", "--category", "OTHER", "--comment", "The waterline."))
		ok(anna("desk", "sync"))
		says := func(call func(...string) (int, string, string), want, sentence string, args ...string) {
			t.Helper()
			if code, stdout, stderr := call(args...); want == "" && (code != command.ExitFailed || stdout != "") || !strings.Contains(stdout+stderr, sentence) {
				t.Errorf("%q: exit %d, %q, %q", args, code, stdout, stderr)
			}
		}
		says(anna, "", "This is your own judgement. A second person has to sign it off.", "case", "sign-off", "The flood", of)
		says(anna, "", "can't be concluded yet", "case", "conclude", "The flood", "It is not real.")
		says(rui, "", "There is no such judgement", "case", "sign-off", "The flood", answers(t, ok(rui("scan", "--json", mill)))[0].RequestID)
		ok(rui("desk", "sync"))
		says(rui, "shown", of+": judged by anna_"+n.Name, "case", "show", "The flood")
		says(rui, "shown", "Not signed off", "case", "show", "The flood")
		says(rui, "done", "You have signed off the judgement in “The flood”.", "case", "sign-off", "The flood", of)
		ok(rui("desk", "sync"))
		ok(anna("desk", "sync"))
		var shown struct {
			SignOffRequired bool
			Judgements      []struct {
				RequestID, Label, Text, By string
				SignedOff                  bool
				SignOffs                   []struct{ By string }
			}
			Events []struct{ Kind, Label, By string }
		}
		assert.NoError(t, json.Unmarshal([]byte(ok(anna("case", "show", "The flood", "--json"))), &shown))
		assert.Equal(t, true, shown.SignOffRequired)
		assert.Equal(t, 1, len(shown.Judgements))
		j := shown.Judgements[0]
		assert.Equal(t, []string{of, "MANIPULATED", "The waterline.", "anna_" + n.Name, "rui_" + n.Name}, []string{j.RequestID, j.Label, j.Text, j.By, j.SignOffs[0].By})
		assert.Equal(t, true, j.SignedOff)
		last := shown.Events[len(shown.Events)-1]
		assert.Equal(t, []string{"signed-off", "MANIPULATED", "rui_" + n.Name}, []string{last.Kind, last.Label, last.By})
		ok(anna("case", "conclude", "The flood", "It is not real."))
	})
	t.Run("its owner says for how long the desk keeps it", func(t *testing.T) {
		if said := ok(anna("case", "keep", "The flood", "90d")); !strings.Contains(said, "for 90 days after its last entry") {
			t.Errorf("she is told %s", said)
		}
		ok(anna("desk", "sync"))
		ok(rui("desk", "sync"))
		var shown struct{ Keep int }
		assert.NoError(t, json.Unmarshal([]byte(ok(rui("case", "show", "The flood", "--json"))), &shown))
		assert.Equal(t, 90, shown.Keep)
		if code, _, stderr := rui("case", "keep", "The flood", "always"); code != command.ExitFailed || !strings.Contains(stderr, "Only the owner of a case") {
			t.Errorf("he: exit %d, %s", code, stderr)
		}
		if code, _, stderr := anna("case", "keep", "The flood", "soon"); code != command.ExitMisuse || !strings.Contains(stderr, "for how many days") {
			t.Errorf("a misspelling: exit %d, %s", code, stderr)
		}
	})
	t.Run("what he wrote, he has removed for everyone", func(t *testing.T) {
		ok(rui("case", "note", "The flood", "My source is Max."))
		ok(rui("desk", "sync"))
		ok(anna("desk", "sync"))
		entry := func(call func(...string) (int, string, string), kind, text string) (id string) {
			var shown struct {
				Events []struct{ ID, Kind, Text, Removed string }
			}
			assert.NoError(t, json.Unmarshal([]byte(ok(call("case", "show", "The flood", "--json"))), &shown))
			for _, e := range shown.Events {
				if e.Kind == kind && e.Text == text && (kind != "emptied" || e.Removed != "") {
					return e.ID
				}
			}
			t.Fatalf("there is no %s %q in %+v", kind, text, shown)
			return ""
		}
		note := entry(rui, "note", "Came by messenger.")
		if code, _, stderr := rui("case", "redact", "The flood", note, "--yes"); code != command.ExitFailed || !strings.Contains(stderr, "Only who wrote this") {
			t.Errorf("hers: exit %d, %s", code, stderr)
		}
		his := entry(rui, "note", "My source is Max.")
		if code, _, stderr := rui("case", "redact", "The flood", his); code != command.ExitMisuse || !strings.Contains(stderr, "My source is Max.") || !strings.Contains(stderr, "stays") {
			t.Errorf("without being asked: exit %d, %s", code, stderr)
		}
		if said := ok(rui("case", "redact", "The flood", his, "--yes")); !strings.Contains(said, "is removed") {
			t.Errorf("he is told %s", said)
		}
		ok(rui("desk", "sync"))
		ok(anna("desk", "sync"))
		entry(anna, "emptied", "rui_"+n.Name)
		entry(rui, "emptied", "rui_"+n.Name)
		for who, call := range map[string]func(...string) (int, string, string){"Anna": anna, "Rui": rui} {
			if shown := ok(call("case", "show", "The flood", "--json")); strings.Contains(shown, "Max") {
				t.Errorf("%s has %s", who, shown)
			}
		}
		if strings.Contains(n.Backup(t), "Max") {
			t.Error("the desk still has it")
		}
	})
	t.Run("with what she saw, in a store that both have the key of", func(t *testing.T) {
		place := filestest.Start(t)
		address := func(login string) string { return n.URL(login+n.Name) + "&files=" + url.QueryEscape(place.URL) }
		for _, key := range []string{"", "desk-access:a-wrong-word"} {
			t.Setenv(session.DeskFilesVariable, key)
			code, stdout, stderr := anna("desk", "join", address("anna_"), "--log-level", "debug")
			if code != command.ExitFailed || !strings.Contains(stderr, "key") || strings.Contains(stdout+stderr, "a-wrong-word") {
				t.Errorf("exit %d, %q, %q", code, stdout, stderr)
			}
		}
		if code, _, stderr := anna("desk", "join", n.URL("anna_"+n.Name)+"&files="+url.QueryEscape("https://"+filestest.Key+"@files.example.org/desk")); code != command.ExitMisuse {
			t.Errorf("a key in the address: exit %d, %q", code, stderr)
		}
		t.Setenv(session.DeskFilesVariable, filestest.Key)
		said := ""
		for call, login := range map[*func(...string) (int, string, string)]string{&anna: "anna_", &rui: "rui_"} {
			code, stdout, stderr := (*call)("desk", "join", address(login), "--log-level", "debug")
			said += ok(code, stdout, stderr) + stderr
		}
		code, stdout, stderr := anna("case", "share", "The flood", "--yes", "--files", "encrypted", "--log-level", "debug")
		said += ok(code, stdout, stderr) + stderr
		ok(anna("scan", "--case", "The flood", picture("peaks-composite.jpg")))
		code, stdout, stderr = anna("desk", "sync", "--log-level", "debug")
		said += ok(code, stdout, stderr) + stderr
		assert.True(t, len(place.Names()) > 0, "nothing is in the store")
		code, stdout, stderr = rui("desk", "sync", "--log-level", "debug")
		said += ok(code, stdout, stderr) + stderr
		before := len(place.Names())
		file := answers(t, ok(anna("scan", "--json", flood)))[0].RequestID
		if code, _, stderr := anna("case", "share", "The flood", "--original", file, "--files", "plain", "--yes"); code != command.ExitMisuse {
			t.Errorf("with --files: exit %d, %q", code, stderr)
		}
		if code, _, stderr := anna("case", "share", "The flood", "--original", file); code != command.ExitMisuse || !strings.Contains(stderr, "The file itself is shared (") {
			t.Errorf("without anybody who could be asked: exit %d, %q", code, stderr)
		}
		if code, _, stderr := rui("case", "share", "The flood", "--original", file, "--yes"); code != command.ExitFailed || !strings.Contains(stderr, "that you have shared") {
			t.Errorf("what is not his: exit %d, %q", code, stderr)
		}
		assert.Equal(t, before, len(place.Names()))
		code, stdout, stderr = anna("case", "share", "The flood", "--original", file, "--yes", "--log-level", "debug")
		said += ok(code, stdout, stderr) + stderr
		assert.True(t, strings.Contains(stdout, "The file is shared.") && strings.Contains(stderr, "Its name is not.") && strings.Contains(stderr, ", encrypted."), "%q, %q", stdout, stderr)
		assert.Equal(t, before+1, len(place.Names()))
		_, secret, _ := strings.Cut(filestest.Key, ":")
		for _, has := range append(n.files(), said, n.Backup(t)) {
			assert.True(t, !strings.Contains(has, secret), "the key of the store is in a log, the database or a home")
		}
		for login, call := range map[string]func(...string) (int, string, string){"anna_": anna, "rui_": rui} {
			ok(call("desk", "join", n.URL(login+n.Name)))
		}
	})
	t.Run("of what is secret, and of what stays on a computer, the database has nothing", func(t *testing.T) {
		ok(anna("desk", "sync"))
		all := n.Backup(t)
		for _, there := range []string{"Came by messenger.", "The waterline.", "It is not real.", "\ttitle\t", "\tresult\t", "\tjudgement\t", "\tsign_off\t", "\trule\t", "\tconclusion\t"} {
			if !strings.Contains(all, there) {
				t.Errorf("it does not have %q", there)
			}
		}
		secrets := n.secrets()
		if len(secrets) < 4 {
			t.Fatalf("only %d secrets of the two services", len(secrets))
		}
		for _, gone := range append(secrets, append(n.homes, desktest.Password, "X-Sandbox-", "http://", filepath.Base(flood), filepath.Base(mill), "testdata")...) {
			if strings.Contains(all, gone) {
				t.Errorf("it has %q", gone)
			}
		}
	})
	t.Run("who leaves keeps the case", func(t *testing.T) {
		ok(rui("desk", "leave"))
		assert.Equal(t, false, status(rui).Joined)
		if shown := ok(rui("case", "show", "The flood")); !strings.Contains(shown, "Came by messenger.") {
			t.Errorf("he has %s", shown)
		}
	})
	t.Run("whose records were set back is told", func(t *testing.T) {
		_, err := n.Login(n.Owner).Exec(t.Context(), "UPDATE desk.checkpoints SET at = at - interval '2 hours'")
		assert.NoError(t, err)
		ok(anna("desk", "sync"))
		if shown := ok(anna("desk", "status", "--json")); strings.Contains(shown, "custody") {
			t.Errorf("before, it is said: %s", shown)
		}
		assert.NoError(t, os.RemoveAll(n.homes[0]))
		assert.NoError(t, os.CopyFS(n.homes[0], os.DirFS(older)))
		if shown := ok(anna("desk", "status", "--json")); !strings.Contains(shown, `"custody":[{"member":"anna_`+n.Name+`","here":true,"change":"shrank"}]`) {
			t.Errorf("it is not said: %s", shown)
		}
		if shown := ok(anna("desk", "status")); !strings.Contains(shown, "has fewer entries than the desk knows") {
			t.Errorf("she is told %s", shown)
		}
	})
}
