package command

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"assay/client/i18n"
	"assay/client/ipc"
	"assay/client/plain"
	"assay/client/report"
	"assay/client/session"
	"assay/client/store"
	"assay/client/wait"
)

// caseDoing is what is done with cases.
type caseDoing string

// What can be done. caseChange is done by an event, and caseFind only looks whether there is such a case. A process of an earlier version knows neither.
const (
	caseNew    caseDoing = "new"
	caseAdd    caseDoing = "add"
	caseRemove caseDoing = "remove"
	caseChange caseDoing = "change"
	caseTag    caseDoing = "tag"
	caseList   caseDoing = "list"
	caseShow   caseDoing = "show"
	caseFind   caseDoing = "find"

	caseSignOff caseDoing = "sign-off"
	caseAssign  caseDoing = "assign"

	caseMayRedact caseDoing = "may-redact" // says what caseRedact would remove
	caseRedact    caseDoing = "redact"
)

// caseJob is what `assay case` asks for.
type caseJob struct {
	Do       caseDoing `json:"do"`
	Case     string    `json:"case,omitempty"`     // its ID or title; of all but new and list
	Title    string    `json:"title,omitempty"`    // of a new case
	IDs      []string  `json:"ids,omitempty"`      // of results, or Assay's own of submissions
	Tags     []string  `json:"tags,omitempty"`     // to give
	Remove   bool      `json:"remove,omitempty"`   // the tags are taken away, or the sign-off is
	Question string    `json:"question,omitempty"` // that Event answers or assigns: its text, its ID or its number
	Ask      string    `json:"ask,omitempty"`      // a question that is asked before it is assigned
	Entry    string    `json:"entry,omitempty"`    // the ID of the entry that is removed

	// Event is what is done: who does it and when, and its ID, which is the ID of a new case, too. If the job is done twice, it is kept once.
	Event store.CaseEvent `json:"event,omitzero"`
}

// caseAnswer is a case, or an item of the case before: exactly one field is set.
type caseAnswer struct {
	Case *caseRecord `json:"case,omitempty"`
	Item *itemEvent  `json:"item,omitempty"`
}

// caseRecord is a case as --json prints it.
type caseRecord struct {
	ID                 string            `json:"id"`
	Title              plain.Text        `json:"title"`
	Created            time.Time         `json:"created"`
	Changed            time.Time         `json:"changed"`
	Count              int               `json:"itemCount"`
	Added              *int              `json:"added,omitempty"`   // add: how many were not in it before
	Removed            *int              `json:"removed,omitempty"` // remove: how many were in it
	Items              []json.RawMessage `json:"items,omitempty"`   // show: as scan --json prints them
	Entry              *plannedEntry     `json:"entry,omitempty"`   // may-redact: what would be removed
	report.CaseRecords                   // of a list: all but the notes, checks, questions and events
}

// plannedEntry is an entry that is to be removed.
type plannedEntry struct {
	Text plain.Text `json:"text"`
	By   plain.Text `json:"by"`
	At   time.Time  `json:"at"`
}

// do does a job with the records of a service.
func (j caseJob) do(ctx context.Context, records *store.Store, sandbox bool, answer func(caseAnswer) error) error {
	switch j.Do {
	case caseNew:
		c, err := records.AddCase(ctx, store.Case{ID: j.Event.ID, Title: j.Title, By: j.Event.By, Created: j.Event.At})
		if err != nil {
			return err
		}
		return answer(answerOfCase(c))
	case caseList:
		all, err := records.Cases(ctx)
		if err != nil {
			return err
		}
		for _, c := range all {
			if err := answer(answerOfCase(c)); err != nil {
				return err
			}
		}
		return nil
	case caseAdd, caseRemove, caseChange, caseTag, caseShow, caseFind, caseSignOff, caseAssign, caseMayRedact, caseRedact:
	default:
		return ipc.OtherVersion()
	}
	c, err := findCase(ctx, records, j.Case)
	if err != nil {
		return err
	}
	var count *int
	switch j.Do {
	case caseAdd, caseRemove:
		ids, err := submissionsOf(ctx, records, j.IDs)
		if err != nil {
			return err
		}
		change := records.AddToCase
		if j.Do == caseRemove {
			change = records.RemoveFromCase
		}
		n, err := change(ctx, c.ID, ids, j.Event.By)
		if err != nil {
			return err
		}
		count = &n
	case caseTag:
		j.Event.Kind, j.Event.Text = store.CaseTagged, strings.Join(j.tagged(c.Tags), ",")
		fallthrough
	case caseChange:
		if j.Event.Kind == store.CaseAnswered {
			if j.Event.About, err = findQuestion(ctx, records, c.ID, j.Question); err != nil {
				return err
			}
		}
		if err := records.ChangeCase(ctx, c.ID, j.Event); err != nil {
			return err
		}
	case caseAssign:
		if err := j.assign(ctx, records, c.ID); err != nil {
			return err
		}
	case caseSignOff:
		if err := j.signOff(ctx, records, c.ID); err != nil {
			return err
		}
	case caseMayRedact:
		entry, err := records.MayRedact(ctx, c.ID, j.Entry)
		if err != nil {
			return err
		}
		a := answerOfCase(c)
		a.Case.Entry = &plannedEntry{plain.From(entry.Text), plain.From(entry.By), entry.At.UTC()}
		return answer(a)
	case caseRedact:
		if err := records.Redact(ctx, c.ID, j.Entry); err != nil {
			return err
		}
	case caseShow:
		return showCase(ctx, records, c, sandbox, answer)
	}
	if c, err = records.CaseByID(ctx, c.ID); err != nil { // as it is now
		return err
	}
	a := answerOfCase(c)
	switch j.Do {
	case caseAdd:
		a.Case.Added = count
	case caseRemove:
		a.Case.Removed = count
	}
	return answer(a)
}

