package nearly

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/client"
	"assay/client/events"
	"assay/client/ffmpeg"
	"assay/client/intake"
	"assay/client/media"
	"assay/client/store"
	"assay/client/submission"
	"assay/client/vault"
)

const (
	// atOnce is how many older submissions are looked up at a time.
	atOnce = 64
	// restFor is how long the finder rests after an older submission, as a multiple of what that took, and at least leastRest, so that it takes little of
	// the computer.
	restFor   = 4
	leastRest = 100 * time.Millisecond
	// whileBusy is how long it waits before it looks again whether the queue is at work.
	whileBusy = 5 * time.Second
	// unusedFor is how long nobody must have looked for what is near until the fingerprints in memory, some 2 KB for each picture, are let go of.
	unusedFor = 5 * time.Minute
	// soon is how long a person's look-up waits until they are read again: those of 10,000 pictures are, in 105 to 132 ms on two cores.
	soon = 150 * time.Millisecond
)

// errNone is the error for an ID that neither queue nor store has.
var errNone = errors.New("there is no such submission")

// run works until the finder is closed.
func (f *Finder) run(changes *events.Subscription) {
	f.hear()
	f.Events.Publish(events.Event{Topic: events.Nearly})
	fresh := f.Queue.Order()
	looked := f.lookedFor()
	newest, err := f.Store.NewestKey(f.ctx)
	if err != nil {
		f.report("look for the newest submission", err)
	}
	below := int64(math.MaxInt64)
	var older []store.Unfingerprinted
	for f.ctx.Err() == nil {
		for _, id := range fresh {
			f.follow(id)
		}
		fresh = nil
		if changed := changes.Take(); len(changed) > 0 {
			fresh = append(changed.IDs(events.Submission), changed.IDs(events.Artifacts)...)
			if changed.Has(events.Desk) && f.hear() {
				f.renew()
			}
			continue
		}
		if len(older) == 0 && below > 0 {
			if older, err = f.Store.Unfingerprinted(f.ctx, looked.upTo, below, atOnce); err != nil {
				f.report("look for what has no fingerprint", err)
			}
			if len(older) == 0 {
				below = 0 // all of them were looked at
				if err == nil && newest > looked.upTo {
					f.report("note what was looked for", f.setLookedFor(lookedFor{looked.at, newest}))
				}
				f.Events.Publish(events.Event{Topic: events.Nearly})
			}
		}
		if len(older) == 0 {
			f.idle(changes)
			continue
		}
		if f.Busy() {
			f.rest(changes, whileBusy)
			continue
		}
		next := older[0]
		older, below = older[1:], next.Key
		began := time.Now()
		f.makeOlder(next)
		f.rest(changes, max(leastRest, restFor*time.Since(began)))
	}
}

// lookedFor says when all submissions were looked through for those without fingerprints, and those up to which key need not be again.
type lookedFor struct {
	at   time.Time
	upTo int64
}

const (
	// lookedForFact is the name of the fact that keeps it, between starts.
	lookedForFact = "fingerprints looked for"
	// lookedForAgain is after how long all are looked through again: a disk may be there by then, or ffmpeg.
	lookedForAgain = 7 * 24 * time.Hour
)

func (f *Finder) lookedFor() lookedFor {
	now := f.Now()
	kept, err := f.Store.Fact(f.ctx, lookedForFact)
	if err != nil {
		f.report("read what was looked for", err)
	}
	date, key, _ := strings.Cut(kept, " ")
	at, unread := time.Parse(time.RFC3339, date)
	upTo, unknown := strconv.ParseInt(key, 10, 64)
	if ago := now.Sub(at); unread != nil || unknown != nil || ago < 0 || ago >= lookedForAgain {
		return lookedFor{at: now, upTo: math.MinInt64}
	}
	return lookedFor{at, upTo}
}

