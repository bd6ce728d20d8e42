package present

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"assay/client"
	"assay/client/custody"
	"assay/client/i18n"
	"assay/client/plain"
	"assay/client/submission"
	"assay/client/verdict"
)

// History is what is known of a content beyond its newest answer.
type History struct {
	Answers []PastAnswer // the newest first
	Log     []LogEntry   // the oldest first
	Broken  string       // a sentence: why the custody log can't be relied on; "" where it can
}

// AnswerRef names an answer.
type AnswerRef struct {
	ID        string // of the submission
	RawSHA256 string // of the answer's JSON; "": the answer that the submission has now
}

// PastAnswer is one answer of the service on this content.
type PastAnswer struct {
	Ref     AnswerRef
	Read    bool // it can be read, and so be compared
	When    string
	Mark    verdict.Mark
	Words   string
	Score   string // "88 of 100", or that none was reported
	About   string // release, origin, request ID
	Shown   bool   // the viewer shows this one
	Changes []string
}

// LogEntry is one entry of the custody log.
type LogEntry struct {
	When  string // with seconds and zone: it is evidence
	Event string
	Facts string // what was known then, as in the log
	Hash  string // of the entry, which includes the hash of the entry before
}

// AnsweredAt is an answer and its submission.
type AnsweredAt struct {
	At        time.Time
	Of        submission.Submission
	Result    *client.Result
	RawSHA256 string // of its JSON; "": it is the answer that the submission has now
}

// HistoryOf makes the words for the answers on one content and the custody log of a submission. The answers come newest first; shown is the ID of the
// submission in the viewer.
func HistoryOf(answers []AnsweredAt, log []custody.Entry, shown string, now time.Time) History {
	var h History
	for i, a := range answers {
		past := PastAnswer{Ref: AnswerRef{a.Of.ID, a.RawSHA256}, Read: a.Result != nil, When: dateTime(a.At, now), Shown: a.Of.ID == shown && !laterOf(answers[:i], shown)}
		past.fill(a)
		if i+1 < len(answers) {
			past.Changes = changes(answers[i+1].Result, a.Result)
		}
		h.Answers = append(h.Answers, past)
	}
	for _, e := range log {
		if e.Hash != e.Sum() && h.Broken == "" {
			h.Broken = i18n.F("Entry %d of the custody log does not match its hash: it was changed after it was written.", e.Seq)
		}
		h.Log = append(h.Log, LogEntry{When: i18n.LogMoment(e.At.In(now.Location())), Event: e.Event.Words(), Facts: string(e.Facts), Hash: e.Hash})
	}
	return h
}

// Shown is the answer that the viewer shows, and ok is false if it is not among them.
func (h History) Shown() (ref AnswerRef, ok bool) {
	for _, a := range h.Answers {
		if a.Shown {
			return a.Ref, a.Read
		}
	}
	return AnswerRef{}, false
}

// laterOf reports whether one of the answers belongs to a submission.
func laterOf(answers []AnsweredAt, id string) bool {
	for _, a := range answers {
		if a.Of.ID == id {
			return true
		}
	}
	return false
}

func (p *PastAnswer) fill(a AnsweredAt) {
	var about []string
	if a.Result == nil {
		p.Words, p.Score = i18n.T("Its answer can't be read"), ""
	} else {
		v := verdict.Of(a.Result)
		p.Mark, p.Words, p.Score = v.Mark, v.Headline, i18n.T(verdict.NoScore)
		switch {
		case v.Contradiction != "": // it has the scores
			p.Score = v.Contradiction
		case v.Score != nil:
			p.Score = i18n.F("ensemble %s of 100", v.Score.Text())
		}
		about = append(about, releaseWords(v.Release))
	}
	if a.Of.Source == submission.Service {
		about = append(about, i18n.T("by another device"))
	}
	if a.Of.AnsweredBy.Name != "" {
		about = append(about, i18n.F("%s's answer", Person(a.Of.AnsweredBy.Name)))
	}
	if a.Of.RequestID != "" {
		about = append(about, i18n.F("request %s", a.Of.RequestID))
	}
	p.About = strings.Join(about, " · ")
}

func releaseWords(release string) string {
	if release == "" {
		return i18n.T("no release named")
	}
	return i18n.F("release %s", release)
}

// changes says what differs between two answers: the numbers of both, without judging them.
func changes(before, after *client.Result) []string {
	if before == nil || after == nil {
		return nil
	}
	var lines []string
	a, b := verdict.Of(before), verdict.Of(after)
	if a.Headline != b.Headline || a.Contradiction != b.Contradiction {
		lines = append(lines, i18n.F("Verdict: %s → %s", shortWords(a), shortWords(b)))
	}
	if from, to := scoreWords(a.Score), scoreWords(b.Score); from != to {
		lines = append(lines, i18n.F("Ensemble: %s → %s", from, to))
	} else if a.Score != nil && a.Score.Value != b.Score.Value {
		lines = append(lines, i18n.F("Ensemble: %s → %s", a.Score.Sent, b.Score.Sent))
	}
	if a.Release != b.Release {
		lines = append(lines, i18n.F("Release: %s → %s", cmp.Or(a.Release, i18n.T("none named")), cmp.Or(b.Release, i18n.T("none named"))))
	}
	lines = append(lines, modelChanges(before.Models, after.Models)...)
	if len(lines) == 0 {
		return []string{i18n.T("The same verdict and scores as before.")}
	}
	return lines
}

// shortWords are the short words of a verdict, with its contradiction.
func shortWords(v verdict.Verdict) string {
	if v.Contradiction == "" {
		return v.Short
	}
	return v.Short + " (" + v.Contradiction + ")"
}

// modelChanges says what differs between the single models; of very many changes, the first ones and how many more.
func modelChanges(before, after []client.Model) (lines []string) {
	then := map[plain.Text]client.Model{}
	for _, m := range before {
		then[m.Name] = m
	}
	for _, m := range after {
		was, known := then[m.Name]
		delete(then, m.Name)
		switch from, to := modelWords(was), modelWords(m); {
		case m.IsEnsemble():
		case !known:
			lines = append(lines, i18n.F("%s: not among the models → %s", verdict.ModelName(m), to))
		case from != to:
			lines = append(lines, fmt.Sprintf("%s: %s → %s", verdict.ModelName(m), from, to))
		default:
			if from, to := verdict.ModelScore(was), verdict.ModelScore(m); from != nil && to != nil && from.Value != to.Value {
				lines = append(lines, fmt.Sprintf("%s: %s → %s", verdict.ModelName(m), from.Sent, to.Sent)) // the words are rounded
			}
		}
	}
	for _, m := range before {
		if _, gone := then[m.Name]; gone && !m.IsEnsemble() {
			lines = append(lines, i18n.F("%s: %s → not among the models", verdict.ModelName(m), modelWords(m)))
		}
	}
	if more := len(lines) - verdict.MostModels; more > 0 {
		lines = append(lines[:verdict.MostModels], verdict.AndMore(more))
	}
	return lines
}

func modelWords(m client.Model) string {
	if !m.Applies() {
		return i18n.T("not applicable")
	}
	words := verdict.Say(m.Status).Short
	if n := verdict.ModelScore(m); n != nil {
		words += " " + n.Text()
	}
	return words
}

func scoreWords(n *verdict.Number) string {
	if n == nil {
		return i18n.T(verdict.NoScore)
	}
	return n.Text()
}
