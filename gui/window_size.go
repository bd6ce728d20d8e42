package gui

import (
	"fyne.io/fyne/v2"

	"assay/client/config"
)

// keepSize opens the window with the size that it had, and closes it as the person chose.
func (s *shell) keepSize() {
	if s.Home != "" {
		kept := config.LoadState(s.Home)
		s.window.Resize(windowSize(fyne.NewSize(float32(kept.WindowWidth), float32(kept.WindowHeight))))
	}
	s.window.SetCloseIntercept(func() {
		s.size = s.window.Canvas().Size()
		if s.hidesOnClose() {
			s.window.Hide()
			return
		}
		s.window.Close()
	})
}

// hidesOnClose reports whether closing the window leaves Assay running: by the person's choice alone, and never where nothing would
// be left to see of it.
func (s *shell) hidesOnClose() bool {
	return s.Config.Settings().Desktop.CloseHides && s.tray.there()
}

// saveSize keeps the window's size for the next time; what can't be written is no loss.
func (s *shell) saveSize() {
	if s.Home == "" || s.size.Width <= 0 || s.size.Height <= 0 {
		return
	}
	if err := config.ChangeState(s.Home, func(kept *config.State) {
		kept.WindowWidth, kept.WindowHeight = int(s.size.Width), int(s.size.Height)
	}); err != nil {
		s.Log.Warn("the window's size was not kept", "error", err)
	}
}