func (f *Finder) setLookedFor(l lookedFor) error {
	return f.Store.SetFact(f.ctx, lookedForFact, l.at.UTC().Format(time.RFC3339)+" "+strconv.FormatInt(l.upTo, 10))
}

// idle waits until something has changed, and lets go of the fingerprints in memory if nobody needs them for some time.
func (f *Finder) idle(changes *events.Subscription) {
	if f.memory.isFilled() {
		lookUps := f.memory.lookUps.Load()
		if f.rest(changes, unusedFor) {
			f.memory.release(lookUps)
		}
		return
	}
	select {
	case <-changes.Ready():
	case <-f.memory.filled:
	case <-f.ctx.Done():
	}
}

// rest waits, but not once something has changed; over is whether it waited to the end.
func (f *Finder) rest(changes *events.Subscription, d time.Duration) (over bool) {
	ctx, cancel := context.WithCancel(f.ctx)
	defer cancel()
	ended := make(chan error, 1)
	f.worker.Go(func() { ended <- f.Wait(ctx, d) }) // it ends early where something has changed
	select {
	case err := <-ended:
		return err == nil
	case <-changes.Ready():
		return false // what has changed is taken next, and may be much: the rest is not made up for
	}
}

// follow makes the fingerprint of a submission that has changed, if it has a content and none was made, and sees what that is near to.
func (f *Finder) follow(id string) {
	sub, err := f.get(f.ctx, id)
	if err != nil {
		f.forget(id)
		if !errors.Is(err, errNone) {
			f.report("look for a submission", err)
		}
		return
	}
	content, err := f.contentOf(f.ctx, sub)
	if err != nil || content == "" {
		f.report("look for the original of a submission", err)
		return
	}
	f.make(sub, content)
	f.mu.Lock()
	w := f.hints[content]
	known := w != nil && w.ids[id]
	f.mu.Unlock()
	switch {
	case !waits(sub):
		if known {
			f.forget(id)
		}
		if sub.State == submission.Done && f.awaited() {
			f.answered(content)
		}
	case !known && sub.Earlier == "" && f.made[content]:
		f.mu.Lock()
		if f.hints[content] == nil {
			f.hints[content] = &waiting{ids: map[string]bool{}}
		}
		f.hints[content].ids[id] = true
		f.mu.Unlock()
		f.hint(content)
	}
}

// waits reports whether a hint helps a submission: it is not answered yet, and the person may still decide.
func waits(sub submission.Submission) bool {
	switch sub.State {
	case submission.Waiting, submission.Checking, submission.Held, submission.Stays:
		return true
	}
	return sub.Paused && !sub.State.Ended()
}

// awaited reports whether something waits that an answer may be a hint for.
func (f *Finder) awaited() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.hints) > 0
}

// answered renews the hints of what is near to a content that has an answer now.
func (f *Finder) answered(content string) {
	all, err := f.Store.FingerprintsOf(f.ctx, content)
	if err != nil {
		f.report("read a fingerprint", err)
		return
	}
	known, err := f.memory.read(f.ctx, f.Store)
	if err != nil {
		f.report("read the fingerprints", err)
		return
	}
	for _, n := range known.own.near(content, all) {
		f.hint(n.content)
	}
}

// hint looks for what is near to a content that waits, and publishes it where that has changed.
func (f *Finder) hint(content string) {
	f.mu.Lock()
	w := f.hints[content]
	f.mu.Unlock()
	if w == nil {
		return
	}
	all, err := f.fingerprintsOf(f.ctx, content)
	var matches []Match
	if err == nil && len(all) > 0 {
		matches, err = f.matches(f.ctx, content, all)
	}
	if err != nil {
		f.report("look for what is nearly the same", err)
		return
	}
	var hint *Hint
	if len(matches) > 0 {
		hint = &Hint{Match: matches[0], More: len(matches) - 1}
	}
	f.mu.Lock()
	var changed []events.Event
	if hint != nil || w.hint != nil {
		for id := range w.ids {
			changed = append(changed, events.Event{Topic: events.Nearly, ID: id})
		}
	}
	w.hint = hint
	f.mu.Unlock()
	f.Events.Publish(changed...)
}

