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
	"assay/client/command"
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
	noWindow := func(context.Context, *command.Session, []string) error {
		return &command.Misuse{Sentence: "no window in this test"}
	}
	code = command.Run(t.Context(), append(args, "--home", t.TempDir()), &out, &err, noWindow)
	return code, out.String(), err.String()
}

type answer struct {
	Path, SHA256, RequestID, Status, Verdict, Error, Note string
	Earlier                                               bool
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
	code, stdout, stderr := run(t, "scan", "--sandbox", "--json", picture("generated.png"), picture("mountains.jpg"), picture("poster.png"))
	if code != command.ExitAnswered {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	got := answers(t, stdout)
	if len(got) != 3 {
		t.Fatalf("%d answers:\n%s", len(got), stdout)
	}
	for i, want := range []struct{ file, status string }{{"generated.png", "FAKE"}, {"mountains.jpg", "AUTHENTIC"}, {"poster.png", "NOT_APPLICABLE"}} {
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
	data, err := os.ReadFile(picture("mountains-spliced.jpg"))
	if err != nil {
		t.Fatal(err)
	}
	renamed := filepath.Join(t.TempDir(), "holiday.JPG")
	if err := os.WriteFile(renamed, data, 0o600); err != nil {
		t.Fatal(err)
	}
	_, first, _ := run(t, "scan", "--sandbox", "--json", picture("mountains-spliced.jpg"))
	_, second, _ := run(t, "scan", "--sandbox", "--json", renamed)
	a, b := answers(t, first)[0], answers(t, second)[0]
	if diff := cmp.Diff(a.Models, b.Models); diff != "" || a.Score == nil || *a.Score != *b.Score || a.SHA256 != b.SHA256 {
		t.Errorf("the name made a difference: %s", diff)
	}
}

func TestScanSaysWhatIsWrongAndGoesOn(t *testing.T) {
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty.png")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	code, stdout, _ := run(t, "scan", "--sandbox", empty, dir, picture("generated.png"), picture("generated.png"))
	if code != command.ExitFailed {
		t.Errorf("exit %d", code)
	}
	lines := strings.Split(strings.TrimSpace(stdout), "\n")
	if len(lines) != 4 {
		t.Fatalf("%d lines:\n%s", len(lines), stdout)
	}
	for i, want := range []string{
		"empty.png: not answered: This file is empty.",
		": not answered: This is a folder",
		"generated.png: Likely manipulated or AI-generated (ensemble ",
		"[same file as before]",
	} {
		if !strings.Contains(lines[i], want) {
			t.Errorf("line %d is %q, without %q", i, lines[i], want)
		}
	}
}

func TestMisuseIsExitTwoWithASentence(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
		says string
	}{
		{"no file", []string{"scan", "--sandbox"}, "Name at least one file"},
		{"no service named", []string{"scan", picture("poster.png")}, "--sandbox"},
		{"no key", []string{"scan", "--server", "https://service.example", picture("poster.png")}, "ASSAY_API_KEY"},
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

func TestAPlainAddressIsRefused(t *testing.T) {
	t.Setenv("ASSAY_SERVER", "")
	t.Setenv("ASSAY_API_KEY", "secret-key")
	var out, err bytes.Buffer
	code := command.Run(t.Context(), []string{"scan", "--server", "http://service.example", picture("poster.png")}, &out, &err, nil)
	if code != command.ExitMisuse || !strings.Contains(err.String(), "https://") || strings.Contains(err.String(), "secret-key") {
		t.Errorf("exit %d, stderr %q", code, err.String())
	}
}

func TestTheSandboxsCopiesGoWithTheSession(t *testing.T) {
	t.Setenv("ASSAY_SERVER", "")
	home := t.TempDir()
	var out, errs bytes.Buffer
	command.Run(t.Context(), []string{"scan", "--sandbox", "--home", home, picture("poster.png")}, &out, &errs, nil)
	left, err := os.ReadDir(filepath.Join(home, "sandbox"))
	if err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestSandboxPrintsAddressAndKeyAndServesUntilStopped(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	reader, writer := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		var errs bytes.Buffer
		ended <- command.Run(ctx, []string{"sandbox", "--dir", t.TempDir()}, writer, &errs, nil)
	}()
	said := make([]byte, 512)
	n, err := io.ReadAtLeast(reader, said, len("url: \nkey: \n"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(said[:n]), "\n")
	address, okURL := strings.CutPrefix(lines[0], "url: ")
	key, okKey := strings.CutPrefix(lines[1], "key: ")
	if !okURL || !okKey {
		t.Fatalf("it printed %q", said[:n])
	}
	c, err := client.New(client.Options{BaseURL: address, Key: func() string { return key }})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.List(t.Context(), client.ListQuery{}); err != nil {
		t.Errorf("it does not serve: %v", err)
	}
	c.Close()
	stop()
	if code := <-ended; code != command.ExitAnswered {
		t.Errorf("exit %d", code)
	}
}
