package settings

import (
	"cmp"
	"context"
	"testing"

	"assay/client/assert"
	"assay/client/config"
	"assay/gui/guitest"
	"assay/gui/kit"
)

// withUpdates shows the page about Assay in a build that asks for newer versions.
func (d *fixture) withUpdates() *Screen {
	s := d.newSettings(func(p *Params) {
		p.Updates = &Updates{
			Host: "updates.example.org", Own: "0.1.0",
			Offline: func() bool { return d.now.Sandbox },
			Ask: func(ctx context.Context) (Newer, error) {
				d.Lock()
				defer d.Unlock()
				return d.newer, cmp.Or(d.Failing["ask"], ctx.Err())
			},
			Open: func(n Newer) { d.Did("open " + n.Page) },
		}
	})
	s.ShowSection(SectionAbout)
	return s
}

func TestUpdates(t *testing.T) {
	tick := func(s *Screen) *kit.Check { return guitest.InSight[*kit.Check](s.stack)[0] }
	t.Run("where the system updates Assay, nothing is offered", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		s := d.section(SectionAbout)
		if d.Button("Check now") != nil || len(guitest.InSight[*kit.Check](s.stack)) > 0 {
			t.Error("there is a setting")
		}
		d.WantNoWords("newer version")
	})
	t.Run("elsewhere it is off, says who would be asked and what they see, and is one tick", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		s := d.withUpdates()
		d.WantWords("updates.example.org", "nothing else", "Nothing is downloaded or installed.")
		if tick(s).Checked() {
			t.Error("it is on")
		}
		tick(s).Tapped(nil)
		d.settled(s)
		assert.Equal(t, config.Updates{Check: true}, d.settings.Updates)
	})
	t.Run("Check now says what there is, and its page is opened on a click alone", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		d.withUpdates()
		d.Tap("Check now")
		d.UntilWords("You have the newest version: 0.1.0.")
		d.newer = Newer{Version: "0.2.0", Page: "https://updates.example.org/0.2.0"}
		d.Tap("Check now")
		d.UntilWords("Assay 0.2.0 is available. You have 0.1.0.")
		d.Want(t)
		d.Tap("What is new…")
		d.Want(t, "open https://updates.example.org/0.2.0")
		d.Fail("ask", guitest.Sentence("Assay could not find out."))
		d.Tap("Check now")
		d.UntilWords("Assay could not find out.")
		if d.Button("What is new…") != nil {
			t.Error("the page of before is still offered")
		}
	})
	t.Run("what IT has locked is shown so; locked off, nothing is asked at all", func(t *testing.T) {
		for _, on := range []bool{false, true} {
			d := setup(t, guitest.Smallest)
			d.origins[SettingUpdates], d.settings.Updates.Check = config.Locked, on
			s := d.withUpdates()
			d.WantWords("Set by your organisation's IT.")
			if !tick(s).Disabled() || tick(s).Checked() != on || d.Button("Check now").Disabled() == on {
				t.Errorf("locked to %v: the tick or the button is wrong", on)
			}
		}
	})
	t.Run("in the sandbox nothing is asked, which is said", func(t *testing.T) {
		d := setup(t, guitest.Smallest)
		d.now.Sandbox = true
		d.withUpdates()
		d.WantWords("While you use the sandbox, Assay does not check.")
		if !d.Button("Check now").Disabled() {
			t.Error("it can be asked")
		}
	})
}
