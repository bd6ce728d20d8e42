package gui

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/storage"

	"assay/client/assert"
	"assay/client/config"
	"assay/client/events"
	"assay/client/goroutinetest"
	"assay/client/i18n"
	"assay/client/submission"
	"assay/gui/firstrun"
	"assay/gui/guitest"
	"assay/gui/inbox"
	"assay/gui/screens"
	"assay/gui/settings"
)

// says reports whether something can be read in the window that has these words.
func (f *shellFixture) says(words string) bool {
	return guitest.Reads(f.window.Content(), words)
}

func (f *shellFixture) dropFiles(paths ...string) {
	var uris []fyne.URI
	for _, p := range paths {
		uris = append(uris, storage.NewFileURI(p))
	}
	f.app.dropped(fyne.NewPos(0, 0), uris)
}

// aText is a file that the service takes, unlike any other.
func aText(t *testing.T, name string) (path string) {
	t.Helper()
	return guitest.File(t, name+".txt", []byte(strings.Repeat("This is the text "+name+". ", 50)))
}

func TestTheWindowGoesOverFromServiceToService(t *testing.T) {
	services := setupHost(t, 2)
	noGoroutine := goroutinetest.Mark()
	f := setupShell(t, services, true, nil)
	f.dropFiles(aText(t, "first"))
	f.Until("something is under way", func() bool { return f.app.inbox.Filled() })
	f.over(1)
	f.over(0)
	f.Until("its file is answered", func() bool { return len(listed(t, f.app)) == 1 })
	ours := goroutinetest.Ours()
	times := 20
	if testing.Short() {
		times = 6
	}
	for i := range times {
		to := (i + 1) % 2
		before := f.app
		f.dropFiles(aText(t, strconv.Itoa(i))) // the rest of it waits for the window to come back
		f.over(to)
		if f.app == before || !before.stopped {
			t.Fatal("the window shows what it left")
		}
		if f.app.Address != f.services.servers[to].URL {
			t.Fatalf("the window shows %s", f.app.Address)
		}
		before.typedRune('?') // keys that were on their way mean nothing any more
		before.accept([]string{aText(t, "late")}, submission.Dropped)
		if before.sheet.Open() {
			t.Fatal("what was left opens a sheet")
		}
	}
	f.Until("all that was handed over here is answered", func() bool { return len(listed(t, f.app)) == times/2+1 })
	f.over(1)
	f.Until("and all that was handed over there", func() bool { return len(listed(t, f.app)) == times/2 })
	goroutinetest.AtMost(t, ours+times/4) // a few work for a moment
	f.stop()
	services.close()
	noGoroutine(t)
}

func TestWhatIsDroppedWhileTheWindowGoesOverIsTakenAfterwards(t *testing.T) {
	f := setupShell(t, setupHost(t, 2), true, nil)
	f.services.next = 1
	f.switchTo(f.services.Open, func(error) {})
	if !f.says("One moment…") {
		t.Errorf("the window says %q", guitest.Read(f.window.Content()))
	}
	f.dropped = append(f.dropped, aText(t, "one"))
	f.Until("it is in the other service's inbox", func() bool { return f.app != nil && f.app.inbox.Filled() })
}

func TestAServiceThatCantBeOpenedLeavesThePresentOne(t *testing.T) {
	f := setupShell(t, setupHost(t, 1), true, nil)
	f.services.refused = errors.New("it is open in another window")
	var told error
	f.switchTo(f.services.Open, func(err error) { told = err })
	f.Until("it was told", func() bool { return told != nil })
	if f.app == nil || f.app.Address != f.services.servers[0].URL {
		t.Error("the present service is not on screen")
	}
	if f.services.refused = nil; f.services.began > 1 {
		t.Errorf("the window began %d times", f.services.began)
	}
}

func TestTheWindowEndsWhileItGoesOver(t *testing.T) {
	f := setupShell(t, setupHost(t, 2), true, nil)
	f.dropFiles(aText(t, "one"))
	f.services.next = 1
	f.switchTo(f.services.Open, func(error) {})
	f.stop() // it returns
}