// tagged are the tags that a case has from now on.
func (j caseJob) tagged(before []string) []string {
	if !j.Remove {
		return append(slices.Clone(before), j.Tags...)
	}
	return slices.DeleteFunc(slices.Clone(before), func(tag string) bool {
		return slices.ContainsFunc(j.Tags, func(taken string) bool { return strings.EqualFold(tag, taken) })
	})
}

// assign says who is to answer a question, which it asks first where it is a new one.
func (j caseJob) assign(ctx context.Context, records *store.Store, caseID string) (err error) {
	if j.Ask != "" {
		asked := j.Event
		asked.Kind, asked.ID, asked.Text, asked.Due = store.CaseAsked, j.Event.ID+"-asked", j.Ask, ""
		if err := records.ChangeCase(ctx, caseID, asked); err != nil {
			return err
		}
		j.Event.About = asked.ID
	} else if j.Event.About, err = findQuestion(ctx, records, caseID, j.Question); err != nil {
		return err
	}
	return records.ChangeCase(ctx, caseID, j.Event)
}

// signOff signs off what colleagues judged of a result, or withdraws that.
func (j caseJob) signOff(ctx context.Context, records *store.Store, caseID string) error {
	own, err := submissionsOf(ctx, records, j.IDs)
	if err != nil {
		return err
	}
	all, err := records.Judgements(ctx, caseID)
	if err != nil {
		return err
	}
	// What is named is what was looked at: of a file that was answered again since, it has to be the present answer.
	did, refusal := false, store.ErrNoJudgement
	for _, judgement := range all {
		if judgement.Item != own[0] && judgement.RequestID != j.IDs[0] {
			continue
		}
		err := store.ErrNotAsSeen
		switch {
		case j.Remove:
			err = records.WithdrawSignOff(ctx, caseID, judgement.ID)
		case judgement.RequestID == j.IDs[0]:
			err = records.SignOff(ctx, caseID, judgement)
		}
		if err == nil {
			did = true
		} else if refusal = err; !errors.Is(err, store.ErrOwnJudgement) {
			return store.Refused("sign off", err)
		}
	}
	if did {
		return nil
	}
	return store.Refused("sign off", refusal)
}

// findQuestion returns the ID of a question by its ID, its number, or its text where no other question has the same.
func findQuestion(ctx context.Context, records *store.Store, caseID, name string) (string, error) {
	all, err := records.CaseQuestions(ctx, caseID)
	if err != nil {
		return "", err
	}
	var same []string
	for i, q := range all {
		if q.ID == name || strconv.Itoa(i+1) == name {
			return q.ID, nil
		}
		if shownTitle(q.Text) == shownTitle(name) {
			same = append(same, q.ID)
		}
	}
	switch len(same) {
	case 1:
		return same[0], nil
	case 0:
		return "", &ipc.Refusal{Sentence: i18n.F("There is no question “%s” in the case. assay case show lists the questions.", plain.From(name).Folded().Clip(longestTitle))}
	}
	return "", &ipc.Refusal{Sentence: i18n.F("Several questions of the case are “%s”. Give the number of one: assay case show lists them.", plain.From(name).Folded().Clip(longestTitle))}
}

func answerOfCase(c store.Case) caseAnswer {
	return caseAnswer{Case: &caseRecord{ID: c.ID, Title: plain.From(c.Title), Created: c.Created.UTC(), Changed: c.Changed.UTC(), Count: c.Items, CaseRecords: report.RecordsOf(c)}}
}

