//go:build unix && !darwin

package desktop

import (
	"context"
	"errors"
	"time"

	"assay/client/i18n"
	"assay/client/portal"
)

// personWait is how long the person may take to answer the desktop's question.
const personWait = 2 * time.Minute

// sandboxed reports whether this program runs in a sandbox. It has a home of its own, in which no desktop looks for entries: the desktop makes them.
func (e Entries) sandboxed() bool { return portal.Sandboxed(e.variable) }

// askAutostart has the desktop start this program with the system. It may ask the person.
func (e Entries) askAutostart(on bool) error {
	ctx, cancel := context.WithTimeout(context.Background(), personWait)
	defer cancel()
	err := portal.Autostart(ctx, i18n.T("Start Assay when you log in"), append([]string{e.Program}, e.Arguments...), on)
	switch {
	case errors.Is(err, portal.ErrNone):
		return none(on)
	case errors.Is(err, portal.ErrRefused):
		return errRefused
	}
	return err
}
