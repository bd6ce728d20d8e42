package command_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/command"
	"assay/client/events"
	"assay/client/folders"
	"assay/client/intake"
	"assay/client/sandbox"
	"assay/client/session"
	"assay/client/store"
	"assay/client/submission"
)

func TestWatch(t *testing.T) {
	setKey(t)
	t.Run("a file that arrives is sent and answered, once, however often its bytes come", func(t *testing.T) {
		t.Parallel()
		service, folder := startService(t, sandbox.Options{}), t.TempDir()
		put(t, folder, "before.png", "generated.png", 1) // not new
		w := service.watch(t, 1, "--gate", "send", "--home", t.TempDir(), folder)
		put(t, folder, "a.png", "generated.png")
		if line := w.prints(); !strings.HasPrefix(line, "a.png: Likely manipulated or AI-generated (ensemble ") {
			t.Errorf("it prints %q", line)
		}
		assert.NoError(t, os.Rename(filepath.Join(folder, "a.png"), filepath.Join(folder, "renamed.png")))
		put(t, folder, "copy.png", "generated.png")
		put(t, folder, "b.png", "poster.png")
		if line := w.prints(); !strings.HasPrefix(line, "b.png: Not assessable") {
			t.Errorf("it prints %q", line)
		}
		w.end()
		assert.Equal(t, 2, service.uploads.Load())
	})
	t.Run("by default it waits for the person's word, and nothing is asked of the service", func(t *testing.T) {
		t.Parallel()
		service, folder := startService(t, sandbox.Options{}), t.TempDir()
		w := service.watch(t, 1, "--home", t.TempDir(), folder)
		put(t, folder, "a.png", "generated.png")
		assert.Equal(t, "assay: a.png waits for your decision. Decide in Assay's window, or start with --gate send.", w.says())
		w.end()
		assert.Equal(t, 0, service.requests.Load())
	})
	t.Run("with --gate never a file ends where it is, and nothing is asked of the service", func(t *testing.T) {
		t.Parallel()
		service, folder := startService(t, sandbox.Options{}), t.TempDir()
		w := service.watch(t, 1, "--json", "--gate", "never", "--home", t.TempDir(), folder)
		path := put(t, folder, "a.png", "generated.png")
		var got struct{ Path, State, Error, SHA256 string }
		if err := json.Unmarshal([]byte(w.prints()), &got); err != nil || got.Path != path || got.State != "stays" || got.Error == "" || len(got.SHA256) != 64 {
			t.Errorf("%+v, %v", got, err)
		}
		w.end()
		assert.Equal(t, 0, service.requests.Load())
	})
	t.Run("one that was held is sent by the next start with --gate send", func(t *testing.T) {
		t.Parallel()
		service, folder, home := startService(t, sandbox.Options{}), t.TempDir(), t.TempDir()
		w := service.watch(t, 1, "--json", "--home", home, folder)
		path := put(t, folder, "a.png", "generated.png")
		var held struct{ Path, State string }
		if err := json.Unmarshal([]byte(w.prints()), &held); err != nil || held.Path != path || held.State != "held" {
			t.Errorf("%+v, %v", held, err)
		}
		w.end()
		w = service.watch(t, 1, "--home", home, folder)
		if line := w.says(); !strings.Contains(line, "1 earlier file of ") || !strings.Contains(line, "--gate send") {
			t.Errorf("it says %q", line)
		}
		w.end()
		assert.Equal(t, 0, service.requests.Load())
		w = service.watch(t, 1, "--gate", "send", "--home", home, folder)
		if line := w.says(); !strings.Contains(line, "may leave now") {
			t.Errorf("it says %q", line)
		}
		if line := w.prints(); !strings.HasPrefix(line, "a.png: Likely manipulated") {
			t.Errorf("it prints %q", line)
		}
		w.end()
	})
	t.Run("a restart prints nothing twice, and takes what has come meanwhile", func(t *testing.T) {
		t.Parallel()
		service, folder, home := startService(t, sandbox.Options{}), t.TempDir(), t.TempDir()
		w := service.watch(t, 1, "--gate", "send", "--home", home, folder)
		put(t, folder, "a.png", "generated.png")
		w.prints()
		w.end()
		put(t, folder, "b.png", "poster.png")
		w = service.watch(t, 1, "--gate", "send", "--home", home, folder)
		if line := w.prints(); !strings.HasPrefix(line, "b.png: ") {
			t.Errorf("it prints %q", line)
		}
		w.end()
		assert.Equal(t, 2, service.uploads.Load())
	})
	t.Run("what was under way when it was stopped goes on with the next start", func(t *testing.T) {
		t.Parallel()
		reached, open := make(chan struct{}), make(chan struct{})
		once := sync.OnceFunc(func() { close(reached) })
		service, folder, home := startService(t, sandbox.Options{Hold: func(ctx context.Context, _, _ string) {
			once()
			select {
			case <-open:
			case <-ctx.Done():
			}
		}}), t.TempDir(), t.TempDir()
		w := service.watch(t, 1, "--gate", "send", "--home", home, folder)
		put(t, folder, "a.png", "generated.png")
		<-reached
		w.end()
		close(open)
		w = service.watch(t, 1, "--gate", "send", "--home", home, folder)
		if line := w.prints(); !strings.HasPrefix(line, "a.png: Likely manipulated") {
			t.Errorf("it prints %q", line)
		}
		w.end()
		assert.Equal(t, 1, service.uploads.Load())
	})
	t.Run("--all takes what is inside at the first time", func(t *testing.T) {
		t.Parallel()
		service, folder, home := startService(t, sandbox.Options{}), t.TempDir(), t.TempDir()
		put(t, folder, "a.png", "generated.png")
		w := service.watch(t, 1, "--all", "--gate", "send", "--home", home, folder)
		if line := w.prints(); !strings.HasPrefix(line, "a.png: ") {
			t.Errorf("it prints %q", line)
		}
		w.end()
	})
	t.Run("names, types and subfolders are as was chosen", func(t *testing.T) {
		t.Parallel()
		service, folder := startService(t, sandbox.Options{}), t.TempDir()
		inside := filepath.Join(folder, "inside")
		assert.NoError(t, os.Mkdir(inside, 0o700))
		w := service.watch(t, 1, "--no-subfolders", "--type", "picture", "--only", "*a*", "--skip", "*.jpg", "--gate", "send", "--home", t.TempDir(), folder)
		put(t, inside, "a1.png", "poster.png")
		put(t, folder, "b.png", "generated.png", 1)
		put(t, folder, "a2.jpg", "generated.png", 2)
		put(t, folder, "a3.txt", "generated.png", 3)
		put(t, folder, "a4.png", "generated.png")
		if line := w.prints(); !strings.HasPrefix(line, "a4.png: ") {
			t.Errorf("it prints %q", line)
		}
		w.end()
	})
	t.Run("with --json its lines are those of scan", func(t *testing.T) {
		t.Parallel()
		service, folder := startService(t, sandbox.Options{}), t.TempDir()
		w := service.watch(t, 1, "--json", "--gate", "send", "--home", t.TempDir(), folder)
		path := put(t, folder, "a.png", "generated.png")
		watched := fields(t, w.prints())
		w.end()
		code, stdout, stderr := call(t, "scan", "--server", service.url, "--json", path)
		if code != command.ExitAnswered {
			t.Fatalf("exit %d: %s", code, stderr)
		}
		scanned := fields(t, stdout)
		for _, of := range []map[string]any{watched, scanned} {
			if id, _ := of["requestId"].(string); id == "" {
				t.Errorf("no request: %v", of)
			}
			delete(of, "requestId")
		}
		assert.Equal(t, scanned, watched)
	})
}

