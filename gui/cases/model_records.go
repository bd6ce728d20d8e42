package cases

import (
	"context"
	"errors"
	"time"

	"assay/client/store"
)

// Records are the cases as they are kept. Its methods read and write the disk, and are called on workers. Errors are shown by their own sentence.
type Records interface {
	// Cases returns all cases, the one that was changed last first.
	Cases(ctx context.Context) ([]Entry, error)
	// Case returns a case with at least so many of the latest things that happened in it, where there are so many; ok is false where there is no case.
	// Of a shared one, what colleagues did after since is new: a position that Shared.Since was, or beginsVisit.
	Case(ctx context.Context, id string, happened int, since int64) (c Case, ok bool, err error)
	// Items returns what is shown of submissions, without those that are gone.
	Items(ctx context.Context, ids []string) ([]Item, error)
	// Results returns the newest results in which a text is found, "" for any: at most n.
	Results(ctx context.Context, text string, n int) ([]Item, error)
	// New makes a case and returns its ID.
	New(ctx context.Context, title, by string) (id string, err error)
	// Change does what an event says, and keeps it.
	Change(ctx context.Context, id string, e store.CaseEvent) error
	// SignOff signs off a judgement in a shared case, as it was read.
	SignOff(ctx context.Context, id string, judgement store.Judgement) error
	// Redact has the desk remove what entries of a shared case say, and removes it here.
	Redact(ctx context.Context, id string, entries []string) error
	// Add puts submissions into a case, and returns how many were not in it before.
	Add(ctx context.Context, id string, items []string, by string) (added int, err error)
	// Remove takes them out of it.
	Remove(ctx context.Context, id string, items []string, by string) error
	// Hash returns the SHA-256 of a file, in hex.
	Hash(ctx context.Context, path string) (string, error)
}

// Read reads a case as Records.Case does. It reads the disk.
func Read(ctx context.Context, records *store.Store, id string, happened int, since int64, now time.Time) (c Case, ok bool, err error) {
	var k Kept
	if k.Case, err = records.CaseByID(ctx, id); errors.Is(err, store.ErrNoCase) {
		return c, false, nil
	}
	if err == nil {
		k.Items, err = records.CaseItems(ctx, id)
	}
	if err == nil {
		k.Notes, err = records.CaseNotes(ctx, id)
	}
	if err == nil {
		k.Questions, err = records.CaseQuestions(ctx, id)
	}
	if err == nil {
		err = readAtDesk(ctx, records, &k, since)
	}
	if err == nil {
		k.Judgements, err = records.Judgements(ctx, id)
	}
	if err == nil {
		k.Names, err = namesOf(ctx, records, k.Judgements)
	}
	var at store.CaseCursor
	for k.More = true; err == nil && k.More && Groups(k.Events) <= happened; { // the last entry may go on
		var events []store.CaseEvent
		events, at, err = records.CaseEvents(ctx, id, at, eventsRead)
		k.Events = append(k.Events, events...)
		k.More = len(events) == eventsRead
	}
	if err == nil && k.Case.Desk.ID != "" {
		k.Removable, err = records.Removable(ctx, id, k.Events)
	}
	if err != nil {
		return c, false, err
	}
	return CaseOf(k, now), true, nil
}

// eventsRead is how many events of a case are read at a time.
const eventsRead = 100

// The events of what a person does in a case: by is who does so.

func noted(text, by string) store.CaseEvent {
	return store.CaseEvent{Kind: store.CaseNoted, Text: text, By: by}
}

func checked(kind store.CheckKind, text, by string) store.CaseEvent {
	return store.CaseEvent{Kind: store.CaseChecked, Check: kind, Text: text, By: by}
}

func asked(text, by string) store.CaseEvent {
	return store.CaseEvent{Kind: store.CaseAsked, Text: text, By: by}
}

func answered(question, text string, rests []evidence, by string) store.CaseEvent {
	return store.CaseEvent{Kind: store.CaseAnswered, About: question, Text: text, Evidence: rests, By: by}
}

func assigned(question, to, due, by string) store.CaseEvent {
	return store.CaseEvent{Kind: store.CaseAssigned, About: question, Text: to, Due: due, By: by}
}

func tagged(tags, by string) store.CaseEvent {
	return store.CaseEvent{Kind: store.CaseTagged, Text: tags, By: by}
}

func renamed(title, by string) store.CaseEvent {
	return store.CaseEvent{Kind: store.CaseRenamed, Text: title, By: by}
}

func drawn(conclusion, by string) store.CaseEvent {
	return store.CaseEvent{Kind: store.CaseDrawn, Text: conclusion, By: by}
}

// moved concludes the case or opens it again.
func moved(concluded bool, by string) store.CaseEvent {
	if concluded {
		return store.CaseEvent{Kind: store.CaseClosed, By: by}
	}
	return store.CaseEvent{Kind: store.CaseReopened, By: by}
}
