package portal_test

import (
	"context"
	"errors"
	"testing"

	"github.com/godbus/dbus/v5"
	"github.com/google/go-cmp/cmp"

	"assay/client/assert"
	"assay/client/portal"
	"assay/client/portal/portaltest"
)

type options = map[string]dbus.Variant

func TestFilesAreChosenWithTheDesktopsDialog(t *testing.T) {
	t.Run("many at once, by their exact names", func(t *testing.T) {
		portaltest.Start(t, func(method, title string, given options) portaltest.Answer {
			if method != "FileChooser.OpenFile" || title != "Choose files" || given["multiple"].Value() != true {
				t.Error(method, title, given)
			}
			return portaltest.Chosen("file:///a+b.jpg", "file:///my%20c.png", "https://example.org/d", "file://elsewhere/e", "file:///f%00g")
		})
		paths, shown := portal.OpenFiles(t.Context(), "Choose files")
		if diff := cmp.Diff([]string{"/a+b.jpg", "/my c.png"}, paths); !shown || diff != "" {
			t.Error(shown, diff)
		}
	})
	t.Run("by filters, whatever the letters of an extension are", func(t *testing.T) {
		portaltest.Start(t, func(_, _ string, given options) portaltest.Answer {
			var filters []struct {
				Name     string
				Patterns []struct {
					Kind uint32
					Text string
				}
			}
			assert.NoError(t, dbus.Store([]any{given["filters"].Value()}, &filters))
			if len(filters) != 2 || len(filters[0].Patterns) != 2 || filters[0].Name != "Media" || filters[0].Patterns[1].Text != "*.[mM][pP][44]" ||
				filters[1].Name != "All" || filters[1].Patterns[0].Text != "*" {
				t.Error(filters)
			}
			return portaltest.Chosen("file:///a.jpg")
		})
		if paths, _ := portal.OpenFiles(t.Context(), "", portal.Filter{Name: "Media", Extensions: []string{"jpg", "mp4"}}, portal.Filter{Name: "All"}); len(paths) != 1 {
			t.Error(paths)
		}
	})
	t.Run("none where the person thought better of it", func(t *testing.T) {
		portaltest.Start(t, func(string, string, options) portaltest.Answer {
			return portaltest.Answer{Status: portaltest.Cancelled}
		})
		if paths, shown := portal.OpenFiles(t.Context(), ""); !shown || len(paths) > 0 {
			t.Error(shown, paths)
		}
		if path, shown := portal.SaveFile(t.Context(), "", "report.pdf"); !shown || path != "" {
			t.Error(shown, path)
		}
	})
	t.Run("and the dialog is given up when the window is left", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		portaltest.Start(t, func(string, string, options) portaltest.Answer { cancel(); return portaltest.Answer{Never: true} })
		if paths, _ := portal.OpenFiles(ctx, ""); len(paths) > 0 {
			t.Error(paths)
		}
	})
	t.Run("with the toolkit's, where the desktop has none", func(t *testing.T) {
		none := func(t *testing.T) {
			t.Helper()
			_, files := portal.OpenFiles(t.Context(), "")
			_, folder := portal.OpenFolder(t.Context(), "")
			_, save := portal.SaveFile(t.Context(), "", "report.pdf")
			if files || folder || save {
				t.Error("nothing was shown", files, folder, save)
			}
		}
		portaltest.Start(t, nil)
		none(t)
		t.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
		t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
		none(t)
	})
}

func TestAFolderIsChosenWithTheDesktopsDialog(t *testing.T) {
	portaltest.Start(t, func(method, title string, given options) portaltest.Answer {
		if method != "FileChooser.OpenFile" || title != "Choose a folder" || given["directory"].Value() != true {
			t.Error(method, title, given)
		}
		return portaltest.Chosen("file:///run/user/1000/doc/1f2e3d4c/My%20Camera")
	})
	if path, shown := portal.OpenFolder(t.Context(), "Choose a folder"); !shown || path != "/run/user/1000/doc/1f2e3d4c/My Camera" {
		t.Error(shown, path)
	}
}

func TestWhereToSaveIsChosenWithTheDesktopsDialog(t *testing.T) {
	portaltest.Start(t, func(method, title string, given options) portaltest.Answer {
		if method != "FileChooser.SaveFile" || title != "Save the report" || given["current_name"].Value() != "a_b report.pdf" {
			t.Error(method, title, given)
		}
		return portaltest.Chosen("file:///run/user/1000/doc/5a6b7c8d/report.pdf")
	})
	if path, shown := portal.SaveFile(t.Context(), "Save the report", "a/b report.pdf"); !shown || path != "/run/user/1000/doc/5a6b7c8d/report.pdf" {
		t.Error(shown, path)
	}
}

func TestStartingWithTheSystemIsAskedOfTheDesktop(t *testing.T) {
	start := func(t *testing.T, answer portaltest.Answer) (asked <-chan options) {
		t.Helper()
		requests := make(chan options, 1)
		portaltest.Start(t, func(method, _ string, given options) portaltest.Answer {
			assert.Equal(t, "Background.RequestBackground", method)
			requests <- given
			return answer
		})
		return requests
	}
	is := func(on bool) portaltest.Answer {
		return portaltest.Answer{Results: map[string]any{"background": true, "autostart": on}}
	}
	command := []string{"/app/bin/assay", "--hidden"}
	t.Run("on, with the whole command", func(t *testing.T) {
		asked := start(t, is(true))
		assert.NoError(t, portal.Autostart(t.Context(), "So that folders are watched", command, true))
		given := <-asked
		if diff := cmp.Diff(any(command), given["commandline"].Value()); diff != "" || given["autostart"].Value() != true || given["reason"].Value() != "So that folders are watched" {
			t.Error(given, diff)
		}
	})
	t.Run("off", func(t *testing.T) {
		asked := start(t, is(false))
		assert.NoError(t, portal.Autostart(t.Context(), "", command, false))
		given := <-asked
		assert.Equal(t, false, given["autostart"].Value().(bool))
	})
	t.Run("refused", func(t *testing.T) {
		for _, answer := range []portaltest.Answer{is(false), {Status: portaltest.Cancelled}, {Status: portaltest.Cancelled, Results: map[string]any{"autostart": true}}} {
			start(t, answer)
			if err := portal.Autostart(t.Context(), "", command, true); !errors.Is(err, portal.ErrRefused) {
				t.Error(err)
			}
		}
	})
	t.Run("of no desktop", func(t *testing.T) {
		portaltest.Start(t, nil)
		if err := portal.Autostart(t.Context(), "", command, true); !errors.Is(err, portal.ErrNone) {
			t.Error(err)
		}
	})
}

func TestFlatpakIsASandbox(t *testing.T) {
	for id, want := range map[string]bool{"news.assay.Assay": true, "": false} {
		assert.Equal(t, want, portal.Sandboxed(func(name string) string {
			if name != "FLATPAK_ID" {
				return "x"
			}
			return id
		}))
	}
}
