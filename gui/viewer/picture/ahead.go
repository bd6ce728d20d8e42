package picture

import (
	"context"
	"time"
)

// ahead is a picture that is decoded before it is shown: decoding takes most of the time until a large one is there.
type ahead struct {
	id     string
	begun  bool               // it is being read, or was
	cancel context.CancelFunc // ends the wait for it, or reading it
	read   bool
	photo  *decoded // nil if it could not be read
	shown  bool     // it is to be shown as soon as it is read
}

// aheadAfter is how long a picture has been on the screen before the next one is decoded: until then both processors of a small computer may be busy
// with drawing.
const aheadAfter = 200 * time.Millisecond

// ReadAhead decodes the picture of a submission that is likely to be shown next, "" for none, as soon as the one that is shown has been there
// for a moment. Nothing is fetched for it. Why it can't be read is said when it is shown.
func (p *Pane) ReadAhead(id string) {
	if p.next != nil && p.next.id == id {
		return
	}
	if p.next != nil {
		p.next.cancel()
	}
	p.next = nil
	if id != "" && id != p.shown.ID {
		p.next = &ahead{id: id, cancel: func() {}}
		p.readNext()
	}
}

// readNext decodes the picture that is likely to be shown next, unless the one to be shown now is still awaited.
func (p *Pane) readNext() {
	next := p.next
	if next == nil || next.begun {
		return
	}
	next.cancel()
	next.cancel = p.p.After(aheadAfter, func() {
		if p.awaited[photoWait] {
			return // it is called again once that is there
		}
		as := p.stage.first()
		next.begun = true
		next.cancel = p.p.Askers.Do(func(ctx context.Context) func() {
			photo, _ := decode(ctx, p.p.Source.OpenKept, next.id, as)
			return func() {
				next.read, next.photo = true, photo
				if next.shown {
					p.showAhead(next)
				}
			}
		})
	})
}

// takeAhead shows the submission's picture if that is the one that was decoded ahead, or will when it is, and reports whether it is.
func (p *Pane) takeAhead() bool {
	next := p.next
	if next == nil || next.id != p.shown.ID {
		return false
	}
	p.next = nil
	if !next.begun {
		next.cancel()
		return false
	}
	p.cancelPhoto, next.shown = next.cancel, true
	if next.read {
		p.showAhead(next)
	}
	return true
}

func (p *Pane) showAhead(next *ahead) {
	if next.photo == nil {
		p.loadPhoto()
		return
	}
	p.showPhoto(next.photo)
}