// showCase answers with a case, then with each of its items.
func showCase(ctx context.Context, records *store.Store, c store.Case, sandbox bool, answer func(caseAnswer) error) error {
	of, err := report.ReadCase(ctx, records, c)
	if err != nil {
		return err
	}
	a := answerOfCase(c)
	a.Case.CaseRecords = of.CaseRecords
	if a.Case.Events, err = report.ReadEvents(ctx, records, c.ID); err != nil {
		return err
	}
	if err := answer(a); err != nil {
		return err
	}
	ids, err := records.CaseItems(ctx, c.ID)
	if err != nil {
		return err
	}
	for _, id := range ids {
		sub, known, err := records.Get(ctx, id)
		if err != nil {
			return err
		}
		if !known {
			continue // removed meanwhile
		}
		by, err := checkedOf(ctx, records, sub)
		if err != nil {
			return err
		}
		e, err := newItemEvent(sub, by, sandbox)
		if err != nil {
			return err
		}
		if !hasEnd(sub.State) {
			e.Line = plain.Line(i18n.F("%s: not answered yet", sub.Name))
		}
		if err := answer(caseAnswer{Item: e}); err != nil {
			return err
		}
	}
	return nil
}

// shownTitle is a title in one line.
func shownTitle(title string) string { return plain.From(title).Folded().String() }

// findCase returns a case by its ID, or by its title where no other has the same.
func findCase(ctx context.Context, records *store.Store, name string) (store.Case, error) {
	all, err := records.Cases(ctx)
	if err != nil {
		return store.Case{}, err
	}
	var titled []store.Case
	var ids []string
	for _, c := range all {
		if c.ID == name {
			return c, nil
		}
		if shownTitle(c.Title) == shownTitle(name) {
			titled, ids = append(titled, c), append(ids, c.ID)
		}
	}
	switch len(titled) {
	case 1:
		return titled[0], nil
	case 0:
		return store.Case{}, &ipc.Refusal{Sentence: i18n.F("There is no case “%s”. assay case list shows all cases.", plain.From(name).Folded().Clip(longestTitle))}
	}
	return store.Case{}, &ipc.Refusal{Sentence: i18n.F("Several cases are called “%s”. Give the ID of one: %s.", shownTitle(name), strings.Join(ids, ", "))}
}

// submissionsOf returns the submissions that IDs stand for, as report.Read takes them.
func submissionsOf(ctx context.Context, records *store.Store, ids []string) ([]string, error) {
	known, err := records.ByRequest(ctx, ids)
	if err != nil {
		return nil, err
	}
	own := make([]string, len(ids))
	for i, id := range ids {
		own[i] = cmp.Or(known[id], id)
		if known[id] != "" {
			continue
		}
		if _, ok, err := records.Get(ctx, id); err != nil {
			return nil, err
		} else if !ok {
			return nil, &ipc.Refusal{Sentence: i18n.F("No result with the ID %s is kept on this computer. assay list shows what the service has.", plain.From(id).Clip(longestTitle))}
		}
	}
	return own, nil
}

// cases does the job for another process.
func (o *operations) cases(ctx context.Context, job caseJob, answer func(caseAnswer) error) error {
	q, able := o.queue.(sessionQueue)
	if !able {
		return ipc.OtherVersion()
	}
	if err := job.do(ctx, q.session.Store, q.session.Sandbox, answer); err != nil {
		return &ipc.Refusal{Sentence: i18n.Sentence(err)}
	}
	return nil
}

// runCase does the job by itself where it can hold the folder, and else through the process that does.
func runCase(ctx context.Context, s *session.Service, job caseJob, said io.Writer, take func(caseAnswer) error) error {
	return opCase.Run(ctx, ipc.Work[caseJob, caseAnswer]{
		Dir:  s.Folder,
		Job:  func() (caseJob, error) { return job, nil },
		Each: take,
		Here: func(ctx context.Context, h *ipc.Holder) error {
			return withRecords(ctx, s, h, said, func(ctx context.Context, records *store.Store) error { return job.do(ctx, records, s.Sandbox, take) })
		},
		Wait: wait.For,
	})
}

// caseID returns the ID of the case that a person has named.
func caseID(ctx context.Context, s *session.Service, name string, said io.Writer) (id string, err error) {
	err = runCase(ctx, s, caseJob{Do: caseFind, Case: name}, said, func(a caseAnswer) error {
		if a.Case != nil {
			id = a.Case.ID
		}
		return nil
	})
	if err == nil && id == "" {
		err = ipc.OtherVersion()
	}
	return id, err
}
