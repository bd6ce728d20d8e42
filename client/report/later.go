package report

import (
	"context"
	"slices"
	"time"

	"assay/client"
	"assay/client/i18n"
	"assay/client/plain"
	"assay/client/store"
	"assay/client/submission"
	"assay/client/verdict"
)

// Later is an answer on the same content, or of the same link, that came after the one that is reported.
type Later struct {
	ID        string        `json:"id"` // Assay's own, of the submission that it was given for
	RequestID string        `json:"requestId"`
	At        time.Time     `json:"at,omitzero"`
	Status    client.Status `json:"status"` // as sent
	Verdict   string        `json:"verdict"`
	Release   string        `json:"releaseVersion,omitempty"`
	SHA256    string        `json:"sha256"`  // of its JSON as stored, hex
	Differs   bool          `json:"differs"` // its verdict is another one
}

// readLater reads the answers on the content of a submission that came after its current one, the oldest first.
func (r *Result) readLater(ctx context.Context, records *store.Store, sub submission.Submission) error {
	all, err := records.ContentAnswers(ctx, sub.ID)
	if err != nil {
		return err
	}
	own := slices.IndexFunc(all, func(a store.ContentAnswer) bool { return a.Current && a.Submission == sub.ID })
	for i, a := range all {
		if i <= own || a.Submission == sub.ID || own < 0 && !a.At.After(r.received()) {
			continue
		}
		answer, ok, err := records.EarlierAnswer(ctx, a.Submission, a.RawSHA256)
		if err != nil {
			return err
		}
		if !ok {
			continue // removed meanwhile
		}
		v := verdict.Of(answer)
		r.Later = append(r.Later, Later{
			ID: a.Submission, RequestID: a.RequestID, At: utc(a.At), Status: v.Status, Verdict: v.Headline, Release: plain.From(a.Release).String(), SHA256: a.RawSHA256,
			Differs: v.Headline != r.Verdict || v.Contradiction != r.Contradiction,
		})
	}
	return nil
}

// received is when the last answer of Answers was received, which may be one that is not final.
func (r *Result) received() time.Time {
	if len(r.Answers) == 0 {
		return time.Time{}
	}
	return r.Answers[len(r.Answers)-1].At
}

// differing is the newest later answer with another verdict, nil where there is none.
func (r *Result) differing() *Later {
	for i := len(r.Later) - 1; i >= 0; i-- {
		if r.Later[i].Differs {
			return &r.Later[i]
		}
	}
	return nil
}

// later is differing, or a zero Later.
func (r *Result) later() Later {
	if l := r.differing(); l != nil {
		return *l
	}
	return Later{}
}

// laterNote says that a later answer differs; "" where none does.
func (r *Result) laterNote() string {
	later := r.differing()
	if later == nil {
		return ""
	}
	release, at := later.Release, i18n.T("not known")
	if release == "" {
		release = i18n.T("not named")
	}
	if !later.At.IsZero() {
		at = i18n.Moment(later.At)
	}
	if r.Link != "" {
		return i18n.F("A later answer on the same link differs: %s. Release: %s. Answered: %s. It is not known whether the link still led to the same content.", later.Verdict, release, at)
	}
	return i18n.F("A later answer on the same file differs: %s. Release: %s. Answered: %s.", later.Verdict, release, at)
}

// laterTable has the later answers; it is empty where there are none.
func (r *Result) laterTable() table {
	t := table{Heading: i18n.T("Later answers on the same content"), Class: "answers", Head: []string{"UTC", i18n.T("Status"), i18n.T("Release"), i18n.T("SHA-256 of the answer")}}
	if r.Link != "" {
		t.Heading = i18n.T("Later answers on the same link")
	}
	for i := len(r.Later) - 1; i >= 0; i-- {
		a := r.Later[i]
		t.Rows = append(t.Rows, row{mono(clockText(a.At)), mono(string(a.Status)), text(a.Release), mono(a.SHA256)})
	}
	return t
}
