package gui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/client/folders"
	"assay/client/intake"
	"assay/client/submission"
)

func TestWhatIsDroppedOnTheWatchedFolders(t *testing.T) {
	d := setup(t)
	one, other := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(one, "source.txt"), []byte("A source to protect."), 0o600); err != nil {
		t.Fatal(err)
	}
	file := absolutePicture(t, "poster.png")
	t.Run("of several folders nothing is sent", func(t *testing.T) {
		for _, dropped := range [][]string{{one, other}, {one, file}} {
			d.rail.Select(foldersScreen)
			d.folders.Say("")
			d.drop(dropped...)
			d.pump("it is said", func() bool {
				return len(d.Queue.Order()) > 0 || strings.Contains(strings.Join(texts(d.folders.Object()), "\n"), "one folder at a time")
			})
			if n := len(d.Queue.Order()); n > 0 || d.rail.Selected() != foldersScreen {
				t.Fatalf("%d are on their way", n)
			}
		}
	})
	t.Run("one folder is offered to be watched", func(t *testing.T) {
		d.drop(one)
		d.pump("it is offered", d.folders.Editing)
		if len(d.Queue.Order()) > 0 || len(d.Folders.All()) > 0 {
			t.Error("more than that was done")
		}
	})
	t.Run("a file is submitted", func(*testing.T) {
		d.rail.Select(foldersScreen)
		d.drop(file)
		d.pump("it is taken", func() bool { return len(d.Queue.Order()) == 1 })
	})
}

func TestAFileOfAWatchedFolderThatIsScannedAgain(t *testing.T) {
	t.Run("goes by what the folder says now, where that lets less out", func(t *testing.T) {
		d, in := setup(t), t.TempDir()
		file := filepath.Join(in, "leak.txt")
		if err := os.WriteFile(file, []byte("A source to protect."), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := d.Queue.Accept(t.Context(), []intake.Input{{ID: "first", Path: file, Folder: in, Gate: submission.GateSend}}, intake.Options{Source: submission.Watched}); err != nil {
			t.Fatal(err)
		}
		d.pump("it is answered", func() bool { s, _ := d.Queue.Get("first"); return s.State == submission.Done })
		if _, err := d.Folders.Add(t.Context(), folders.Settings{Path: in, Gate: submission.GateNever}, folders.OnlyNew, nil); err != nil {
			t.Fatal(err)
		}
		d.scanAgain([]string{"first"})
		d.pump("it is taken", func() bool { return len(d.Queue.All()) == 2 })
		d.pump("it stays here", func() bool {
			for _, s := range d.Queue.All() {
				if s.ID != "first" {
					return s.State == submission.Stays
				}
			}
			return false
		})
	})
}