// forms are names that no language translates: of keys, file types and languages.
var forms = []string{"Ctrl", "Esc", "Enter", "Tab", "Space", "English", "Español", "Português", "Français", "Deutsch", "jpg", "png", "gif", "webp", "mp4", "mov", "mp3", "wav", "m4a", "aac", "ogg",
	"flac", "alac", "txt", "Assay", "http", "https", "api", "example", "org", "proxy"}

func TestAnotherLanguageIsSpokenAtOnce(t *testing.T) {
	f := setupShell(t, setupHost(t, 1), true, nil)
	t.Cleanup(func() {
		if err := i18n.Use("en", ""); err != nil {
			t.Error(err)
		}
	})
	f.services.spoken = func() error { return i18n.Use("xx", "") }
	f.app.rail.Select(screens.Settings)
	f.app.settings.ShowSection(settings.SectionAppearance)
	queue := f.app.Queue
	f.change(func(s *config.Settings) { s.Appearance.Language = "de" })
	f.Until("the screens speak it", func() bool { return f.app != nil && f.app.rail.AccessibilityLabel() != "Settings" && f.says("‹") })
	if f.app.Queue != queue {
		t.Error("the session is another one")
	}
	guitest.CheckTranslated(t, f.window.Content(), forms...)
	f.app.showShortcuts()
	guitest.CheckTranslated(t, f.window.Canvas().Overlays().Top(), forms...)
	f.app.sheet.Close()
	if f.app.rail.Selected() != screens.Settings || f.app.settings.Section() != settings.SectionAppearance {
		t.Error("the person was brought elsewhere")
	}
	if words := f.tray.said; f.icon.shown && !strings.HasPrefix(words.Open, "‹") {
		t.Errorf("the tray says %q", words.Open)
	}
}

func TestThemeAndScaleApplyAtOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("it lays screens out again and again, beside which nothing runs")
	}
	t.Setenv(scaleVariable, "") // it is put back afterwards
	f := setupShell(t, setupHost(t, 1), true, nil)
	background := func() any {
		theme := f.App.Settings().Theme()
		return theme.Color("assay.background", f.App.Settings().ThemeVariant())
	}
	light := background()
	f.change(func(s *config.Settings) { s.Appearance.Theme, s.Appearance.Scale = "dark", 1.5 })
	f.Until("it is dark", func() bool { return background() != light })
	if scale := os.Getenv(scaleVariable); scale != "1.5" {
		t.Errorf("scale %q", scale)
	}
	f.change(func(s *config.Settings) { s.Appearance.Theme, s.Appearance.Scale = "high-contrast", 0 })
	f.Until("the scale is the system's", func() bool { return os.Getenv(scaleVariable) == "" })
}

func TestTheScaleOfTheEnvironmentHolds(t *testing.T) {
	t.Setenv(scaleVariable, "1.25")
	f := setupShell(t, setupHost(t, 1), true, nil)
	f.look.apply(config.Appearance{Scale: 2})
	if scale := os.Getenv(scaleVariable); scale != "1.25" {
		t.Errorf("scale %q", scale)
	}
}

