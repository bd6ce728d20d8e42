package cases

import (
	"context"
	"time"

	"assay/client"
	"assay/client/i18n"
	"assay/client/report"
	"assay/client/store"
	"assay/client/verdict"
	"assay/gui/present"
)

// Judgement is what somebody at the desk takes an item to be, and whether a second person has signed that off. Its texts are safe for the screen.
type Judgement struct {
	Item    string   // how it is called; "" where that isn't known
	Words   string   // who has judged, and as what
	Answer  string   // what the service said last of it: its verdict and release, which a sign-off is bound to
	Comment string   // "" for none
	When    string   //
	Signed  []string // who has signed it off, a line for each, or that nobody has
	Done    bool     // signed off
	May     bool     // this person may sign it off

	kept store.Judgement
}

// judgementsOf are the judgements in a case, with the names of its items by their IDs.
func judgementsOf(kept []store.Judgement, names map[string]string, now time.Time) (all []Judgement) {
	for _, j := range kept {
		said := report.JudgementOf(&j)
		all = append(all, Judgement{
			Answer: answerText(said.Status, said.Release), Item: oneLine(names[j.Item]), Words: said.Words(), Comment: paragraphs(j.Comment), When: whoWhen("", j.At, now),
			Signed: said.SignOffWords(), Done: said.SignedOff, May: j.May, kept: j,
		})
	}
	return all
}

// waitText says what waits for this person's sign-off; "" for nothing.
func waitText(all []Judgement) string {
	n := 0
	for _, j := range all {
		if j.May && !j.Done {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return i18n.N(n, "%s judgement waits for your sign-off.", "%s judgements wait for your sign-off.")
}

// answerText is an answer in a line.
func answerText(status client.Status, release string) string {
	words := verdict.Say(status)
	if status == client.Contradictory {
		words = verdict.Contradictory()
	}
	if release == "" {
		return words.Short
	}
	return present.Joined(words.Short, i18n.F("release %s", release))
}

// namesOf are the names of the items that were judged, by their IDs.
func namesOf(ctx context.Context, records *store.Store, judged []store.Judgement) (names map[string]string, err error) {
	names = map[string]string{}
	for _, j := range judged {
		sub, ok, err := records.Get(ctx, j.Item)
		if err != nil {
			return nil, err
		}
		if ok {
			names[j.Item] = sub.Name
		}
	}
	return names, nil
}

// signOffRule is the event by which a case needs a second person's sign-off, or no longer.
func signOffRule(needed bool, by string) store.CaseEvent {
	e := store.CaseEvent{Kind: store.CaseSignOffNotRequired, By: by}
	if needed {
		e.Kind = store.CaseSignOffRequired
	}
	return e
}
