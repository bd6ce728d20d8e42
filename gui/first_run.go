package gui

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"fyne.io/fyne/v2"

	"assay/client/config"
	"assay/client/events"
	"assay/client/i18n"
	"assay/client/submission"
	"assay/gui/firstrun"
	"assay/gui/present"
	"assay/gui/settings"
)

// newFirstRun builds the screen that asks for a service, filled in as draft is.
func (s *shell) newFirstRun(draft firstrun.ServiceDraft) *firstrun.Screen {
	now, sizes := s.Config.Settings(), settings.ScaleChoices()
	size := sizes.Place(now.Appearance.Scale, settings.ScaleWords)
	if s.look.fixed || s.Config.Origin(settings.SettingScale).Sentence() != "" {
		size = -1
	}
	change := func(do func(*config.Settings)) {
		s.systemWorkers.Do(func(context.Context) func() {
			if err := s.Config.Change(do); err != nil {
				return func() {
					if s.first != nil {
						s.first.Say(present.Problem(err))
					}
				}
			}
			return nil
		})
	}
	return firstrun.New(firstrun.Params{
		Actions:   s.serviceActions(func(error) {}),
		Workers:   s.systemWorkers,
		Draft:     draft,
		Fixed:     s.Config.Origin(settings.SettingAddress).Sentence(),
		NoSandbox: s.Config.Origin(settings.SettingUse).Sentence(),
		AsksFirst: now.Gates.Files != submission.GateSend && now.Gates.Links != submission.GateSend,
		FixedGate: cmp.Or(s.Config.Origin(settings.SettingGateFiles).Sentence(), s.Config.Origin(settings.SettingGateLinks).Sentence()),
		SetAsksFirst: func(asks bool) {
			gate := submission.GateSend
			if asks {
				gate = submission.GateAsk
			}
			change(func(now *config.Settings) { now.Gates.Files, now.Gates.Links = gate, gate })
		},
		TextSizes:   sizes.Words,
		TextSize:    size,
		SetTextSize: func(i int) { change(func(now *config.Settings) { now.Appearance.Scale = sizes.Values[i] }) },
		SetLanguage: func(code string) { change(func(now *config.Settings) { now.Appearance.Language = code }) },
	})
}

// given is what the first run is filled in with: what IT, the environment or the flags have given.
func (s *shell) given() firstrun.ServiceDraft {
	now := s.Config.Settings()
	return firstrun.ServiceDraft{
		Address: now.Service.Address,
		Network: firstrun.NetworkDraft{Proxy: now.Network.Proxy, Certificates: now.Network.Certificates},
	}
}

// showFirstRun shows it.
func (s *shell) showFirstRun() {
	setContent(s.window, s.first.Object())
	s.window.SetOnDropped(func(_ fyne.Position, uris []fyne.URI) {
		for _, u := range uris {
			s.dropped = append(s.dropped, u.Path())
		}
		s.sayWaiting()
	})
	c := s.window.Canvas()
	c.SetOnTypedRune(nil)
	c.SetOnTypedKey(func(e *fyne.KeyEvent) { s.first.TypedKey(e) })
	s.sayWaiting()
	s.onceDrawn(s.systemWorkers, c, s.first.Object(), s.first.Focus)
}

// sayWaiting shows the notices of the start, and what will be accepted once there is a service. Nothing is sent before.
func (s *shell) sayWaiting() {
	if s.first == nil {
		return
	}
	said := slices.Clone(s.Notices)
	if n := s.Host.Waiting() + len(s.dropped); n > 0 {
		said = append(said, i18n.N(n, "%s file or link is waiting. Assay adds it once it is set up.", "%s files and links are waiting. Assay adds them once it is set up."))
	}
	if len(said) > 0 {
		s.first.Say(strings.Join(said, " "))
	}
}

// carryFirstRun shows later starts in the first run, until ctx ends, and lets start whatever waits for the window.
func (s *shell) carryFirstRun(ctx context.Context, owned *sync.WaitGroup) {
	s.Began()
	s.Began = func() {}
	handed := s.Events.Subscribe(events.Handed)
	owned.Go(func() {
		defer handed.Close()
		for {
			select {
			case <-handed.Ready():
				handed.Take()
				s.OnUI(func() {
					s.raise()
					s.sayWaiting()
				})
			case <-ctx.Done():
				return
			}
		}
	})
}
