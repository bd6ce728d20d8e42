package command_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/client"
	"assay/client/assert"
	"assay/client/command"
	"assay/client/sandbox"
	"assay/client/session"
	"assay/client/verdict"
)

func picture(name string) string {
	return filepath.Join("..", "..", "testdata", "pictures", name)
}

// run calls the binary's command line in this process.
func run(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	t.Setenv("ASSAY_SERVER", "")
	t.Setenv("ASSAY_API_KEY", "")
	var out, err bytes.Buffer
	noWindow := func(context.Context, *session.Host, []string) error {
		return &session.Misuse{Sentence: "no window in this test"}
	}
	code = command.Main(t.Context(), session.Options{}, append(args, "--home", t.TempDir()), nil, &out, &err, noWindow)
	return code, out.String(), err.String()
}

type answer struct {
	Path, SHA256, RequestID, Status, Verdict, Error, Note string
	Earlier                                               bool
	Checked                                               []struct{ By, Status string }
	Score                                                 *float64
	Models                                                []struct {
		Name, Status string
		Score        *float64
	}
}

func answers(t *testing.T, stdout string) []answer {
	t.Helper()
	var all []answer
	decoder := json.NewDecoder(strings.NewReader(stdout))
	for {
		var a answer
		if err := decoder.Decode(&a); err == io.EOF {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, a)
	}
}

