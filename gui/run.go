package gui

import (
	"context"
	"net"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"

	fyneapp "fyne.io/fyne/v2/app"
	"fyne.io/fyne/v2/theme"

	"assay/client/i18n"
	"assay/client/report"
	"assay/client/session"
	"assay/gui/settings"
)

// startGCPercent lets the heap grow while the window opens: there is nothing to collect then.
const startGCPercent = 800

// atRest is how long after the window has opened nothing of the start is left to do.
const atRest = 4 * time.Second

// ReportFonts are the fonts that the toolkit brings, for reports as PDF.
func ReportFonts() report.Fonts {
	return report.Fonts{
		Regular: theme.DefaultTextFont().Content(), Bold: theme.DefaultTextBoldFont().Content(), Mono: theme.DefaultTextMonospaceFont().Content(),
	}
}

// Run opens the window with these files, folders and links submitted, and returns when it is closed or ctx ends. It must be called on the main
// goroutine. The host closes the session that is then open. An error is *session.Misuse: no window can be shown here.
func Run(ctx context.Context, h *session.Host, files []string) error {
	if sentence := noDisplay(); sentence != "" {
		return &session.Misuse{Sentence: sentence}
	}
	// The toolkit's cache is in a folder that a new account does not have yet; without it the toolkit logs an error.
	if dir, err := os.UserCacheDir(); err == nil {
		_ = os.MkdirAll(dir, 0o700) // if it fails, the toolkit logs why
	}
	for _, secret := range []string{"ASSAY_API_KEY", session.LogKeyVariable} { // the host has read them; programs that open files must not get them
		_ = os.Unsetenv(secret)
	}
	usual := debug.SetGCPercent(startGCPercent)
	p := Params{
		Session: h.Session(),
		App:     fyneapp.NewWithID("news.assay.Assay"),
		Home:    h.Home,
		Hidden:  h.Hidden,
		Config:  h.Config,
		Keys:    h.Keys,
		Host:    h,
		Events:  h.Events,
		Entries: h.Entries(),
		About:   settings.About{Version: session.FullVersion(), Crashed: h.Crash().When},
		Files:   files,
		Notices: h.Notices(),
		Log:     h.Log,
		Began: sync.OnceFunc(func() {
			debug.SetGCPercent(usual)
			time.AfterFunc(atRest, debug.FreeOSMemory) // what only the start needed: an idle window would not collect it for minutes
		}),
	}
	s := newShell(p, &systemTray{})
	ctx, cancel := context.WithCancel(ctx)
	s.ctx = ctx
	p.App.Lifecycle().SetOnStarted(func() { s.start(ctx) }) // before, there is no UI thread for closures
	if p.Hidden && p.Config.Settings().Desktop.Tray {
		p.App.Run() // start shows the window, or the tray does
	} else {
		s.window.ShowAndRun()
	}
	cancel()
	s.end()
	return nil
}

// noDisplay says why no window can open here, "" where one can. The toolkit would panic.
func noDisplay() string {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		return ""
	}
	display := os.Getenv("DISPLAY")
	if display == "" {
		return i18n.T("There is no display here, so no window can open. Use \"assay scan FILE…\" instead.")
	}
	if !reachable(display) {
		return i18n.F("The display %s does not answer, so no window can open. Use \"assay scan FILE…\" instead.", display)
	}
	return ""
}

// reachable reports whether an X server listens at a DISPLAY of the form host:number.screen.
func reachable(display string) bool {
	host, rest, ok := strings.Cut(display, ":")
	number, _, _ := strings.Cut(rest, ".")
	n, err := strconv.Atoi(number)
	if !ok || err != nil {
		return false
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	var dialer net.Dialer
	addresses := [][2]string{{"tcp", net.JoinHostPort(host, strconv.Itoa(6000+n))}}
	if host == "" || host == "unix" {
		socket := "/tmp/.X11-unix/X" + number
		addresses = [][2]string{{"unix", "@" + socket}, {"unix", socket}, {"tcp", net.JoinHostPort("localhost", strconv.Itoa(6000+n))}}
	} else if strings.HasPrefix(host, "/") { // the path of a socket, as launchers of remote displays set it
		addresses = [][2]string{{"unix", display}, {"unix", host}}
	}
	for _, a := range addresses {
		if conn, err := dialer.DialContext(ctx, a[0], a[1]); err == nil {
			return conn.Close() == nil
		}
	}
	return false
}
