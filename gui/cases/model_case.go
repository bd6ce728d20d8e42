package cases

import (
	"slices"
	"strings"
	"time"

	"assay/client"
	"assay/client/i18n"
	"assay/client/report"
	"assay/client/store"
	"assay/client/verdict"
	"assay/gui/present"
)

// Case is all that the screen shows of a case, except what its items say. Its texts are safe for the screen.
type Case struct {
	ID         string
	Title      string
	Detail     string // items, open questions, who made it and when
	Concluded  bool
	Tags       []string
	Items      []string // IDs of submissions, in the order in which they were added
	Checks     []Check  // one of each kind
	Questions  []Question
	Conclusion Finding // without a text: there is none
	Happened   []Event // the newest first
	More       bool    // more has happened before
	Shared     Shared
	SignOff    bool        // it is concluded only once every judgement is signed off
	Judgements []Judgement // of a shared case, the oldest first
}

// Kept is a case as it is in the records.
type Kept struct {
	Case      store.Case
	Items     []string
	Notes     []store.CaseNote
	Questions []store.CaseQuestion
	Events    []store.CaseEvent // the newest first
	More      bool              // there are earlier ones

	// Of a shared case, on a visit that began at Since:
	Since      int64
	New        map[string]bool // what colleagues did since, by the IDs of events
	Last       int64           // up to where they did
	Staying    store.Staying
	Removable  map[string]bool // entries that the person can have removed for everyone, by their IDs
	Files      []string        // items whose files themselves may be shared
	Place      Place           // where those go
	Judgements []store.Judgement
	Names      map[string]string // of the submissions that were judged, by their IDs
	Me         string            // this computer's member
}

// CaseOf makes the case for the screen.
func CaseOf(k Kept, now time.Time) Case {
	c := Case{ID: k.Case.ID, Title: oneLine(k.Case.Title), Concluded: k.Case.State == store.CaseConcluded, Items: k.Items, Checks: checksOf(k.Notes, now),
		Questions: questionsOf(k.Questions, now), Happened: eventsOf(k, now), More: k.More, Shared: sharedOf(k),
		SignOff: k.Case.SignOff, Judgements: judgementsOf(k.Judgements, k.Names, now)}
	c.Detail = present.Joined(c.Shared.Line, detailOf(k.Case), i18n.F("created: %s", whoWhen(k.Case.By, k.Case.Created, now)))
	for _, tag := range k.Case.Tags {
		c.Tags = append(c.Tags, oneLine(tag))
	}
	if drawn := k.Case.Conclusion; drawn.Text != "" {
		c.Conclusion = Finding{Text: paragraphs(drawn.Text), Who: whoWhen(drawn.By, drawn.At, now)}
	}
	return c
}

// TagText is the tags as they are typed.
func (c Case) TagText() string { return strings.Join(c.Tags, ", ") }

// Noted is how many of the checks have found something.
func (c Case) Noted() (n int) {
	for _, check := range c.Checks {
		if len(check.Found) > 0 {
			n++
		}
	}
	return n
}

// Finding is what somebody wrote, and who and when.
type Finding struct{ Text, Who string }

// whoWhen is who did something, and when; only when where the first isn't recorded.
func whoWhen(by string, at, now time.Time) string {
	return strings.TrimPrefix(oneLine(by)+", "+present.PastTime(at, now), ", ")
}

// Check is one of the checks that no detector makes.
type Check struct {
	Kind  store.CheckKind
	Name  string
	Found []Finding // the oldest first; none: it is empty
}

// Line is what it has found last, in a line.
func (c Check) Line() string {
	if len(c.Found) == 0 {
		return i18n.T("empty")
	}
	return oneLine(c.Found[len(c.Found)-1].Text)
}

