package gui

import (
	"context"
	"errors"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client/desk/postgres"
	"assay/client/events"
	"assay/client/i18n"
	"assay/client/session"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/screens"
	"assay/gui/settings"
)

// deskPatience is for how long the desk may be out of reach before the window says so outside Settings: a connection that comes back is nobody's matter.
const deskPatience = time.Minute

// deskSettings are what the page of the desk needs.
func (a *app) deskSettings() settings.Desk {
	return settings.Desk{
		State: a.deskState,
		Join: func(ctx context.Context, at postgres.Address, password, filesKey string) (kept bool, err error) {
			return a.JoinDesk(ctx, at.String(), session.DeskSecrets{Password: password, FilesKey: filesKey})
		},
		Leave: a.LeaveDesk,
		Try:   func(context.Context) { a.TryDesk() },
		ChooseFile: func(chosen func(path string)) {
			a.dialogs.file(i18n.T("Choose the file that your IT gave you"), chosen)
		},
		ReadFile: func(_ context.Context, path string) (postgres.Parts, error) { return session.ReadDeskFile(path) },
	}
}

// deskState is how it is at the desk. It reads the records.
func (a *app) deskState(ctx context.Context) (now settings.DeskNow, err error) {
	m, joined, err := a.Store.Desk(ctx)
	if err != nil || !joined {
		return now, err
	}
	now = settings.DeskNow{Joined: true, Address: m.Address, Member: m.Member}
	if now.Members, err = a.Store.DeskMembers(ctx); err != nil {
		return now, err
	}
	if now.Counts, err = a.Store.DeskCounts(ctx); err != nil {
		return now, err
	}
	if now.Logs, err = a.Store.ChangedLogs(ctx); err != nil {
		return now, err
	}
	status, _ := a.DeskStatus()
	now.Connected, now.Trying, now.Since, now.Next, now.Problem = status.Connected, status.Trying, status.Since, status.Next, status.Problem
	now.Newer, now.HeldBack = status.Newer, status.HeldBack
	return now, nil
}

// gatherDesk says in the rail that the desk has been out of reach for a while, and brings the page of the desk up to date.
func (a *app) gatherDesk(ctx context.Context, _ events.Changes) func() {
	sentence := ""
	if status, joined := a.DeskStatus(); joined && !status.Connected && a.Now().Sub(status.Since) >= deskPatience {
		sentence = i18n.T("Desk not connected")
		if p := (*postgres.Problem)(nil); errors.As(status.Problem, &p) && p.Cause == postgres.Unreachable {
			sentence = i18n.T("Desk not reachable")
		}
		counts, err := a.Store.DeskCounts(ctx)
		if err != nil {
			a.Log.Error("count what is not shared", "error", err)
		}
		if counts.Pending > 0 {
			sentence += "\n" + i18n.N(counts.Pending, "%s not shared yet", "%s not shared yet")
		}
	}
	return func() {
		if a.stopped {
			return
		}
		a.deskLine.say(sentence)
		if a.rail.Selected() == screens.Settings {
			a.settings.DeskChanged()
		}
	}
}

// deskLine is a few words in the rail about the desk, with a button that leads to its page. It is hidden while there is nothing to say, and belongs to
// the UI thread.
type deskLine struct {
	rail   *fyne.Container // of what is said in the rail
	object *fyne.Container
	words  *kit.Paragraph
	show   *kit.Button
}

// newDeskLine adds it to what is said in the rail.
func newDeskLine(rail *fyne.Container, show func()) *deskLine {
	l := &deskLine{rail: rail, words: kit.NewParagraph("", kit.TextStyle{Size: look.SizeCaption, Align: fyne.TextAlignCenter, Color: look.ColorMuted})}
	l.show = kit.NewButton(kit.Bare, "", look.IconGlobe, show)
	l.show.SetMuted(true)
	l.object = container.New(wordsWithRoom{}, l.words, container.NewCenter(l.show))
	l.object.Hide()
	rail.Add(l.object)
	return l
}

// say shows a sentence, "" for none.
func (l *deskLine) say(sentence string) {
	if sentence == l.words.Text() {
		return
	}
	l.words.SetText(sentence)
	l.show.SetToolTip(strings.ReplaceAll(sentence, "\n", " · "))
	kit.SetVisible(l.object, sentence != "")
	l.rail.Refresh()
}

// wordsWithRoom lays words out above a button, which is alone where a word would not fit: its tooltip has them.
type wordsWithRoom struct{}

// wordsRoom is the least width for words.
const wordsRoom float32 = 12 * look.Space

// Layout implements fyne.Layout.
func (w wordsWithRoom) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	kit.SetVisible(objects[0], size.Width >= wordsRoom)
	kit.Column{Gap: look.Space, Grow: -1}.Layout(objects, size)
}

// MinSize implements fyne.Layout.
func (w wordsWithRoom) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return kit.Column{Gap: look.Space, Grow: -1}.MinSize(objects)
}
