package sandbox

import (
	"context"
	"errors"
	"runtime/debug"
	"sync"
	"time"

	"assay/client/sandbox/forensics"
	"assay/client/wait"
)

// codeModelError is the code of a processing failure (interface, "Result-level errors").
const codeModelError = "model-error"

const uploadAgain = " Please upload the file again."

// work does jobs until the queue is closed.
func (s *Sandbox) work(ctx context.Context) {
	for {
		j, ok := s.queue.next()
		if !ok {
			return
		}
		s.analyse(ctx, j)
		s.queue.done()
	}
}

// analyse does one job and saves its outcome. A job that ctx interrupts is left under way in its record.
func (s *Sandbox) analyse(ctx context.Context, j job) {
	r := j.entry.snapshot().record
	if r.Object != j.object {
		return // the object was replaced meanwhile; the new one has a job of its own
	}
	o := s.evaluate(ctx, j.entry, r)
	if ctx.Err() != nil {
		s.folder.discard(artifactsDir, o.Artifacts)
		return
	}
	o.Ended = s.now().UTC()
	if s.revise != nil {
		revised := Revision{r.SHA256, o.Release, o.Status, o.Metadata.FinalScore, o.Models}
		s.revise(s.ended(r.SHA256)+1, &revised)
		o.Release, o.Status, o.Metadata.FinalScore, o.Models = revised.Release, revised.Status, revised.Score, revised.Models
	}

	j.entry.mu.Lock()
	defer j.entry.mu.Unlock()
	if j.entry.record.Object != j.object {
		s.folder.discard(artifactsDir, o.Artifacts)
		return
	}
	j.entry.record.Outcome, j.entry.live = &o, nil
	if err := s.folder.save(j.entry.record); err != nil {
		s.log.Error("an outcome can't be saved; the next start does the analysis again", "requestId", r.RequestID, "error", err)
	}
	s.log.Info("analysis ended", "requestId", r.RequestID, "status", o.Status)
}

// ended counts the submissions of these bytes whose analysis has ended.
func (s *Sandbox) ended(sha256 string) (n int) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, e := range s.entries {
		if r := e.snapshot().record; r.SHA256 == sha256 && r.Outcome != nil {
			n++
		}
	}
	return n
}

// evaluate computes the outcome for one object. An error, also an analyser's panic, is an outcome, too.
func (s *Sandbox) evaluate(ctx context.Context, e *entry, r record) (o outcome) {
	defer func() {
		if cause := recover(); cause != nil {
			s.log.Error("an analyser panicked", "requestId", r.RequestID, "cause", cause, "stack", string(debug.Stack()))
			s.folder.discard(artifactsDir, o.Artifacts)
			o = unable(r.MediaType, "An analyser of the sandbox failed on this file."+uploadAgain)
		}
	}()
	pace := &pacing{sandbox: s, entry: e, object: r.Object, requestID: r.RequestID, last: time.Now()}
	found, err := s.examine(ctx, r, func(m forensics.Model) { pace.ended(ctx, m) })
	if err != nil {
		var unreadable *forensics.Unreadable
		if errors.As(err, &unreadable) {
			return unable(r.MediaType, unreadable.Sentence+uploadAgain)
		}
		var words sentence
		if errors.As(err, &words) {
			return unable(r.MediaType, string(words)+uploadAgain)
		}
		if ctx.Err() == nil {
			s.log.Error("the analysis failed", "requestId", r.RequestID, "error", err)
		}
		return unable(r.MediaType, "The sandbox could not analyse this file."+uploadAgain)
	}
	o = outcomeOf(found)
	if err := s.keepArtifacts(&o, found); err != nil {
		s.log.Error("the files of an analysis can't be written", "requestId", r.RequestID, "error", err)
		s.folder.discard(artifactsDir, o.Artifacts)
		return unable(r.MediaType, "The sandbox could not write the files of its analysis; the disk may be full."+uploadAgain)
	}
	if found.sound {
		o.AudioID = s.keepSound(ctx, r)
	}
	return o
}

// pacing publishes the models' ends one after another, each after Options.Latency and Options.Hold.
type pacing struct {
	sandbox   *Sandbox
	entry     *entry
	object    string
	requestID string

	mu   sync.Mutex // held while waiting: analysers may end at the same time
	last time.Time  // by the real clock: Options.Now may stand still
}

func (p *pacing) ended(ctx context.Context, m forensics.Model) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if left := p.sandbox.latency - time.Since(p.last); left > 0 {
		if wait.For(ctx, left) != nil {
			return
		}
	}
	if p.sandbox.hold != nil {
		p.sandbox.hold(ctx, p.requestID, m.Name)
	}
	p.last = time.Now()
	p.entry.publish(p.object, modelOf(m))
}