func TestTheFirstRun(t *testing.T) {
	t.Run("asks for a service, and sends nothing before it is told to", func(t *testing.T) {
		address, connections := guitest.Listener(t)
		f := setupShell(t, setupHost(t, 1), false, nil)
		f.change(func(s *config.Settings) { s.Service.Address = address })
		if f.first == nil || f.app != nil {
			t.Fatal("there is no first run")
		}
		f.stop()
		if n := connections(); n > 0 {
			t.Errorf("%d connections", n)
		}
	})
	t.Run("ends in the session that was chosen", func(t *testing.T) {
		f := setupShell(t, setupHost(t, 1), false, nil)
		f.openService(firstrun.ServiceDraft{}, true, func(err error) { t.Error(err) }, nil)
		f.Until("the session is on screen", func() bool { return f.app != nil })
		if f.Config.Settings().Service.Use != config.UseSandbox || f.first != nil {
			t.Error("the choice is not kept")
		}
	})
	t.Run("says what must be said at the start, once", func(t *testing.T) {
		f := setupShell(t, setupHost(t, 1), false, func(p *Params) { p.Notices = []string{"The settings were damaged."} })
		if !f.says("The settings were damaged.") {
			t.Error("it is not said")
		}
		f.openService(firstrun.ServiceDraft{}, true, func(err error) { t.Error(err) }, nil)
		f.Until("the session is on screen", func() bool { return f.app != nil })
		if f.says("The settings were damaged.") {
			t.Error("it is said again")
		}
	})
	t.Run("stays where the service can't be opened, and says so", func(t *testing.T) {
		f := setupShell(t, setupHost(t, 1), false, nil)
		f.services.refused = errors.New("no")
		first := f.first
		var told error
		f.openService(firstrun.ServiceDraft{}, true, func(err error) { told = err }, nil)
		f.Until("it was told", func() bool { return told != nil })
		if f.first != first || f.app != nil {
			t.Error("another screen is shown")
		}
	})
	t.Run("says how much was handed over, and the session takes what was dropped", func(t *testing.T) {
		f := setupShell(t, setupHost(t, 1), false, nil)
		f.services.mu.Lock()
		f.services.waiting = 2
		f.services.mu.Unlock()
		f.services.hub.Publish(events.Event{Topic: events.Handed})
		f.Until("it is said", func() bool { return f.says("2 files and links are waiting.") })
		f.dropped = append(f.dropped, aText(t, "one"))
		f.openService(firstrun.ServiceDraft{}, true, func(err error) { t.Error(err) }, nil)
		f.Until("it is taken", func() bool { return f.app != nil && f.app.inbox.Filled() })
	})
	t.Run("speaks another language at once, with what was filled in", func(t *testing.T) {
		f := setupShell(t, setupHost(t, 1), false, nil)
		t.Cleanup(func() {
			if err := i18n.Use("en", ""); err != nil {
				t.Error(err)
			}
		})
		f.services.spoken = func() error { return i18n.Use("xx", "") }
		before := f.first
		f.change(func(s *config.Settings) { s.Appearance.Language = "de" })
		f.Until("it is built anew", func() bool { return f.first != before })
		guitest.CheckTranslated(t, f.window.Content(), forms...)
	})
}

func TestTheTray(t *testing.T) {
	f := setupShell(t, setupHost(t, 1), true, nil)
	said := func() trayWords { _, words := f.icon.state(); return words }
	f.Until("the queue has told how it stands", func() bool { return f.app.latest.Counts != "" })
	t.Run("is shown once the person wants it, and tells how it stands", func(t *testing.T) {
		if shown, _ := f.icon.state(); shown {
			t.Fatal("nobody asked for it")
		}
		f.tray.latest = &inbox.Summary{Active: 2}
		f.change(func(s *config.Settings) { s.Desktop.Tray = true })
		f.Until("it is there", func() bool { shown, _ := f.icon.state(); return shown })
		if w := said(); w.State == trayWordsOf(nil).State {
			t.Errorf("it says %q", w.State)
		}
		f.app.apply(update{summary: inbox.Summary{Active: 3, Held: 1, Can: []inbox.QueueAction{inbox.PauseAll}}})
		f.Until("it tells", func() bool {
			w := said()
			return w.State == "3 under way · 1 waits for your decision" && w.Can && w.PauseOrResume == "Pause all"
		})
	})
	t.Run("pauses and resumes everything", func(*testing.T) {
		f.Queue.PauseAll()
		f.Until("it can be resumed", func() bool { return said().Resumes })
		f.icon.actions.PauseOrResume()
		f.Until("it goes on", func() bool { return !f.Queue.QueueStatus().Stopped() })
	})
	t.Run("covers everything, and never uncovers it", func(t *testing.T) {
		covered := func() bool {
			return f.app.cover.layer != nil && guitest.Reads(f.window.Canvas().Overlays().Top(), "Everything is covered")
		}
		f.icon.actions.Cover()
		f.Until("it is covered", covered)
		f.icon.actions.Cover()
		done := false
		f.OnUI(func() { done = true }) // after it
		f.Until("that was done", func() bool { return done })
		if !covered() {
			t.Error("it is uncovered")
		}
		f.app.cover.lift()
	})
	t.Run("keeps Assay running when the window closes, where the person chose that", func(t *testing.T) {
		if f.hidesOnClose() {
			t.Error("closing hides, and nobody chose it")
		}
		f.change(func(s *config.Settings) { s.Desktop.CloseHides = true })
		if !f.hidesOnClose() {
			t.Error("closing ends Assay")
		}
	})
	t.Run("is not counted on where the person wants none, or the desktop has none", func(t *testing.T) {
		for _, there := range []struct{ wanted, shown bool }{{false, true}, {true, false}} {
			f.tray.wanted, f.tray.shown = there.wanted, there.shown
			if f.hidesOnClose() {
				t.Error("closing hides the window, and nothing would bring it back")
			}
		}
	})
}

