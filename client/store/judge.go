package store

import (
	"encoding/hex"
	"encoding/json"

	"github.com/google/uuid"

	"assay/client/desk"
)

// eventRead is an event with what it says.
type eventRead struct {
	desk.Event
	body desk.Body
}

// digest is also that of an event which is not sent yet.
func (e *eventRead) digest() string {
	if e.Digest == nil {
		return hex.EncodeToString(desk.Digest(e.Subject, e.Body))
	}
	return hex.EncodeToString(e.Digest)
}

// content tells what a result is on: the same file has the same hash, and what has none is told by its event.
func (e *eventRead) content() string {
	if len(e.Subject) == 0 {
		return e.ID.String()
	}
	return string(e.Subject)
}

// currentJudgement is a judgement that was neither withdrawn nor replaced by its author.
type currentJudgement struct {
	eventRead
	latest   eventRead // of the content's answers
	signOffs []signedOff
}

type signedOff struct {
	eventRead
	answer  *desk.Event // that was signed off; nil: it is not here
	release string
	void    bool
}

// judge tells from a case's events, in their order, what is judged, and whether that is signed off.
func judge(events []desk.Event) (all []currentJudgement) {
	byID := map[uuid.UUID]eventRead{}
	withdrawn := map[uuid.UUID]bool{}
	for _, e := range events {
		j := eventRead{Event: e}
		if json.Unmarshal(e.Body, &j.body) != nil || e.Kind == desk.Result && j.body.Item == nil {
			continue // of another shape: from a later Assay, or from somebody hostile
		}
		byID[e.ID] = j
	}
	for _, w := range events {
		// Anybody may take an item out of a case; what somebody has said, only they take back.
		if of, known := byID[w.About]; w.Kind == desk.Withdraw && known && (of.Kind == desk.Result || of.Author == w.Author) {
			withdrawn[of.ID] = true
		}
	}
	latest, answers := map[string]eventRead{}, map[string]eventRead{} // by content; by content and digest
	for _, e := range events {
		r, known := byID[e.ID]
		if !known || r.Kind != desk.Result {
			continue
		}
		answers[r.content()+r.digest()] = r
		if !withdrawn[r.ID] {
			latest[r.content()] = r
		}
	}
	last := map[string]uuid.UUID{} // by author and content
	for _, e := range events {
		if about := byID[e.About]; e.Kind == desk.Judgement && about.Kind == desk.Result && !withdrawn[e.ID] {
			last[e.Author+"\x00"+about.content()] = e.ID
		}
	}
	for _, e := range events {
		about := byID[e.About]
		if e.Kind != desk.Judgement || about.Kind != desk.Result || last[e.Author+"\x00"+about.content()] != e.ID {
			continue
		}
		if now, there := latest[about.content()]; there { // else the item was taken out of the case
			all = append(all, currentJudgement{eventRead: byID[e.ID], latest: now})
		}
	}
	for i := range all {
		j := &all[i]
		for _, e := range events {
			s, known := byID[e.ID]
			if !known || s.Kind != desk.SignOff || s.About != j.ID || s.Author == j.Author || withdrawn[s.ID] || len(s.body.Seen) != 2 || s.body.Seen[0] != j.digest() {
				continue
			}
			signed := signedOff{eventRead: s, void: true}
			if of, known := answers[j.latest.content()+s.body.Seen[1]]; known {
				signed.answer = &of.Event
				signed.release = of.body.Item.Release
				signed.void = of.body.Item.Status != j.latest.body.Item.Status || of.body.Item.Release != j.latest.body.Item.Release
			}
			j.signOffs = append(j.signOffs, signed)
		}
	}
	return all
}