// forget removes a submission from those that wait.
func (f *Finder) forget(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for content, w := range f.hints {
		delete(w.ids, id)
		if len(w.ids) == 0 {
			delete(f.hints, content)
		}
	}
}

// makeOlder makes the fingerprint of a submission of before.
func (f *Finder) makeOlder(u store.Unfingerprinted) {
	sub, err := f.get(f.ctx, u.ID)
	if err != nil {
		f.report("look for a submission", err)
		return
	}
	if f.make(sub, u.Content) && f.awaited() {
		f.answered(u.Content)
	}
}

// make makes the fingerprints of a content and keeps them; made is false where there are some already, or none could be made for now.
func (f *Finder) make(sub submission.Submission, content string) (made bool) {
	if _, asked := f.made[content]; asked || sub.Source == submission.Desk { // of what a colleague shared there is no file here
		return false
	}
	before, err := f.Store.FingerprintsOf(f.ctx, content)
	if err != nil {
		f.report("read a fingerprint", err)
		return false
	}
	if len(before) > 0 {
		f.made[content] = true
		return false
	}
	all, err := f.fingerprints(sub, content)
	if f.ctx.Err() != nil {
		return false
	}
	if err == nil {
		err = f.Store.SetFingerprints(f.ctx, content, all)
	}
	f.made[content] = err == nil
	if err != nil {
		var unopened *fs.PathError
		if errors.As(err, &unopened) {
			err = unopened.Err // without the file's name
		}
		if !ffmpeg.IsMissing(err) {
			f.Log.Info("no fingerprint was made", "id", sub.ID, "error", err)
		}
		return false
	}
	f.memory.add(content, all)
	return true
}

// fingerprints makes the fingerprints of a content from the person's own file, or from the original in the vault.
func (f *Finder) fingerprints(sub submission.Submission, content string) ([]store.Fingerprint, error) {
	var file *os.File
	var err error
	if sub.SHA256 == content {
		file, err = media.Open(intake.FileOf(sub))
	} else {
		file, _, err = f.Store.Artifact(f.ctx, sub.RequestID, vault.Original, "")
	}
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // only read from
	return fingerprintsOf(f.ctx, kindOf(sub), content, file)
}

// get returns a submission from the queue, or else from the store.
func (f *Finder) get(ctx context.Context, id string) (submission.Submission, error) {
	if sub, ok := f.Queue.Get(id); ok {
		return sub, nil
	}
	sub, ok, err := f.Store.Get(ctx, id)
	if err == nil && !ok {
		err = errNone
	}
	return sub, err
}

// contentOf is the SHA-256 of what a submission is: of its file, or of the original in the vault; "" where it is not known, or is of no kind that has
// fingerprints.
func (f *Finder) contentOf(ctx context.Context, sub submission.Submission) (string, error) {
	if !slices.Contains([]client.MediaType{client.Image, client.Video, client.Audio}, kindOf(sub)) {
		return "", nil
	}
	if sub.SHA256 != "" || sub.RequestID == "" {
		return sub.SHA256, nil
	}
	kept, err := f.Store.Artifacts(ctx, sub.RequestID)
	for _, a := range kept {
		if a.Kind == vault.Original {
			return a.SHA256, err
		}
	}
	return "", err
}

// kindOf is what a submission is, by its name, or, for a link, by its answer.
func kindOf(sub submission.Submission) client.MediaType {
	if sub.Link != "" && sub.Result != nil {
		return sub.Result.MediaType
	}
	return sub.Type
}

// report logs an error, unless it comes from closing.
func (f *Finder) report(what string, err error) {
	if err != nil && f.ctx.Err() == nil {
		f.Log.Error(what, "error", err)
	}
}