func TestClosingSaysWhatIsUnderWay(t *testing.T) {
	f := setupShell(t, setupHost(t, 1), true, nil)
	if f.asksToClose() {
		t.Error("it asks, and nothing is under way")
	}
	f.app.apply(update{summary: inbox.Summary{Active: 3}})
	if !f.asksToClose() {
		t.Fatal("it closes without a word")
	}
	sheet := f.window.Canvas().Overlays().Top()
	if !guitest.Reads(sheet, "3 files and links are under way. They go on the next time you start Assay.") {
		t.Errorf("%q", guitest.Read(sheet))
	}
	if f.asksToClose() {
		t.Error("it asks twice")
	}
	guitest.ButtonIn(sheet, "Keep open").OnTapped()
	if f.app.sheet.Open() || !f.asksToClose() {
		t.Error("the answer holds for later, too")
	}
}

func TestTheWindowHasTheSizeThatItHad(t *testing.T) {
	home := t.TempDir()
	services := setupHost(t, 1)
	first := setupShell(t, services, true, func(p *Params) { p.Home = home })
	first.window.Resize(fyne.NewSize(1000, 700))
	first.quit()
	first.stop()
	if got := config.LoadState(home); got.WindowWidth != 1000 || got.WindowHeight != 700 {
		t.Fatalf("kept %d x %d", got.WindowWidth, got.WindowHeight)
	}
	for _, c := range []struct{ kept, want fyne.Size }{
		{fyne.NewSize(0, 0), fyne.NewSize(windowWidth, windowHeight)},
		{fyne.NewSize(-5, 900), fyne.NewSize(windowWidth, windowHeight)},
		{fyne.NewSize(1000, 700), fyne.NewSize(1000, 700)},
		{fyne.NewSize(3, 3), fyne.NewSize(leastWidth, leastHeight)},
		{fyne.NewSize(1e6, 1e6), fyne.NewSize(mostSide, mostSide)},
	} {
		if got := windowSize(c.kept); got != c.want {
			t.Errorf("%v gives %v", c.kept, got)
		}
	}
}

func TestWhatMustBeSaidAtTheStartIsSaidOnce(t *testing.T) {
	f := setupShell(t, setupHost(t, 2), true, func(p *Params) { p.Notices = []string{"The settings were damaged."} })
	if !f.says("The settings were damaged.") {
		t.Error("it is not said")
	}
	f.over(1)
	if f.says("The settings were damaged.") {
		t.Error("it is said again")
	}
}

func TestTheDiskIsAskedHowMuchIsFree(t *testing.T) {
	f := setupShell(t, setupHost(t, 1), true, nil)
	f.app.goTo(position{screens.Settings, settings.SectionStorage})
	f.Until("what is free", func() bool { return f.says("Free on this disk: 41 GB") })
}

func TestTheKeyIsSaidToBeMissing(t *testing.T) {
	f := setupShell(t, setupHost(t, 1), true, nil)
	f.Until("it is said, with the way to Settings", func() bool { return f.says("There is no key") && f.says("Open Settings") })
	assert.NoError(t, f.Keys.KeepForThisRun(f.app.Address, "0123456789abcdef"))
	f.Until("it is gone once there is a key", func() bool { return !f.says("There is no key") })
}

func TestAPastedPictureIsAFileOfItsOwn(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "pasted")
	first, err := writePicture(folder, "pasted 2026-11-21 19.15.02", []byte("one"))
	if err != nil || filepath.Base(first) != "pasted 2026-11-21 19.15.02.png" {
		t.Fatal(first, err)
	}
	second, err := writePicture(folder, "pasted 2026-11-21 19.15.02", []byte("two"))
	if err != nil || filepath.Base(second) != "pasted 2026-11-21 19.15.02 2.png" {
		t.Fatal(second, err)
	}
	content, err := os.ReadFile(first)
	if err != nil || string(content) != "one" {
		t.Error(string(content), err)
	}
	if info, err := os.Stat(first); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}
}