func TestScanAnswersEachFileInTheOrderGiven(t *testing.T) {
	code, stdout, stderr := run(t, "scan", "--sandbox", "--json", picture("generated.png"), picture("dandelion.webp"), picture("poster.png"))
	if code != command.ExitAnswered {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	got := answers(t, stdout)
	if len(got) != 3 {
		t.Fatalf("%d answers:\n%s", len(got), stdout)
	}
	for i, want := range []struct{ file, status string }{{"generated.png", "FAKE"}, {"dandelion.webp", "AUTHENTIC"}, {"poster.png", "NOT_APPLICABLE"}} {
		a := got[i]
		if filepath.Base(a.Path) != want.file || a.Status != want.status || a.RequestID == "" || len(a.SHA256) != 64 || a.Verdict == "" || len(a.Models) == 0 {
			t.Errorf("answer %d is %+v", i, a)
		}
		if a.Note != verdict.SandboxNote {
			t.Errorf("answer %d does not say that it is the sandbox's", i)
		}
	}
	if got[2].Score != nil {
		t.Errorf("a score of %v was made up", *got[2].Score)
	}
}

func TestTheSameBytesUnderAnotherNameGiveTheSameNumbers(t *testing.T) {
	data, err := os.ReadFile(picture("generated.png"))
	assert.NoError(t, err)
	renamed := filepath.Join(t.TempDir(), "holiday.PNG")
	assert.NoError(t, os.WriteFile(renamed, data, 0o600))
	_, first, _ := run(t, "scan", "--sandbox", "--json", picture("generated.png"))
	_, second, _ := run(t, "scan", "--sandbox", "--json", renamed)
	a, b := answers(t, first)[0], answers(t, second)[0]
	if diff := cmp.Diff(a.Models, b.Models); diff != "" || a.Score == nil || *a.Score != *b.Score || a.SHA256 != b.SHA256 {
		t.Errorf("the name made a difference: %s", diff)
	}
}

func TestScanSaysWhatIsWrongAndGoesOn(t *testing.T) {
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty.png")
	for _, name := range []string{empty, filepath.Join(dir, ".hidden.png"), filepath.Join(dir, "notes.pdf")} {
		assert.NoError(t, os.WriteFile(name, nil, 0o600))
	}
	code, stdout, stderr := run(t, "scan", "--sandbox", filepath.Join(dir, "gone.png"), dir, picture("generated.png"), picture("generated.png"))
	if code != command.ExitFailed {
		t.Errorf("exit %d", code)
	}
	if want := "Left out of the folders: 1 of a type that is not supported (.pdf), 1 hidden."; !strings.Contains(stderr, want) {
		t.Errorf("it says %q, without %q", stderr, want)
	}
	lines := strings.Split(strings.TrimSpace(stdout), "\n")
	if len(lines) != 4 {
		t.Fatalf("%d lines:\n%s", len(lines), stdout)
	}
	for i, want := range []string{
		"gone.png: not answered. ",
		"empty.png: not answered. This file is empty.",
		"generated.png: Likely manipulated or AI-generated (ensemble ",
		"[same file as before]",
	} {
		if !strings.Contains(lines[i], want) {
			t.Errorf("line %d is %q, without %q", i, lines[i], want)
		}
	}
}

func TestScanOfAFolderWithoutFiles(t *testing.T) {
	dir := t.TempDir()
	for name, says := range map[string]string{"empty": "No file added: there is none in it.", "other": "No file added. Left out: 1 of a type that is not supported (.pdf)."} {
		t.Run("says so, and does not pass for answered: "+name, func(t *testing.T) {
			folder := filepath.Join(dir, name)
			assert.NoError(t, os.Mkdir(folder, 0o700))
			if name == "other" {
				assert.NoError(t, os.WriteFile(filepath.Join(folder, "notes.pdf"), nil, 0o600))
			}
			code, stdout, stderr := run(t, "scan", "--sandbox", folder)
			if code != command.ExitFailed || stdout != "" || !strings.Contains(stderr, says) {
				t.Errorf("exit %d, stdout %q, stderr %q", code, stdout, stderr)
			}
		})
	}
}

func TestMisuseIsExitTwoWithASentence(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
		says string
	}{
		{"no file", []string{"scan", "--sandbox"}, "Name at least one file, folder or link"},
		{"a file without a name, which must not mean the folder that this was started in", []string{"scan", "--sandbox", picture("poster.png"), ""}, "has no name"},
		{"a file of spaces", []string{"scan", "--sandbox", " \t"}, "has no name"},
		{"no service named", []string{"scan", picture("poster.png")}, "--sandbox"},
		{"two services", []string{"scan", "--sandbox", "--server", "https://service.example", picture("poster.png")}, "not both"},
		{"an unknown flag", []string{"scan", "--loud"}, "--loud"},
		{"an unknown log level", []string{"scan", "--sandbox", "--log-level", "shout", picture("poster.png")}, "--log-level"},
		{"no display", nil, "no window"},
		{"a sandbox beyond this computer", []string{"sandbox", "--addr", "0.0.0.0:0"}, "0.0.0.0:0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, stdout, stderr := run(t, c.args...)
			if code != command.ExitMisuse || !strings.Contains(stderr, c.says) || stdout != "" {
				t.Errorf("exit %d, stdout %q, stderr %q", code, stdout, stderr)
			}
		})
	}
}

func TestUnusableConnectionsAreMisuse(t *testing.T) {
	t.Setenv("ASSAY_SERVER", "")
	t.Setenv("ASSAY_API_KEY", "secret-key")
	for _, c := range []struct {
		name string
		args []string
		says string
	}{
		{"K7 a plain address", []string{"--server", "http://service.example"}, "https://"},
		{"a CA file that is not there", []string{"--server", "https://service.example", "--ca-file", "gone.pem"}, "certificate file"},
		{"a proxy that is none", []string{"--server", "https://service.example", "--proxy", "::"}, "proxy"},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, stdout, stderr := call(t, append([]string{"list"}, c.args...)...)
			if code != command.ExitMisuse || !strings.Contains(stderr, c.says) || stdout != "" || strings.Contains(stderr, "secret-key") {
				t.Errorf("exit %d, stdout %q, stderr %q", code, stdout, stderr)
			}
		})
	}
}

