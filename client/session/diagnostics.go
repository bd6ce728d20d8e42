package session

import (
	"context"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"

	"assay/client/config"
	"assay/client/ffmpeg"
	"assay/client/i18n"
	"assay/client/keys"
	"assay/client/logs"
	"assay/client/release"
)

// Diagnostics is a report of Assay's state that the person can show others: it holds no key, no name and no link. display is the display system that
// the window is on, by logs.Facts. It reads the disk.
func (h *Host) Diagnostics(ctx context.Context, display string) string {
	now := h.Config.Settings()
	f := logs.Facts{
		Version:   release.Full(),
		Display:   display,
		Language:  i18n.Language(),
		Theme:     now.Appearance.Theme,
		Scale:     now.Appearance.Scale,
		Service:   string(now.Service.Use),
		Encrypted: now.Service.Use == config.UseService && strings.HasPrefix(strings.ToLower(now.Service.Address), "https:"),
		Proxy:     now.Network.Proxy != "",
		States:    map[string]int{},
		LogDir:    h.file.folder(),
	}
	_, missing := ffmpeg.Find()
	f.FFmpeg = missing == nil
	if now.Service.Use == config.UseService {
		status := h.Keys.Status(now.Service.Address)
		f.HasKey = status.Where != keys.Nowhere
		if status.Problem != nil {
			f.Keychain = string(status.Problem.Cause)
		}
	}
	if s := h.Session(); s != nil {
		for _, sub := range s.Queue.All() {
			f.States[string(sub.State)]++
		}
		f.QueueStatus = string(s.Queue.QueueStatus().Cause)
		f.VaultBytes, _ = s.Store.VaultSize(ctx) // 0 where it is not known
	}
	f.FreeBytes = h.FreeBytes()
	return logs.Diagnostics(f)
}

// FreeBytes is how many bytes may still be written to the disk of Assay's folder, 0 where that is not known. It asks the disk.
func (h *Host) FreeBytes() int64 { return freeBytes(h.Home) }

// Crash is the report of the last run if it crashed, else the zero Report. It reads the disk.
func (h *Host) Crash() logs.Report {
	report, _ := crashes(h.Home, h.Secrets).Collect()
	return report
}

// Notices are sentences to show once, at the start: what is wrong with the settings, and that the last run crashed. They are in the language in use
// now.
func (h *Host) Notices() []string {
	said := h.Config.Notices()
	state, crash := config.LoadState(h.Home), h.Crash()
	if crash.Name == "" || crash.Name == state.CrashSeen {
		return said
	}
	if err := config.ChangeState(h.Home, func(s *config.State) { s.CrashSeen = crash.Name }); err != nil {
		h.Log.Warn("remember that the crash was told", "error", err)
	}
	return append(said, i18n.T("Assay ended unexpectedly last time. You can copy a report of it under Settings, About."))
}

func crashes(home string, secrets *logs.Secrets) *logs.Crashes {
	return &logs.Crashes{Dir: filepath.Join(home, "log"), Version: release.Full(), Secrets: secrets}
}

// logFile is the window's log file, in the folder of the open session: only the process that holds that folder writes there.
type logFile struct {
	mu   sync.Mutex
	dir  string
	file *logs.File // nil: none is open
}

// Write implements io.Writer. It never fails.
func (l *logFile) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return len(line), nil
	}
	return l.file.Write(line)
}

// logDir is where the log of a session is, by the session's folder.
func logDir(folder string) string { return filepath.Join(folder, "log") }

// open switches to the log of another folder, which this process holds.
func (l *logFile) open(folder string, log *slog.Logger) {
	file, err := logs.OpenFile(logDir(folder))
	if err != nil {
		log.Warn("the log can't be written to the disk", "error", err)
	}
	l.close()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.dir, l.file = logDir(folder), file
}

// close closes the file, before the folder is released.
func (l *logFile) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file != nil {
		_ = l.file.Close() // of no concern to the person
	}
	l.dir, l.file = "", nil
}

// folder is where the log is written now, "" for nowhere.
func (l *logFile) folder() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.dir
}
