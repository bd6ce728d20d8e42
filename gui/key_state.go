package gui

import (
	"context"

	"assay/client/keys"
	"assay/gui/present"
)

// carryKey brings how it stands with the service's key to the screen, until ctx ends.
func (a *app) carryKey(ctx context.Context) {
	if a.Keys == nil || a.Sandbox {
		return
	}
	for {
		changed := a.Keys.Changed()
		status := a.Keys.Status(a.Address)
		a.onUI(func() { a.keyChanged(status) })
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

func (a *app) keyChanged(status keys.Status) {
	if a.left || status == a.key {
		return
	}
	a.key = status
	a.inbox.Update(nil, nil, a.withKey(a.latest))
	a.settings.Refresh()
}

// withKey has the inbox say what keeps the key away, for nothing is sent without one.
func (a *app) withKey(o present.Overall) present.Overall {
	if a.Keys == nil || a.Sandbox || a.key.Where != keys.Nowhere {
		return o
	}
	words, problem := present.KeyWords(a.key)
	if problem == "" {
		problem = words
	}
	return o.WithKey(problem)
}