// checksOf are the checks of all kinds that this version knows, then others that were noted.
func checksOf(notes []store.CaseNote, now time.Time) (checks []Check) {
	for _, kind := range store.CheckKinds {
		checks = append(checks, Check{Kind: kind, Name: report.CheckWords(kind)})
	}
	for _, n := range notes {
		if n.Kind == "" {
			continue
		}
		i := slices.IndexFunc(checks, func(c Check) bool { return c.Kind == n.Kind })
		if i < 0 {
			i = len(checks)
			checks = append(checks, Check{Kind: n.Kind, Name: report.CheckWords(n.Kind)})
		}
		checks[i].Found = append(checks[i].Found, Finding{Text: paragraphs(n.Text), Who: whoWhen(n.By, n.At, now)})
	}
	return checks
}

// Question is a question in a case, a task for the desk.
type Question struct {
	ID       string
	Text     string
	Asked    string    // by whom and when
	Answers  []Finding // the oldest first; the last is the present one
	Evidence string    // of the present one, in a line; "" for none
	Assigned []Assigned
}

// questionsOf are the questions: those without an answer first.
func questionsOf(all []store.CaseQuestion, now time.Time) (questions []Question) {
	for _, q := range all {
		each := Question{ID: q.ID, Text: paragraphs(q.Text), Asked: whoWhen(q.By, q.At, now), Assigned: assignedOf(q.Assigned, now)}
		for _, a := range q.Answers {
			each.Answers = append(each.Answers, Finding{Text: paragraphs(a.Text), Who: whoWhen(a.By, a.At, now)})
			each.Evidence = evidenceLine(a.Evidence)
		}
		questions = append(questions, each)
	}
	slices.SortStableFunc(questions, func(a, b Question) int { return min(len(a.Answers), 1) - min(len(b.Answers), 1) })
	return questions
}

func evidenceLine(all []evidence) string {
	parts := make([]string, len(all))
	for i, e := range all {
		parts[i] = evidenceText(e)
	}
	return strings.Join(parts, " · ")
}

// evidence is what an answer rests on.
type evidence = store.Evidence

// evidenceText is a piece of evidence in a line.
func evidenceText(e evidence) string {
	value := oneLine(e.Value)
	if e.Kind == store.EvidenceFile {
		if runes := []rune(value); len(runes) > shortHash {
			value = string(runes[:shortHash]) + "…"
		}
		return i18n.F("file with SHA-256 %s", value)
	}
	return value
}

// shortHash is how many digits of a file's hash are shown in a line.
const shortHash = 16

// evidenceOf is what a person has typed as evidence: a link, or else a note; ok is false for nothing.
func evidenceOf(typed string) (e evidence, ok bool) {
	typed = strings.TrimSpace(typed)
	lower := strings.ToLower(typed)
	if (strings.HasPrefix(lower, "https://") || strings.HasPrefix(lower, "http://")) && !strings.ContainsAny(typed, " \t\n") {
		return evidence{Kind: store.EvidenceLink, Value: typed}, true
	}
	return evidence{Kind: store.EvidenceNote, Value: typed}, typed != ""
}

// fileEvidence is a file as evidence, by its hash.
func fileEvidence(hash string) evidence {
	return evidence{Kind: store.EvidenceFile, Value: hash}
}

// Item is a submission in a case. Its texts are safe for the screen. It can be compared.
type Item struct {
	ID     string
	Name   string
	Medium present.Medium
	present.Care
	Mark  verdict.Mark // "" while there is no answer
	Words string       // the verdict, or its state in the queue
	Voice string       // what the service says of a clip's voice; "" where it says nothing of it alone
	// OtherVoice is the voice's mark where it is another one than Mark.
	OtherVoice verdict.Mark
	Gone       bool // it is in the records no longer
}

// label is the item for a screen reader.
func (i Item) label() string {
	if i.Voice != "" {
		return i.Name + ", " + i.Words + ", " + i.Voice
	}
	return i.Name + ", " + i.Words
}

// statusWords are the words of the verdicts that tiles have to have room for.
func statusWords() (words []string) {
	for _, s := range []client.Status{client.Fake, client.Suspicious, client.Authentic, client.NotApplicable, client.UnableToEvaluate} {
		words = append(words, verdict.Say(s).Short)
	}
	return words
}