func fields(t *testing.T, line string) (all map[string]any) {
	t.Helper()
	if err := json.Unmarshal([]byte(line), &all); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	return all
}

// openWindow opens a window on these records, as far as this package knows one, until close is called.
func (s *countingService) openWindow(t *testing.T, home string) (open *session.Session, shut func()) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background()) //nolint:usetesting // T's own ends before cleaning up
	opened, ended := make(chan *session.Session, 1), make(chan struct{})
	go func() {
		defer close(ended)
		var said bytes.Buffer
		if code := command.Main(ctx, session.Options{}, []string{"--home", home, "--server", s.url}, nil, &said, &said, func(ctx context.Context, h *session.Host, _ []string) error {
			opened <- h.Session()
			<-ctx.Done()
			return nil
		}); code != command.ExitAnswered {
			t.Errorf("the window's exit is %d: %s", code, said.String())
		}
	}()
	shut = func() {
		stop()
		<-ended
	}
	t.Cleanup(shut)
	select {
	case open = <-opened:
	case <-ended:
		t.Fatal("no window opens")
	}
	return open, shut
}

func TestWatchBesideAWindow(t *testing.T) {
	setKey(t)
	t.Run("a window that opens takes the work over, and the watch goes on through it and after it", func(t *testing.T) {
		t.Parallel()
		service, folder, home := startService(t, sandbox.Options{}), t.TempDir(), t.TempDir()
		session, shut := service.openWindow(t, home)
		story, err := session.Store.AddCase(t.Context(), store.Case{Title: "The flood"})
		assert.NoError(t, err)
		shut()
		w := service.watch(t, 1, "--gate", "send", "--case", "The flood", "--home", home, folder)
		put(t, folder, "a.png", "generated.png")
		if line := w.prints(); !strings.HasPrefix(line, "a.png: ") {
			t.Errorf("it prints %q", line)
		}
		session, shut = service.openWindow(t, home)
		put(t, folder, "b.png", "poster.png")
		if line := w.prints(); !strings.HasPrefix(line, "b.png: ") {
			t.Errorf("through the window it prints %q", line)
		}
		all := session.Queue.All()
		if len(all) != 2 || all[1].Name != "b.png" || all[1].Source != submission.Watched || all[1].Folder != folder {
			t.Errorf("the window has %d rows: %+v", len(all), all)
		}
		if folders := session.Folders.All(); len(folders) != 1 || folders[0].Path != folder || !folders[0].Temporary {
			t.Errorf("the window watches %+v", folders)
		}
		if items, err := session.Store.CaseItems(t.Context(), story.ID); err != nil || !slices.Equal(items, []string{all[0].ID, all[1].ID}) {
			t.Errorf("in the case: %v, %v", items, err)
		}
		shut()
		put(t, folder, "c.png", "generated.png", 1)
		if line := w.prints(); !strings.HasPrefix(line, "c.png: ") {
			t.Errorf("after the window it prints %q", line)
		}
		w.end()
		assert.Equal(t, 3, service.uploads.Load())
	})
	t.Run("what is decided in the window is printed, and a watch that ends leaves the window nothing to watch", func(t *testing.T) {
		t.Parallel()
		service, folder, home := startService(t, sandbox.Options{}), t.TempDir(), t.TempDir()
		session, _ := service.openWindow(t, home)
		w := service.watch(t, 1, "--home", home, folder)
		put(t, folder, "a.png", "generated.png")
		if line := w.says(); !strings.HasPrefix(line, "assay: a.png waits for your decision. ") {
			t.Errorf("it says %q", line)
		}
		session.Queue.Approve(intake.ApproveOptions{}, session.Queue.Order()...)
		if line := w.prints(); !strings.HasPrefix(line, "a.png: Likely manipulated") {
			t.Errorf("it prints %q", line)
		}
		changed := session.Events.Subscribe(events.Folders)
		w.end()
		for len(session.Folders.All()) > 0 { // the window learns of the end a moment later
			select {
			case <-changed.Ready():
				changed.Take()
			case <-time.After(patience):
				t.Fatalf("it is watched: %+v", session.Folders.All())
			}
		}
	})
	t.Run("a folder of the window's is followed as it is", func(t *testing.T) {
		t.Parallel()
		service, folder, home := startService(t, sandbox.Options{}), t.TempDir(), t.TempDir()
		session, shut := service.openWindow(t, home)
		if _, err := session.Folders.Add(t.Context(), folders.Default(folder), folders.OnlyNew, nil); err != nil {
			t.Fatal(err)
		}
		if _, err := session.Store.AddCase(t.Context(), store.Case{Title: "The flood"}); err != nil {
			t.Fatal(err)
		}
		w := service.watch(t, 0, "--gate", "send", "--case", "The flood", "--home", home, folder)
		assert.Equal(t, "assay: "+folder+" is watched as set up in Assay's window: each new file waits for your decision.", w.says())
		assert.Equal(t, "assay: "+folder+" is watched already: --case has no effect on it.", w.says())
		put(t, folder, "a.png", "generated.png")
		assert.Equal(t, "assay: a.png waits for your decision in Assay's window.", w.says())
		shut()
		put(t, folder, "b.png", "poster.png")
		assert.Equal(t, "assay: b.png waits for your decision in Assay's window.", w.says())
		w.end()
		session, _ = service.openWindow(t, home)
		if all := session.Folders.All(); len(all) != 1 || all[0].Temporary {
			t.Errorf("the window watches %+v", all)
		}
		assert.Equal(t, 0, service.requests.Load())
	})
}

