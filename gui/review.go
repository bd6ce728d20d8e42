package gui

import (
	"bytes"
	"context"
	"image"
	"net/url"
	"slices"
	"time"

	"assay/client"
	"assay/client/intake"
	"assay/client/media/convert"
	"assay/client/media/facts"
	"assay/client/media/strip"
	"assay/client/submission"
	"assay/gui/review"
)

// reviewer opens the sheet that asks what may be sent, and examines the files for it meanwhile. It belongs to the UI thread.
type reviewer struct {
	app   *app
	sheet *review.Sheet
	asked *review.Review // the sheet that is open; nil: none
	stop  context.CancelFunc

	stopSample context.CancelFunc
	seen       seen
	copiesOf   string // the ID of the submission of which the sheet knows what its copies would be
	player     *reviewPlayer
}

// seen is a picture as it was read for the sheet, uncovered: what the person wants to see is not read again.
type seen struct {
	id  string
	img *image.RGBA
}

func (a *app) newReview() *reviewer {
	l := &reviewer{app: a, stop: func() {}, stopSample: func() {}, player: a.newReviewPlayer()}
	l.sheet = review.New(review.Params{
		Sheet: a.sheet,
		Send: func(ids []string, how review.Choice) {
			a.Queue.Approve(intake.ApproveOptions{WithoutMetadata: how.WithoutMetadata, NeutralName: how.NeutralName}, ids...)
		},
		Never: func(ids []string) {
			a.undo.Later(review.NeverText(len(ids)), func() { a.Queue.NeverSend(ids...) }, nil)
		},
		Use: func(ids []string) { a.Queue.TakeOver(ids...) }, OpenCase: a.openCase,
		Look:   l.sample,
		Player: l.player,
		Copy:   a.App.Clipboard().SetContent,
		Now:    time.Now,
		Closed: func() {
			l.stop()
			l.stopSample()
			l.asked, l.seen, l.copiesOf = nil, seen{}, ""
		},
	})
	return l
}

// ask asks about those of the submissions that wait for the person's approval.
func (l *reviewer) ask(ids []string) {
	l.app.undo.Flush() // what waits may be about these
	l.app.sheet.Close()
	var subs []submission.Submission
	for _, id := range ids {
		if s, ok := l.app.Queue.Get(id); ok && toBeDecided(s) {
			subs = append(subs, s)
		}
	}
	needsPart := func(s submission.Submission) bool { return s.Needs == submission.NeedsPart }
	if one := slices.IndexFunc(subs, needsPart); one >= 0 && !slices.ContainsFunc(subs, func(s submission.Submission) bool { return !needsPart(s) }) {
		l.app.choosePart(subs[one])
		return
	}
	subs = slices.DeleteFunc(subs, needsPart) // each has a part of its own
	if len(subs) == 0 {
		return
	}
	l.stop()
	asked := review.NewReview(subs, l.app.serviceName())
	for _, s := range subs {
		if c := l.app.inbox.Checked(s.ID); c != nil {
			asked.CheckedBy(s.ID, *c)
		}
		asked.NearTo(s.ID, l.app.hintOf(s))
	}
	l.asked = asked
	l.sheet.Show(asked)
	l.read(asked, subs)
}

// readFor is how long files are examined before the findings are shown: not one by one, if there are thousands.
const readFor = 100 * time.Millisecond

// read examines the files one after another; the sheet shows what is known by then.
func (l *reviewer) read(asked *review.Review, subs []submission.Submission) {
	if len(subs) == 0 {
		return
	}
	l.stop = l.app.lookers.Do(func(ctx context.Context) func() {
		var found []func()
		began, rest := time.Now(), subs
		for len(rest) > 0 && time.Since(began) < readFor && ctx.Err() == nil {
			sub := rest[0]
			rest = rest[1:]
			if sub.Path == "" {
				continue
			}
			said, noCopy, err := l.app.look(ctx, sub)
			found = append(found, func() {
				if asked.HasCopy(sub.ID) {
					return // what the copy says is known
				}
				asked.Looked(sub.ID, said, err)
				asked.NoCopy(sub.ID, noCopy)
			})
		}
		return func() {
			if l.asked != asked {
				return
			}
			for _, show := range found {
				show()
			}
			l.sheet.Refresh()
			l.read(asked, rest)
		}
	})
}

// look reads what a file says of itself, and finds out whether a copy without metadata can be made of it: noCopy is why not. Of a picture that is sent as a
// copy in another format, it is what the copy would say.
func (a *app) look(ctx context.Context, sub submission.Submission) (said facts.Facts, noCopy, err error) {
	file, err := a.Queue.OpenFile(sub.ID)
	if err != nil {
		return facts.Facts{}, nil, err
	}
	defer file.Close() //nolint:errcheck // only read from
	if said, err = facts.ReadFile(ctx, file, sub.Name); err != nil {
		return facts.Facts{}, nil, err
	}
	switch {
	case sub.Needs == submission.NeedsNothing:
		return said, strip.Check(ctx, file, said.Size, said.Format), nil
	case sub.Type != client.Image:
		return said, nil, nil // the copy says it, once it is made
	}
	stated, err := convert.Stated(ctx, convert.Source{File: file, Path: sub.Path, Size: said.Size, Type: sub.Type})
	if err != nil {
		return said, nil, err
	}
	copied, err := facts.Read(ctx, bytes.NewReader(stated), int64(len(stated)), "")
	copied.Format, copied.Width, copied.Height = said.Format, said.Width, said.Height
	return copied, nil, err
}

// follow removes from the sheet what was decided elsewhere meanwhile.
func (l *reviewer) follow(changed []string) {
	if id := l.app.parts.Open(); id != "" && slices.Contains(changed, id) {
		if s, ok := l.app.Queue.Get(id); !ok || !toBeDecided(s) {
			l.app.sheet.Close()
		}
	}
	if l.asked == nil {
		return
	}
	var decided []string
	for _, id := range changed {
		if s, ok := l.app.Queue.Get(id); !ok || !toBeDecided(s) {
			decided = append(decided, id)
		}
	}
	if len(decided) > 0 {
		l.asked.Drop(decided...)
		l.sheet.Refresh()
	}
}

func toBeDecided(s submission.Submission) bool {
	return s.State == submission.Held || s.State == submission.Stays && s.Asks()
}

// serviceName is the service as the person knows it; "" is the sandbox.
func (a *app) serviceName() string {
	if a.Sandbox {
		return ""
	}
	if u, err := url.Parse(a.Address); err == nil && u.Host != "" {
		return u.Host
	}
	return a.Address
}
