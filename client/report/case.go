package report

import (
	"context"
	"slices"
	"strings"
	"time"

	"assay/client"
	"assay/client/i18n"
	"assay/client/plain"
	"assay/client/store"
	"assay/client/submission"
	"assay/client/verdict"
)

// Case is a report's part on the case of its results. Its texts are fit to be shown, its times in UTC.
type Case struct {
	ID    string `json:"id"` // Assay's own
	Title string `json:"title"`
	CaseRecords
	Items []CaseItem `json:"items"` // in the order in which they were added
}

// CaseItem is a submission in a case.
type CaseItem struct {
	ID          string        `json:"id"` // Assay's own, of its submission
	RequestID   string        `json:"requestId,omitempty"`
	Name        string        `json:"name"`
	SHA256      string        `json:"sha256,omitempty"` // of the file, hex
	Status      client.Status `json:"status,omitempty"` // as sent; "" for one without an answer
	Provisional bool          `json:"provisional,omitempty"`

	filed client.Status         // Status, or client.Contradictory
	of    submission.Submission // without its result
}

// CaseRecords is what the desk has recorded in a case.
type CaseRecords struct {
	State      store.CaseState `json:"state"`
	Tags       []string        `json:"tags"`
	Conclusion *CaseNote       `json:"conclusion"`     // the desk's own, never the service's; null for none
	Notes      []CaseNote      `json:"notes,omitzero"` // the oldest first, like the others
	Checks     []CaseCheck     `json:"checks,omitzero"`
	Questions  []CaseQuestion  `json:"questions,omitzero"`
	// Of a shared case: whether every judgement in it must be signed off before it is concluded, and the judgements.
	SignOffRequired bool            `json:"signOffRequired,omitempty"`
	Keep            int             `json:"keep,omitempty"` // for how many days after its last entry the desk keeps it; 0: without limit
	Judgements      []CaseJudgement `json:"judgements,omitempty"`
	Events          []CaseEvent     `json:"events,omitzero"` // all that happened; only by ReadEvents
}

// CaseNote is a person's note.
type CaseNote struct {
	Text string    `json:"text"`
	By   string    `json:"by"`
	At   time.Time `json:"at"`
}

// CaseCheck is the finding of one of the checks that no detector makes.
type CaseCheck struct {
	Kind store.CheckKind `json:"kind"`
	CaseNote
}

// CaseQuestion is a question that the desk asked itself. It is open as long as it has no answer.
type CaseQuestion struct {
	ID string `json:"id"`
	CaseNote
	Answers  []CaseAnswer     `json:"answers"`            // the last one is the present one
	Assigned []CaseAssignment `json:"assigned,omitempty"` // the one that counts first; several where they were made at the same time
}

// CaseAssignment is who is to answer a question, and by when. Its note's text is who; "" for nobody.
type CaseAssignment struct {
	CaseNote
	Due string `json:"due,omitempty"` // a day as time.DateOnly
}

// Words are who is to answer, and by when.
func (a CaseAssignment) Words() string {
	parts := []string{}
	if a.Text != "" {
		parts = append(parts, i18n.F("assigned to %s", a.Text))
	}
	if due, err := time.Parse(time.DateOnly, a.Due); err == nil {
		parts = append(parts, i18n.F("due %s", i18n.Day(due, time.Time{})))
	}
	return strings.Join(parts, " · ")
}

// CaseAnswer is an answer, and what it rests on.
type CaseAnswer struct {
	CaseNote
	Evidence []Evidence `json:"evidence"`
}

// Evidence is a link, a file's SHA-256 in hex, or a note.
type Evidence store.Evidence

