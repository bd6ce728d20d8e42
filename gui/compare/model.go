package compare

import (
	"strings"
	"time"

	"assay/client"
	"assay/client/i18n"
	"assay/client/submission"
	"assay/client/verdict"
	"assay/gui/present"
)

// Answer is one of two answers that are compared.
type Answer struct {
	At  time.Time // when it was received
	Of  submission.Submission
	Was bool // it is not the answer that the submission has now: what belongs to the answer, such as heatmaps, is no longer known
}

// Model is everything that the screen shows of two answers. On one content the earlier answer comes first, and what differs is shown; two contents that
// nearly look the same are shown beside each other, and nothing is compared.
type Model struct {
	Sides      [2]Side
	Same       bool // both answers are on one content
	Title      string
	Content    string // which content: its hash, or its link
	NeedsHuman bool   // the verdict differs, and nobody has marked that as seen
	Sentence   string // what changed
	Rows       []Row  // the models that apply, the ensembles first
	Apart      string // the models that apply to neither, in a sentence; "" for none
	Notes      string // on rows in which there is no change to speak of, and what a change means
	Medium     present.Medium
	Covered    bool // one of them was marked as graphic
	Watched    bool // one of them came from a watched folder
}

// Side is one of the two.
type Side struct {
	present.Viewer
	Heading string // "Earlier", "Later", or the name of the file
	About   string // its release, and when it was answered
	Short   string // for the legend and on the picture
}

// Row is a model's scores in both answers.
type Row struct {
	Name     string
	Ensemble bool
	Ends     [2]End
	Change   string // rounded, with its sign; or in words why there is none
	Word     bool   // Change is words
	Source   string // the fields of both numbers, and their exact difference
}

// End is a model's score in one answer.
type End struct {
	Mark  verdict.Mark
	Score *verdict.Number // nil: it has none
	Words string          // its status, or that it is not among the models
}

// Of makes the words for two answers; unseen says that the later one's verdict differs from that before it, and that nobody has marked this as seen.
func Of(first, second Answer, unseen bool, now time.Time) Model {
	m := Model{Same: first.Of.Content() != "" && first.Of.Content() == second.Of.Content()}
	if m.Same && second.At.Before(first.At) {
		first, second = second, first
	}
	m.Sides = [2]Side{sideOf(first, now), sideOf(second, now)}
	m.Medium = m.Sides[1].Medium
	m.Covered = first.Of.Graphic || second.Of.Graphic
	m.Watched = m.Sides[0].Watched || m.Sides[1].Watched
	if !m.Same {
		m.Title, m.Content = nearlyTitle(m.Sides), i18n.T("A hint: each file keeps its own verdict")
		for i := range m.Sides {
			m.Sides[i].Heading, m.Sides[i].Short = m.Sides[i].Name, m.Sides[i].Name
		}
		return m
	}
	m.Title = i18n.F("Two answers for %s", second.Of.Name)
	m.Content = contentWords(second.Of)
	m.Sides[0].Heading, m.Sides[1].Heading = i18n.T("Earlier"), i18n.T("Later")
	for i := range m.Sides {
		m.Sides[i].Short = m.Sides[i].Verdict.Release
	}
	if a, b := m.Sides[0].Short, m.Sides[1].Short; a == b || a == "" || b == "" { // they would not tell one from the other
		m.Sides[0].Short, m.Sides[1].Short = m.Sides[0].Heading, m.Sides[1].Heading
	}
	c := verdict.Compare(verdict.Answered{At: first.At, Result: first.Of.Result}, verdict.Answered{At: second.At, Result: second.Of.Result})
	m.NeedsHuman = c.Changed && unseen
	m.Sentence = c.Sentence(second.Of.Link == "")
	m.compare(c)
	return m
}

func nearlyTitle(sides [2]Side) string {
	if sides[0].Medium == present.Picture && sides[1].Medium == present.Picture {
		return i18n.T("Two pictures that are nearly the same")
	}
	return i18n.T("Two files that are nearly the same")
}

func sideOf(a Answer, now time.Time) Side {
	s := Side{Viewer: present.ViewerOf(a.Of, now)}
	if a.Was {
		s.Heatmaps = nil
	}
	release := i18n.T("no release named")
	if s.Verdict.Release != "" {
		release = i18n.F("release %s", s.Verdict.Release)
	}
	s.About = present.Joined(release, i18n.F("answered %s", i18n.DayTime(a.At, now)))
	return s
}

