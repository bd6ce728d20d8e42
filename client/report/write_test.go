package report_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"assay/client/assert"
	"assay/client/report"
	"assay/client/submission"
)

// wantSentence passes if an error says this to the person.
func wantSentence(t *testing.T, err error, part string) {
	t.Helper()
	var said *report.Error
	if !errors.As(err, &said) || !strings.Contains(said.Sentence(), part) {
		t.Errorf("it says %v, want %q", err, part)
	}
}

// wantFiles passes if the folder holds these files alone: nothing half written.
func (f *fixture) wantFiles(names ...string) {
	f.t.Helper()
	all, err := os.ReadDir(f.folder)
	assert.NoError(f.t, err)
	var got []string
	for _, entry := range all {
		got = append(got, entry.Name())
	}
	if strings.Join(got, " ") != strings.Join(names, " ") {
		f.t.Errorf("the folder holds %q, want %q", got, names)
	}
}

func TestWhatCannotBeWrittenIsSaid(t *testing.T) {
	f := setup(t)
	f.add("one", kinds["fake"], nil)
	write := func(name string, o report.Options) error {
		return report.Write(t.Context(), filepath.Join(f.folder, name), o, f.results("one"))
	}
	t.Run("a name that does not say what it becomes", func(t *testing.T) {
		for _, name := range []string{"report", "report.", "report.doc", ".csv.txt"} {
			wantSentence(t, write(name, report.Options{}), ".json, .ndjson, .csv, .xlsx, .html, .pdf")
			wantSentence(t, report.CheckName(name), ".json, .ndjson, .csv, .xlsx, .html, .pdf")
		}
		f.wantFiles()
	})
	t.Run("an ending in capital letters", func(t *testing.T) {
		if err := write("R.CSV", report.Options{}); err != nil {
			t.Error(err)
		}
		f.wantFiles("R.CSV")
	})
	t.Run("a file that is there", func(t *testing.T) {
		path := filepath.Join(f.folder, "R.CSV")
		assert.NoError(t, os.WriteFile(path, []byte("mine"), 0o600))
		err := write("R.CSV", report.Options{})
		wantSentence(t, err, "already exists")
		if !errors.Is(err, fs.ErrExist) {
			t.Error("a caller can't tell it")
		}
		if content, _ := os.ReadFile(path); string(content) != "mine" {
			t.Errorf("it holds %q now", content)
		}
		if err := write("R.CSV", report.Options{Replace: true}); err != nil {
			t.Error(err)
		}
		if content, _ := os.ReadFile(path); !bytes.HasPrefix(content, []byte("request_id,")) {
			t.Errorf("it holds %q", content)
		}
	})
	t.Run("a folder of that name", func(t *testing.T) {
		assert.NoError(t, os.Mkdir(filepath.Join(f.folder, "sub.csv"), 0o700))
		wantSentence(t, write("sub.csv", report.Options{Replace: true}), "is a folder")
	})
	t.Run("no such folder", func(t *testing.T) {
		wantSentence(t, write("nowhere/r.csv", report.Options{}), "There is no folder")
	})
	t.Run("a folder that takes nothing", func(t *testing.T) {
		if runtime.GOOS != "linux" {
			t.Skip("only Linux has a folder in which not even root may make a file")
		}
		wantSentence(t, report.Write(t.Context(), "/sys/r.csv", report.Options{}, f.results("one")), "may not write")
	})
	f.wantFiles("R.CSV", "sub.csv")
}

func TestAResultThatIsNotThere(t *testing.T) {
	f := setup(t)
	f.add("answered", kinds["fake"], nil)
	f.add("waiting", "", nil)
	f.add("again", "", func(s *submission.Submission) {
		s.RequestID, s.Earlier, s.State, s.Step = "request-answered", "answered", submission.Done, submission.Answered
	})
	for id, want := range map[string]string{"nobody\nknows": "No result with the ID nobody�knows", "waiting": "has no answer yet", "": "No result"} {
		err := report.Write(t.Context(), filepath.Join(f.folder, "r.csv"), report.Options{}, f.results("answered", id))
		wantSentence(t, err, want)
	}
	f.wantFiles()
	for _, id := range []string{"answered", "request-answered", "again"} { // whichever name it has
		r, err := report.Read(t.Context(), f.Store, service, id)
		if err != nil || r.ID != "answered" {
			t.Errorf("%s: %v, %v", id, r, err)
		}
	}
}

func TestAnExportThatEndsEarlyLeavesNothing(t *testing.T) {
	f := setup(t)
	ids := f.everyKind()
	for _, ending := range []string{".json", ".ndjson", ".csv", ".xlsx", ".html", ".pdf"} {
		ctx, cancel := context.WithCancel(t.Context())
		read := 0
		err := report.Write(ctx, filepath.Join(f.folder, "r"+ending), report.Options{}, func(yield func(*report.Result, error) bool) {
			for r, err := range f.results(ids...) {
				if read++; read == 10 {
					cancel()
				}
				if !yield(r, err) {
					return
				}
			}
		})
		if !errors.Is(err, context.Canceled) || read != 10 {
			t.Errorf("%s: %v after %d", ending, err, read)
		}
	}
	f.wantFiles()
}

func TestByteOrderMark(t *testing.T) {
	f := setup(t)
	f.add("one", kinds["fake"], nil)
	path := filepath.Join(f.folder, "r.csv")
	assert.NoError(t, report.Write(t.Context(), path, report.Options{ByteOrderMark: true}, f.results("one")))
	if content, _ := os.ReadFile(path); !bytes.HasPrefix(content, []byte("\ufeffrequest_id,")) {
		t.Errorf("it begins with %q", content[:20])
	}
}