// CaseEvent is one thing that was done in a case.
type CaseEvent struct {
	ID    string              `json:"id"`
	Kind  store.CaseEventKind `json:"kind"`
	Check store.CheckKind     `json:"check,omitempty"`
	Label client.Label        `json:"label,omitempty"` // of the judgement that was made, signed off or withdrawn
	About string              `json:"about,omitempty"` // the ID of the question that is answered or assigned, or of the submission that was added, removed or judged
	CaseNote
	Due      string     `json:"due,omitempty"`    // of an assignment: a day as time.DateOnly
	Removed  time.Time  `json:"removed,omitzero"` // of an entry whose words were removed: Text is who had that done
	Evidence []Evidence `json:"evidence,omitempty"`
}

// RecordsOf is what a case itself says: all but its notes, checks, questions and events.
func RecordsOf(c store.Case) CaseRecords {
	r := CaseRecords{State: c.State, Tags: []string{}, SignOffRequired: c.SignOff, Keep: c.Desk.Keep}
	for _, tag := range c.Tags {
		r.Tags = append(r.Tags, oneLine(tag))
	}
	if c.Conclusion.Text != "" {
		r.Conclusion = &CaseNote{Text: oneLine(c.Conclusion.Text), By: oneLine(c.Conclusion.By), At: c.Conclusion.At.UTC()}
	}
	return r
}

// ReadCase reads the case with its notes, checks and questions.
func ReadCase(ctx context.Context, records *store.Store, c store.Case) (*Case, error) {
	r := &Case{ID: c.ID, Title: oneLine(c.Title), CaseRecords: RecordsOf(c)}
	r.Notes, r.Checks, r.Questions = []CaseNote{}, []CaseCheck{}, []CaseQuestion{}
	notes, err := records.CaseNotes(ctx, c.ID)
	if err != nil {
		return nil, err
	}
	for _, n := range notes {
		note := noteOf(n.Text, n.By, n.At)
		if n.Kind == "" {
			r.Notes = append(r.Notes, note)
		} else {
			r.Checks = append(r.Checks, CaseCheck{n.Kind, note})
		}
	}
	questions, err := records.CaseQuestions(ctx, c.ID)
	if err != nil {
		return nil, err
	}
	for _, q := range questions {
		question := CaseQuestion{ID: q.ID, CaseNote: noteOf(q.Text, q.By, q.At), Answers: []CaseAnswer{}}
		for _, a := range q.Answers {
			question.Answers = append(question.Answers, CaseAnswer{noteOf(a.Text, a.By, a.At), evidenceOf(a.Evidence)})
		}
		for _, a := range q.Assigned {
			question.Assigned = append(question.Assigned, CaseAssignment{noteOf(a.To, a.By, a.At), a.Due})
		}
		r.Questions = append(r.Questions, question)
	}
	if r.Judgements, err = ReadJudgements(ctx, records, c.ID); err != nil {
		return nil, err
	}
	r.Items, err = readItems(ctx, records, c.ID)
	return r, err
}

func readItems(ctx context.Context, records *store.Store, caseID string) ([]CaseItem, error) {
	ids, err := records.CaseItems(ctx, caseID)
	items := make([]CaseItem, 0, len(ids))
	for _, id := range ids {
		if err != nil {
			return nil, err
		}
		var sub submission.Submission
		var known bool
		if sub, known, err = records.Get(ctx, id); !known {
			continue // removed meanwhile
		}
		item := CaseItem{ID: sub.ID, RequestID: sub.RequestID, Name: sub.Name, SHA256: sub.SHA256}
		if r := sub.Result; r != nil {
			item.Status, item.filed, item.Provisional = r.Status(), r.FiledStatus(), !r.Final()
		}
		sub.Result = nil
		item.of = sub
		items = append(items, item)
	}
	return items, err
}

// resultFirst reports whether the one result of a case comes before what the case itself says, so that the first page is on it.
func (c *Case) resultFirst() bool {
	answered := 0
	for _, item := range c.Items {
		if item.Status != "" {
			answered++
		}
	}
	return answered == 1
}

// ResultFirst reports whether, in a page or a PDF with these options, the section on the case comes after that on its one result.
func ResultFirst(o Options) bool { return o.Case != nil && o.Case.resultFirst() }

