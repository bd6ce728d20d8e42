package feedback

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"assay/client"
	"assay/client/i18n"
	"assay/client/i18n/i18ntest"
	"assay/client/store"
	"assay/gui/guitest"
	"assay/gui/look"
)

// state is how the bar can stand.
type state struct {
	name    string
	status  client.Status
	prepare func(s *fixture)
	then    func(s *fixture)
}

func states() []state {
	undo := func(s *fixture) {
		s.source.setState(store.FeedbackWaiting, "")
		s.source.given.All[0].Due = noon.Add(4 * time.Second)
	}
	return []state{
		{"asks", client.Fake, func(*fixture) {}, nil},
		{"asks-first", client.Fake, func(*fixture) {}, nil},
		{"earlier", client.Authentic, func(s *fixture) { s.source.setState(store.FeedbackSent, "") }, nil},
		{"no-verdict", client.NotApplicable, func(*fixture) {}, nil},
		{"undo", client.Fake, undo, nil},
		{"comment", client.Fake, undo, func(s *fixture) { s.editComment(); s.pump(2) }},
		{"waits", client.Fake, func(s *fixture) {
			s.source.setState(store.FeedbackWaiting, "The service's name was not found. Check the network connection and the service's address.")
		}, nil},
		{"sending", client.Fake, func(s *fixture) { s.source.setState(store.FeedbackSending, "") }, nil},
		{"refused", client.Fake, func(s *fixture) {
			s.source.setState(store.FeedbackRefused, "The service says: “You are not authorized to create feedback for this media result!”")
		}, nil},
		{"refused-long", client.Fake, func(s *fixture) {
			s.source.setState(store.FeedbackRefused, strings.Repeat("A service may say a lot. ", 20))
		}, nil},
		{"unknown", client.Fake, func(s *fixture) { s.source.setState(store.FeedbackUnknown, "x") }, nil},
		{"other", client.Fake, func(*fixture) {}, func(s *fixture) { s.other.Tapped(nil) }},
	}
}

// fit gives the bar the height that it needs at a width, and holds that no control reaches over its edge.
func (s *fixture) fit(width float32) fyne.Size {
	s.T.Helper()
	for range 3 { // heights of wrapping texts follow from the widths of the pass before
		s.Resize(fyne.NewSize(width, s.root.MinSize().Height+1))
		s.Resize(fyne.NewSize(width, s.root.MinSize().Height))
	}
	size := s.root.MinSize()
	if size.Width > width {
		s.T.Errorf("it needs a width of %g", size.Width)
	}
	return size
}

func TestEveryLanguageFits(t *testing.T) {
	if testing.Short() {
		t.Skip("the languages differ in their words alone")
	}
	for _, name := range i18n.All() {
		for _, state := range states() {
			t.Run(name.Code+" "+state.name, func(t *testing.T) {
				i18ntest.Speak(t, name.Code)
				s := setup(t, look.ModeLight, 500)
				state.prepare(s)
				s.show(state.status)
				if state.then != nil {
					state.then(s)
				}
				s.fit(500)
			})
		}
	}
}

// TestGallery draws the bar as it can stand, light and dark, wide and narrow, and holds that no control reaches over its edge.
// With ASSAY_GALLERY naming a folder, the pictures are kept there, to be looked at.
func TestGallery(t *testing.T) {
	if testing.Short() {
		t.Skip("it only lays out what it draws")
	}
	for _, state := range states() {
		for _, mode := range []look.Mode{look.ModeLight, look.ModeDark} {
			for _, width := range []float32{876, 500} {
				t.Run(fmt.Sprintf("%s-%s-%g", state.name, mode, width), func(t *testing.T) {
					i18ntest.FromEnvironment(t)
					s := setup(t, mode, width)
					state.prepare(s)
					s.show(state.status)
					if state.then != nil {
						state.then(s)
					}
					size := s.fit(width)
					if state.name == "asks" && width > 800 && size.Height > 75 {
						t.Errorf("it is %g high", size.Height)
					}
					guitest.Keep(t, s.Window, fmt.Sprintf("%s-%s-%g", state.name, mode, width))
				})
			}
		}
	}
}