func TestWatchMisuse(t *testing.T) {
	setKey(t)
	service, folder, home := startService(t, sandbox.Options{}), t.TempDir(), t.TempDir()
	file := put(t, folder, "a.png", "poster.png")
	gone := filepath.Join(folder, "gone")
	for _, c := range []struct {
		name string
		args []string
		says []string
	}{
		{"no folder", nil, []string{"Name at least one folder"}},
		{"a folder without a name", []string{""}, []string{"has no name"}},
		{"a file", []string{file}, []string{file, "is a file, not a folder"}},
		{"a folder that does not exist", []string{gone}, []string{gone, "does not exist"}},
		{"Assay's own folder", []string{home}, []string{home, "Assay"}},
		{"two that can't be watched", []string{file, gone}, []string{"is a file", "does not exist"}},
		{"an unknown gate", []string{"--gate", "open", folder}, []string{"--gate must be ask, send or never"}},
		{"an unknown type", []string{"--type", "film", folder}, []string{"--type must be picture, clip, recording or text"}},
		{"a pattern that is none", []string{"--only", "[a", folder}, []string{"--only takes"}},
		{"a pattern with a folder", []string{"--skip", "a/*", folder}, []string{"--skip takes"}},
		{"too short a rest", []string{"--quiet", "1ms", folder}, []string{"--quiet must be from"}},
		{"a rest that is none", []string{"--quiet", "long", folder}, []string{"--quiet"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out, errs bytes.Buffer
			code := command.Main(t.Context(), session.Options{}, append([]string{"watch", "--server", service.url, "--home", home}, c.args...), nil, &out, &errs, someWindow)
			if code != command.ExitMisuse || out.Len() != 0 {
				t.Errorf("exit %d, %q", code, out.String())
			}
			for _, says := range c.says {
				if !strings.Contains(errs.String(), says) {
					t.Errorf("it says %q, without %q", errs.String(), says)
				}
			}
		})
	}
	t.Run("where one of several can't be watched, the others are", func(t *testing.T) {
		for _, args := range [][]string{{gone, folder}, {folder, gone}} {
			w := service.watch(t, 0, append([]string{"--home", t.TempDir()}, args...)...)
			said := w.says() + "\n" + w.says()
			if !strings.Contains(said, "does not exist") || !strings.Contains(said, "Watching "+folder) {
				t.Errorf("it says %q", said)
			}
			w.end()
		}
	})
	t.Run("one inside another is taken already", func(t *testing.T) {
		inside := filepath.Join(folder, "inside")
		assert.NoError(t, os.Mkdir(inside, 0o700))
		w := service.watch(t, 1, "--home", t.TempDir(), folder, inside)
		if said := w.says(); !strings.Contains(said, inside) || !strings.Contains(said, "inside") {
			t.Errorf("it says %q", said)
		}
		w.end()
	})
}