// contentWords says that both answers are on one content, as far as that is known.
func contentWords(s submission.Submission) string {
	if s.Link != "" {
		return i18n.T("Same link; what it led to may have changed") + " · " + i18n.T("both answers are kept")
	}
	return i18n.F("Same content: SHA-256 %s", shortHash(s.SHA256)) + " · " + i18n.T("both answers are kept")
}

// shortHash is the beginning and the end of a hash.
func shortHash(hash string) string {
	const first, last = 8, 6
	if len(hash) <= first+last {
		return hash
	}
	return hash[:first] + "…" + hash[len(hash)-last:]
}

// compare adds what differs.
func (m *Model) compare(c verdict.Comparison) {
	var apart, added, gone, failed []string
	for _, change := range c.Models {
		if neverApplies(change) {
			apart = append(apart, change.Name)
			continue
		}
		m.Rows = append(m.Rows, rowOf(change, m.Sides))
		switch {
		case change.Before == nil:
			added = append(added, change.Name)
		case change.After == nil:
			gone = append(gone, change.Name)
		case change.Before.Failed && change.After.Failed:
			failed = append(failed, change.Name)
		}
	}
	if len(apart) > 0 {
		m.Apart = i18n.F("Not applicable: %s", few(apart))
	}
	var notes []string
	earlier, later := m.Sides[0].Verdict.Release, m.Sides[1].Verdict.Release
	named := earlier != later // the releases tell the answers apart
	switch {
	case len(added) == 0:
	case named && earlier != "":
		notes = append(notes, i18n.F("Not in release %s: %s.", earlier, few(added)))
	default:
		notes = append(notes, i18n.F("Not in the earlier answer: %s.", few(added)))
	}
	switch {
	case len(gone) == 0:
	case named && later != "":
		notes = append(notes, i18n.F("No longer in release %s: %s.", later, few(gone)))
	default:
		notes = append(notes, i18n.F("No longer in the later answer: %s.", few(gone)))
	}
	if len(failed) > 0 {
		notes = append(notes, i18n.F("Failed both times, so that there is no score and no change: %s.", few(failed)))
	}
	m.Notes = strings.Join(append(notes, i18n.T("A change of score says how the models changed, not the file.")), " ")
}

// few names models, of very many the first and how many more.
func few(names []string) string {
	const most = 6
	if more := len(names) - most; more > 0 {
		names = append(names[:most:most], verdict.AndMore(more))
	}
	return strings.Join(names, ", ")
}

// neverApplies reports whether a model applies in neither answer.
func neverApplies(m verdict.ModelChange) bool {
	return m.Score.Before == nil && m.Score.After == nil && !applies(m.Before) && !applies(m.After)
}

func applies(s *verdict.ModelState) bool { return s != nil && s.Mark != verdict.MarkNotAssessable }

func rowOf(m verdict.ModelChange, sides [2]Side) Row {
	r := Row{Name: m.Name, Ensemble: m.Ensemble, Ends: [2]End{endOf(m.Before, m.Score.Before), endOf(m.After, m.Score.After)}, Change: m.Score.Text()}
	if note := m.Note(); note != "" {
		r.Change, r.Word = note, true
	}
	lines := []string{}
	for i, e := range r.Ends {
		said := e.Words
		if e.Score != nil {
			said = present.Sent{Field: e.Score.Field, Value: e.Score.Sent}.String()
		}
		lines = append(lines, i18n.F("%s: %s", sides[i].Heading, said))
	}
	if m.Score.Change != "" {
		lines = append(lines, i18n.F("Change, exactly: %s", m.Score.Change))
	}
	r.Source = m.Name + "\n" + strings.Join(lines, "\n")
	return r
}

func endOf(s *verdict.ModelState, score *verdict.Number) End {
	if s == nil {
		return End{Words: i18n.T("not among the models")}
	}
	e := End{Mark: s.Mark, Score: score, Words: s.Words}
	if s.Gap != "" {
		e.Words = s.Gap
	}
	return e
}

// Parts are the lanes of two answers' segments over one axis of seconds, for recordings and clips.
type Parts struct {
	Sides  [2]present.Timeline
	Length float64 // seconds that both show
	None   [2]string
}

// PartsOf puts what two answers reported of the parts of a recording or clip on one axis; nil stands for an answer that reported none.
func PartsOf(earlier, later *client.AggregationData) Parts {
	p := Parts{Sides: [2]present.Timeline{present.TimelineOf(earlier), present.TimelineOf(later)}}
	p.Length = max(p.Sides[0].End, p.Sides[1].End)
	for i, words := range []string{i18n.T("The earlier answer reported nothing of single parts."), i18n.T("The later answer reported nothing of single parts.")} {
		if len(p.Sides[i].Lanes) == 0 {
			p.None[i] = words
		}
	}
	return p
}