// ReadEvents reads all that happened in a case, the oldest first.
func ReadEvents(ctx context.Context, records *store.Store, caseID string) ([]CaseEvent, error) {
	const atOnce = 500
	var all []CaseEvent
	var before store.CaseCursor
	for {
		page, next, err := records.CaseEvents(ctx, caseID, before, atOnce)
		if err != nil {
			return nil, err
		}
		for _, e := range page {
			all = append(all, CaseEvent{ID: e.ID, Kind: e.Kind, Check: e.Check, Label: client.Label(oneLine(string(e.Label))), About: e.About, CaseNote: noteOf(e.Text, e.By, e.At), Due: e.Due, Removed: utcOf(e.Removed), Evidence: evidenceOf(e.Evidence)})
		}
		if before = next; len(page) < atOnce {
			slices.Reverse(all)
			return all, nil
		}
	}
}

// utcOf is a time in UTC; the zero one stays that.
func utcOf(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return t.UTC()
}

func noteOf(text, by string, at time.Time) CaseNote {
	return CaseNote{Text: oneLine(text), By: oneLine(by), At: at.UTC()}
}

func evidenceOf(all []store.Evidence) []Evidence {
	shown := []Evidence{}
	for _, e := range all {
		shown = append(shown, Evidence{e.Kind, oneLine(e.Value)})
	}
	return shown
}

// Words are what it is, in one line.
func (e Evidence) Words() string {
	switch e.Kind {
	case store.EvidenceLink:
		return i18n.F("Link: %s", e.Value)
	case store.EvidenceFile:
		return i18n.F("File with the SHA-256 %s", e.Value)
	}
	return e.Value
}

// oneLine makes a person's text fit to be shown.
func oneLine(text string) string { return plain.From(text).Folded().String() }

// whoWhen is who wrote a note, and when.
func (n *CaseNote) whoWhen() string {
	return strings.TrimPrefix(n.By+", "+i18n.Moment(n.At.Local()), ", ")
}

// caseSection is the section on the case, in pages and PDFs.
func caseSection(c *Case) *section {
	return &section{Heading: i18n.F("Case: %s", c.Title), Tables: c.tables()}
}

// tables are a page's tables on the case.
func (c *Case) tables() []table {
	state := i18n.T("open")
	if c.State == store.CaseConcluded {
		state = i18n.T("concluded")
	}
	facts := table{Heading: i18n.T("The case"), Class: "two", Rows: []row{{text(i18n.T("State")), text(state)}}}
	if len(c.Tags) > 0 {
		facts.Rows = append(facts.Rows, row{text(i18n.T("Tags")), text(strings.Join(c.Tags, ", "))})
	}
	conclusion := table{Heading: i18n.T("The desk's conclusion"), Class: "judgement", Text: []string{i18n.T("None was written.")}}
	if n := c.Conclusion; n != nil {
		conclusion.Rows = []row{{text(n.whoWhen()), text(n.Text)}}
		conclusion.Text = []string{i18n.T("The desk's own words, not the service's.")}
	}
	all := []table{facts}
	if len(c.Judgements) > 0 {
		conclusion.Class = "two" // it stands alone: the sign-offs are with the judgements
		all = append(all, conclusion, c.judgementTable())
	} else {
		all = append(all, conclusion, signOff())
	}
	if !c.resultFirst() {
		if len(c.Items) > 0 {
			all = append(all, c.itemTable())
		}
		all = append(all, otherChecks(c.Checks))
	}
	if len(c.Questions) > 0 {
		all = append(all, questionTable(c.Questions))
	}
	if len(c.Notes) > 0 {
		t := table{Heading: i18n.T("Notes"), Head: []string{i18n.T("Note"), i18n.T("Who, when")}, Class: "notes"}
		for _, n := range c.Notes {
			t.Rows = append(t.Rows, row{text(n.Text), text(n.whoWhen())})
		}
		all = append(all, t)
	}
	return all
}

