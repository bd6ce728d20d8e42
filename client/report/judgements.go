package report

import (
	"context"
	"strings"
	"time"

	"assay/client"
	"assay/client/i18n"
	"assay/client/store"
	"assay/client/verdict"
)

// CaseJudgement is what somebody at the desk takes a result of a shared case to be, with their comment. Times are in UTC.
type CaseJudgement struct {
	ID        string        `json:"id"`                  // of its event at the desk
	About     string        `json:"about,omitempty"`     // the ID of the submission
	RequestID string        `json:"requestId,omitempty"` // of the latest answer on it
	Status    client.Status `json:"status"`              // of that answer
	Release   string        `json:"release"`
	Label     client.Label  `json:"label"`
	CaseNote
	SignedOff bool          `json:"signedOff"` // by a second person, with the answer that there is now
	SignOffs  []CaseSignOff `json:"signOffs"`  // the oldest first
}

// CaseSignOff is a second person's sign-off.
type CaseSignOff struct {
	By      string    `json:"by"`
	At      time.Time `json:"at"`
	Release string    `json:"release"` // of the answer that was signed off
	Void    bool      `json:"void"`    // there is another answer now
}

// ReadJudgements reads the judgements in a shared case, the oldest first.
func ReadJudgements(ctx context.Context, records *store.Store, caseID string) ([]CaseJudgement, error) {
	kept, err := records.Judgements(ctx, caseID)
	if err != nil {
		return nil, err
	}
	all := []CaseJudgement{}
	for i := range kept {
		all = append(all, JudgementOf(&kept[i]))
	}
	return all, nil
}

// JudgementOf is a judgement as reports have it.
func JudgementOf(j *store.Judgement) CaseJudgement {
	of := CaseJudgement{
		ID: j.ID, About: j.Item, RequestID: oneLine(j.RequestID), Status: client.Status(oneLine(string(j.Status))), Release: oneLine(j.Release), Label: client.Label(oneLine(string(j.Label))),
		CaseNote: noteOf(j.Comment, j.By, j.At), SignedOff: j.SignedOff(), SignOffs: []CaseSignOff{},
	}
	for _, s := range j.SignOffs {
		of.SignOffs = append(of.SignOffs, CaseSignOff{By: oneLine(s.By), At: s.At.UTC(), Release: oneLine(s.Release), Void: s.Void})
	}
	return of
}

// Words say who has judged, and as what.
func (j *CaseJudgement) Words() string {
	return i18n.F("Judged by %s: %s", j.By, verdict.Label(j.Label))
}

// SignOffWords say who has signed off, one text for each, or that nobody has. What is void says so, and comes first.
func (j *CaseJudgement) SignOffWords() []string {
	var void, good []string
	for _, s := range j.SignOffs {
		switch {
		case !s.Void:
			good = append(good, i18n.F("Signed off by %s, %s", s.By, i18n.Moment(s.At.Local())))
		case s.Release != "":
			void = append(void, i18n.F("Signed off by %s for release %s. There is another answer now.", s.By, s.Release))
		default:
			void = append(void, i18n.F("Signed off by %s for another answer than the present one.", s.By))
		}
	}
	if len(good) == 0 {
		good = []string{i18n.T("Not signed off")}
	}
	return append(void, good...)
}

// judgementTable has what people at the desk take the results to be, and who has signed that off.
func (c *Case) judgementTable() table {
	t := table{
		Heading: i18n.T("What the desk's people judged, and who signed it off"), Class: "signed",
		Head: []string{i18n.T("Name"), i18n.T("Judgement"), i18n.T("Who, when"), i18n.T("Sign-off by a second person")},
		Text: []string{i18n.T("Judgements are the desk's own, not the service's. A sign-off holds for one answer: it is void once there is another.")},
	}
	for i := range c.Judgements {
		j := &c.Judgements[i]
		said := verdict.Label(j.Label)
		if j.Text != "" {
			said += ": “" + j.Text + "”"
		}
		t.Rows = append(t.Rows, row{text(c.nameOf(j)), text(said), text(j.whoWhen()), {Text: strings.Join(j.SignOffWords(), "\n"), Muted: !j.SignedOff}})
	}
	return t
}

// nameOf is how the item is called that was judged.
func (c *Case) nameOf(j *CaseJudgement) string {
	for _, item := range c.Items {
		if item.ID == j.About {
			return item.Name
		}
	}
	return i18n.T("not known")
}

// signOffOf has who has signed off the judgements of a result, or room for a second person's name, on paper.
func (c *Case) signOffOf(id string) table {
	t := signOff()
	if c == nil {
		return t
	}
	signed := table{Heading: t.Heading, Class: t.Class}
	for i := range c.Judgements {
		j := &c.Judgements[i]
		for _, s := range j.SignOffs {
			if j.About == id && !s.Void {
				signed.Rows = append(signed.Rows, row{text(i18n.T("Name")), text(s.By)}, row{text(i18n.T("Date and time")), text(i18n.Moment(s.At.Local()))})
			}
		}
	}
	if len(signed.Rows) == 0 {
		return t
	}
	return signed
}