func TestWhatWasAnsweredIsKept(t *testing.T) {
	t.Setenv("ASSAY_SERVER", "")
	home := t.TempDir()
	scan := func(flags ...string) answer {
		t.Helper()
		var out, errs bytes.Buffer
		args := append([]string{"scan", "--sandbox", "--json", "--home", home}, flags...)
		if code := command.Main(t.Context(), session.Options{}, append(args, picture("poster.png")), nil, &out, &errs, nil); code != command.ExitAnswered {
			t.Fatalf("exit %d: %s", code, errs.String())
		}
		return answers(t, out.String())[0]
	}
	list := func() []answer {
		t.Helper()
		var out, errs bytes.Buffer
		if code := command.Main(t.Context(), session.Options{}, []string{"list", "--sandbox", "--json", "--home", home}, nil, &out, &errs, nil); code != command.ExitAnswered {
			t.Fatalf("exit %d: %s", code, errs.String())
		}
		return answers(t, out.String())
	}
	first := scan()
	if first.Earlier || first.RequestID == "" {
		t.Fatalf("the first answer is %+v", first)
	}
	t.Run("a later scan of the same file prints the earlier answer and submits nothing", func(t *testing.T) {
		later := scan()
		if !later.Earlier || later.RequestID != first.RequestID || later.Status != first.Status {
			t.Errorf("got %+v after %+v", later, first)
		}
		if all := list(); len(all) != 1 {
			t.Errorf("the service has %d submissions", len(all))
		}
	})
	t.Run("--again submits it anew", func(t *testing.T) {
		again := scan("--again")
		if again.Earlier || again.RequestID == first.RequestID || again.Status != first.Status {
			t.Errorf("got %+v after %+v", again, first)
		}
	})
	t.Run("--no-wait ends once the service has it, and a later scan prints the answer", func(t *testing.T) {
		sent := scan("--again", "--no-wait")
		if sent.RequestID == "" || sent.Error != "" {
			t.Errorf("got %+v", sent)
		}
		if later := scan(); later.RequestID != sent.RequestID || later.Status != first.Status {
			t.Errorf("got %+v after %+v", later, sent)
		}
		if all := list(); len(all) != 3 {
			t.Errorf("the service has %d submissions", len(all))
		}
	})
}

func TestSandboxPrintsAddressAndKeyAndServesUntilStopped(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	reader, writer := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		var errs bytes.Buffer
		ended <- command.Main(ctx, session.Options{}, []string{"sandbox", "--dir", t.TempDir()}, nil, writer, &errs, nil)
	}()
	said := make([]byte, 512)
	n, err := io.ReadAtLeast(reader, said, len("url: \nkey: \n"))
	assert.NoError(t, err)
	lines := strings.Split(string(said[:n]), "\n")
	address, okURL := strings.CutPrefix(lines[0], "url: ")
	key, okKey := strings.CutPrefix(lines[1], "key: ")
	if !okURL || !okKey {
		t.Fatalf("it printed %q", said[:n])
	}
	c, err := client.New(client.Options{BaseURL: address, Key: func() string { return key }})
	assert.NoError(t, err)
	if _, err := c.List(t.Context(), client.ListQuery{}); err != nil {
		t.Errorf("it does not serve: %v", err)
	}
	c.Close()
	stop()
	assert.Equal(t, command.ExitAnswered, <-ended)
}

