package command

import (
	"context"
	"os"
	"runtime"
	"strings"

	"assay/client/config"
	"assay/client/ffmpeg"
	"assay/client/i18n"
	"assay/client/keys"
	"assay/client/logs"
)

// Diagnostics is what a person can show others of the state that Assay is in: no key, no name, no link. It reads the disk.
func (h *Host) Diagnostics(ctx context.Context) string {
	now := h.Config().Settings()
	f := logs.Facts{
		Version:   FullVersion(),
		Display:   display(),
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
		status := h.ring.Status(now.Service.Address)
		f.HasKey = status.Where != keys.Nowhere
		if status.Problem != nil {
			f.Keychain = string(status.Problem.Cause)
		}
	}
	if s := h.Session(); s != nil {
		for _, sub := range s.Queue.All() {
			f.States[string(sub.State)]++
		}
		f.Standing = string(s.Queue.QueueStatus().Cause)
		f.VaultBytes, _ = s.Store.VaultSize(ctx) // 0 where that can't be told
	}
	f.FreeBytes = h.FreeBytes()
	return logs.Diagnostics(f)
}

// FreeBytes is how much may still be written to the disk that Assay keeps everything on, 0 where that can't be told. It asks the disk.
func (h *Host) FreeBytes() int64 { return freeBytes(h.home) }

// display is what the window is shown by.
func display() string {
	switch {
	case runtime.GOOS == "windows":
		return "windows"
	case runtime.GOOS == "darwin":
		return "macos"
	case os.Getenv("DISPLAY") != "":
		return "x11"
	case os.Getenv("WAYLAND_DISPLAY") != "":
		return "wayland"
	}
	return "none"
}

// Crash is the report of the last run that ended badly; the zero Report: there is none. It reads the disk.
func (h *Host) Crash() logs.Report {
	report, _ := crashes(h.home, h.secrets).Collect()
	return report
}

// Notices are what is to be said once, at the start: what was wrong with the settings, and that the last run ended badly. They are
// said in the language of now.
func (h *Host) Notices() []string {
	said := h.Config().Notices()
	state, crash := config.LoadState(h.home), h.Crash()
	if crash.Name == "" || crash.Name == state.CrashSeen {
		return said
	}
	if err := config.ChangeState(h.home, func(s *config.State) { s.CrashSeen = crash.Name }); err != nil {
		h.log.Warn("remember that the crash was told", "error", err)
	}
	return append(said, i18n.T("Assay ended unexpectedly the last time. Settings, About has a report of it that you can copy."))
}