// itemTable lists what is in the case, with the status of each in the service's words.
func (c *Case) itemTable() table {
	t := table{Heading: i18n.T("What is in the case"), Class: "items", Head: []string{i18n.T("Name"), i18n.T("What the service said"), "SHA-256"}}
	for _, item := range c.Items {
		said := cell{Text: i18n.T("not answered yet"), Muted: true}
		if item.Status != "" {
			words := verdict.Say(item.filed)
			if item.filed == client.Contradictory {
				words = verdict.Contradictory()
			}
			said = text(words.Headline)
			if item.Provisional {
				words.Mark = verdict.MarkAnalysing
				said.Text = i18n.F("Provisional: %s", words.Headline)
			}
			said.Mark, said.Class = markOf(words.Mark)
		}
		t.Rows = append(t.Rows, row{text(item.Name), said, mono(item.SHA256)})
	}
	return t
}

// questionTable has the questions with their answers, and what those rest on. One without an answer has an empty field.
func questionTable(all []CaseQuestion) table {
	t := table{Heading: i18n.T("Questions"), Head: []string{i18n.T("Question"), i18n.T("Answer, and what it is based on"), i18n.T("Who, when")}, Class: "questions"}
	for _, q := range all {
		if len(q.Answers) == 0 {
			open := i18n.T("not answered yet")
			for _, a := range q.Assigned {
				open += "\n" + a.Words()
			}
			t.Rows = append(t.Rows, row{text(q.Text), {Text: open, Muted: true}, text(i18n.F("asked by %s", q.whoWhen()))})
		}
		for i, a := range q.Answers {
			question, said := cell{}, a.Text
			if i == 0 {
				question = text(q.Text)
			}
			for _, e := range a.Evidence {
				said += "\n" + e.Words()
			}
			t.Rows = append(t.Rows, row{question, text(said), text(a.whoWhen())})
		}
	}
	return t
}

// CheckWords is the name of a kind of check.
func CheckWords(kind store.CheckKind) string {
	switch kind {
	case store.CheckSource:
		return i18n.T("Source contacted")
	case store.CheckEarlierCopy:
		return i18n.T("Earlier copy looked for")
	case store.CheckPlace:
		return i18n.T("Place")
	case store.CheckTime:
		return i18n.T("Time")
	case store.CheckProvenance:
		return i18n.T("Provenance")
	case store.CheckWatermark:
		return i18n.T("Watermark tool")
	case store.CheckFactChecks:
		return i18n.T("Fact-checks")
	case store.CheckExpert:
		return i18n.T("Expert")
	case store.CheckStaging:
		return i18n.T("Staging")
	}
	return plain.From(string(kind)).String() // a kind of a later version
}

// otherChecks lists the checks that no detector makes, with their findings, or an empty field, so that missing ones are visible.
func otherChecks(made []CaseCheck) table {
	noted := 0
	for _, kind := range store.CheckKinds {
		if slices.ContainsFunc(made, func(c CaseCheck) bool { return c.Kind == kind }) {
			noted++
		}
	}
	heading := i18n.F("Other checks: %s of %s noted", i18n.Count(noted), i18n.Count(len(store.CheckKinds)))
	t := table{Heading: heading, Head: []string{i18n.T("Check"), i18n.T("What was found"), i18n.T("Who, when")}, Class: "checks"}
	for _, kind := range store.CheckKinds {
		found := false
		for _, c := range made {
			if c.Kind == kind {
				found = true
				t.Rows = append(t.Rows, row{text(CheckWords(kind)), text(c.Text), text(c.whoWhen())})
			}
		}
		if !found {
			t.Rows = append(t.Rows, row{text(CheckWords(kind)), {Text: i18n.T("empty"), Muted: true}, text("")})
		}
	}
	return t
}