// served starts `assay sandbox` behind the environment of a real service and returns the id of a picture that it answered.
func served(t *testing.T) (requestID string) {
	t.Helper()
	box, err := sandbox.New(sandbox.Options{Dir: t.TempDir()})
	assert.NoError(t, err)
	server, err := sandbox.Listen(t.Context(), "127.0.0.1:0", box)
	assert.NoError(t, err)
	t.Cleanup(func() { _, _ = server.Close(), box.Close() })
	t.Setenv("ASSAY_SERVER", server.URL())
	t.Setenv("ASSAY_API_KEY", box.Key())
	code, stdout, stderr := call(t, "scan", "--json", picture("generated.png"))
	if code != command.ExitAnswered {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	return answers(t, stdout)[0].RequestID
}

// call is run with the environment as it is.
func call(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = command.Main(t.Context(), session.Options{}, append(args, "--home", t.TempDir()), nil, &out, &errs, nil)
	return code, out.String(), errs.String()
}

func TestListShowsOwnResults(t *testing.T) {
	id := served(t)
	code, stdout, stderr := call(t, "list", "--name", "generated")
	if code != command.ExitAnswered || !strings.Contains(stdout, id) || !strings.Contains(stdout, "generated") || !strings.Contains(stdout, ".png: Likely manipulated or AI-generated (ensemble ") {
		t.Errorf("exit %d, %q, %q", code, stdout, stderr)
	}
	code, stdout, _ = call(t, "list", "--json")
	got := answers(t, stdout)
	if code != command.ExitAnswered || len(got) != 1 || got[0].RequestID != id || got[0].Status != "FAKE" {
		t.Errorf("exit %d: %s", code, stdout)
	}
	if _, stdout, _ = call(t, "list", "--name", "nothing-of-that-name"); stdout != "" {
		t.Errorf("it lists %q", stdout)
	}
	if code, _, stderr = call(t, "list", "--from", "yesterday"); code != command.ExitMisuse || !strings.Contains(stderr, "--from is a day") {
		t.Errorf("exit %d, %q", code, stderr)
	}
}

func TestShowSaysWhatEachModelSaid(t *testing.T) {
	id := served(t)
	code, stdout, stderr := call(t, "show", id)
	for _, want := range []string{"generated", "Likely manipulated or AI-generated", "sandbox-provenance-img: Likely manipulated, ", "not applicable", "release sandbox-1"} {
		if code != command.ExitAnswered || !strings.Contains(stdout, want) {
			t.Errorf("exit %d, %q is missing in %q, %q", code, want, stdout, stderr)
		}
	}
	code, stdout, _ = call(t, "show", id, "--json")
	if code != command.ExitAnswered || !json.Valid([]byte(stdout)) || !strings.Contains(stdout, `"requestId"`) {
		t.Errorf("exit %d: %q", code, stdout)
	}
	if strings.Contains(stdout, "Signature") || strings.Contains(stdout, "X-Sandbox") {
		t.Errorf("a signed address's query is printed: %s", stdout)
	}
	if code, _, stderr = call(t, "show", "no-such-id"); code != command.ExitFailed || stderr == "" {
		t.Errorf("exit %d, %q", code, stderr)
	}
	if code, _, _ = call(t, "show"); code != command.ExitMisuse {
		t.Errorf("exit %d without an ID", code)
	}
}

func TestFeedbackIsSentWithLabelAndCategory(t *testing.T) {
	id := served(t)
	code, stdout, stderr := call(t, "feedback", id, "--label", "manipulated", "--category", "confirmation", "--comment", "as said")
	if code != command.ExitAnswered || !strings.HasPrefix(stdout, "sent: manipulated, confirmation ") {
		t.Errorf("exit %d, %q, %q", code, stdout, stderr)
	}
	t.Run("F4 the service's own words are printed", func(t *testing.T) {
		code, _, stderr := call(t, "feedback", "no-such-id", "--label", "real", "--category", "other")
		if code != command.ExitFailed || !strings.Contains(stderr, "Media result does not exist!") {
			t.Errorf("exit %d, %q", code, stderr)
		}
	})
	t.Run("F2 nothing else than the listed values is sent", func(t *testing.T) {
		for _, args := range [][]string{{"--label", "maybe", "--category", "other"}, {"--label", "real", "--category", "whim"}, {}} {
			if code, _, stderr := call(t, append([]string{"feedback", id}, args...)...); code != command.ExitMisuse {
				t.Errorf("%v: exit %d, %q", args, code, stderr)
			}
		}
	})
}
