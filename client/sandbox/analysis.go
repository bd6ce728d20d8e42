package sandbox

import (
	"context"
	"errors"
	"fmt"
	"path"
	"runtime/debug"
	"sync"
	"time"

	"assay/client"
	"assay/client/sandbox/forensics"
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

// analyse does one job and commits its outcome. What is broken off by ctx stays under way in its record.
func (s *Sandbox) analyse(ctx context.Context, j job) {
	r := j.entry.snapshot().record
	if r.Object != j.object {
		return // replaced while it waited; the new object has a job of its own
	}
	o := s.evaluate(ctx, j.entry, r)
	if ctx.Err() != nil {
		s.folder.discard(artifactsDir, o.Artifacts)
		return
	}
	o.Ended = s.now().UTC()

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

// evaluate finds the outcome for one object. Whatever goes wrong, an analyser's panic included, is an outcome too.
func (s *Sandbox) evaluate(ctx context.Context, e *entry, r record) (o outcome) {
	defer func() {
		if cause := recover(); cause != nil {
			s.log.Error("an analyser panicked", "requestId", r.RequestID, "cause", cause, "stack", string(debug.Stack()))
			s.folder.discard(artifactsDir, o.Artifacts)
			o = unable(r.MediaType, "An analyser of the sandbox failed on this file."+uploadAgain)
		}
	}()
	if r.MediaType != client.Image {
		return unable(r.MediaType, notYet(r.MediaType))
	}
	data, err := s.folder.root.ReadFile(path.Join(objectsDir, r.Object))
	if err == nil && int64(len(data)) != r.Size {
		err = fmt.Errorf("%d bytes of %d are there", len(data), r.Size)
	}
	if err != nil {
		s.log.Error("an upload can't be read back", "requestId", r.RequestID, "error", err)
		return unable(r.MediaType, "The sandbox could not read the upload back."+uploadAgain)
	}
	pace := &pacing{sandbox: s, entry: e, object: r.Object, requestID: r.RequestID, last: time.Now()}
	report, err := s.analyseImage(ctx, data, func(m forensics.Model) { pace.ended(ctx, m) })
	if err != nil {
		var unreadable *forensics.Unreadable
		if errors.As(err, &unreadable) {
			return unable(r.MediaType, unreadable.Sentence+uploadAgain)
		}
		if ctx.Err() == nil {
			s.log.Error("the analysis failed", "requestId", r.RequestID, "error", err)
		}
		return unable(r.MediaType, "The sandbox could not analyse this file."+uploadAgain)
	}
	o = outcomeOf(report)
	if err := s.keepArtifacts(&o, report, data); err != nil {
		s.log.Error("the files of an analysis can't be written", "requestId", r.RequestID, "error", err)
		s.folder.discard(artifactsDir, o.Artifacts)
		return unable(r.MediaType, "The sandbox could not write the files of its analysis; the disk may be full."+uploadAgain)
	}
	return o
}

// notYet says why the sandbox has no verdict for media other than pictures.
func notYet(media client.MediaType) string {
	words := map[client.MediaType]string{client.Audio: "sound recordings", client.Video: "videos", client.Text: "texts"}
	return "The sandbox does not analyse " + words[media] + " yet: its analysers are for pictures only."
}

// pacing shows the models' ends one after another, each after Options.Latency and Options.Hold.
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
	if wait := p.sandbox.latency - time.Since(p.last); wait > 0 {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
			return
		}
	}
	if p.sandbox.hold != nil {
		p.sandbox.hold(ctx, p.requestID, m.Name)
	}
	p.last = time.Now()
	p.entry.publish(p.object, modelOf(m))
}
