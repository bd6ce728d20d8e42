package gui

import (
	"context"

	"assay/client/i18n"
	"assay/client/session"
)

// speak has everything said anew in the language that the settings name by now: the screens are built anew on the same session.
func (s *shell) speak() {
	s.rebuilds = true
	s.switchTo(func(ctx context.Context) (*session.Session, error) {
		return s.Session, s.Host.Speak(ctx)
	}, func(err error) {
		if err != nil {
			s.Log.Error("the language was not changed", "error", err)
		}
	})
}

// listen has the toolkit follow the language in use.
func (s *shell) listen() {
	if now := i18n.Language(); now != s.spoken {
		s.spoken = now
		speakToolkit(s.Log)
	}
}
