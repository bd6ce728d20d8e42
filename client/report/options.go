package report

import (
	"cmp"
	"encoding/json"
	"iter"
	"net/url"
	"slices"
	"time"

	"assay/client/media"
	"assay/client/submission"
)

// Options are how a report is written.
type Options struct {
	Replace bool // overwrites an existing file
	// ByteOrderMark begins a CSV with a byte order mark: without it, some spreadsheets assume another encoding.
	ByteOrderMark bool
	Media         Media
	Names         Names
	Without       []Part    // is left out
	Language      string    // of i18n.All; "" is the person's
	Made          time.Time // is shown in a page unless zero
	Version       string    // of Assay
	Bundle        string    // the name of the bundle that the report is in; "" for none
	// Hashes remembers the hashes of the persons' files, so that several reports on them read each once. nil: each report reads them.
	Hashes *media.Hashes `json:"-"`
	// Case is the case of the results; nil for none.
	Case *Case `json:"-"`

	foremost bool // lists only the foremost of very many models: a PDF is in memory as a whole
}

// Names chooses the names of files and links in a report.
type Names string

// The choices. "" is NamesNeutral for sensitive submissions, those whose gate is not send, and NamesReal for all others.
const (
	NamesReal    Names = "real"
	NamesNeutral Names = "neutral" // names that tell the kind of media alone, and of links the host; answers that have the name as sent are left out
)

// AllNames are the choices of Names but for "".
var AllNames = []Names{NamesReal, NamesNeutral}

// Part is a part of a report that can be left out.
type Part string

// The parts.
const (
	PartNotes     Part = "notes"     // the person's own, on files and in cases, and their tags
	PartHeatmaps  Part = "heatmaps"  // of pictures
	PartTimelines Part = "timelines" // of recordings and clips
	PartFile      Part = "file"      // what a file says of itself: EXIF, C2PA
)

// Parts are all of them.
var Parts = []Part{PartNotes, PartHeatmaps, PartTimelines, PartFile}

// has reports whether a part is in the report.
func (o Options) has(p Part) bool { return !slices.Contains(o.Without, p) }

// careful is the options with their case as it may be shown.
func (o Options) careful() Options {
	if o.Case == nil {
		return o
	}
	c := *o.Case
	if !o.has(PartNotes) {
		c.Notes, c.Tags = []CaseNote{}, []string{}
	}
	c.Items = slices.Clone(c.Items)
	for i := range c.Items {
		if item := &c.Items[i]; o.neutral(item.of) {
			item.Name = neutralName(item.of)
		}
	}
	o.Case = &c
	return o
}

// neutral reports whether the names of a submission are left out.
func (o Options) neutral(s submission.Submission) bool {
	return o.Names == NamesNeutral || o.Names == "" && s.Gate != submission.GateSend
}

// neutralName is the name of a submission in place of its own: the one that it was sent with, if that tells nothing of it either.
func neutralName(s submission.Submission) string {
	if s.Link != "" {
		return neutralLink(s.Link)
	}
	if s.Neutral && s.SendName != "" {
		return s.SendName
	}
	token := cmp.Or(s.SHA256, s.ID)
	return media.NeutralName(s.Type, s.Name, token[:min(len(token), 8)])
}

// neutralLink has a link's host alone.
func neutralLink(link string) string {
	u, err := url.Parse(link)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host + "/…"
}

// shown yields the results as they may be shown.
func (o Options) shown(results iter.Seq2[*Result, error]) iter.Seq2[*Result, error] {
	return func(yield func(*Result, error) bool) {
		for r, err := range results {
			if err == nil {
				r = o.of(r)
			}
			if !yield(r, err) {
				return
			}
		}
	}
}

// of is a result as it may be shown.
func (o Options) of(r *Result) *Result {
	neutral := o.neutral(r.evidence.sub)
	if !neutral && o.has(PartNotes) {
		return r
	}
	shown := *r
	if !o.has(PartNotes) {
		shown.Note, shown.Tags = "", nil
	}
	if neutral {
		shown.makeNeutral()
	}
	return &shown
}

// sensitive reports whether a result's submission was not to be sent without the person's approval, or at all.
func (r *Result) sensitive() bool { return r.evidence.sub.Gate != submission.GateSend }

// KeepsNames reports whether a report with these options has the names of a result, and its answers with them.
func (o Options) KeepsNames(r *Result) bool { return !o.of(r).NeutralName }

// makeNeutral takes out the names that were given to a file or link. The answer has the name that the service received.
func (r *Result) makeNeutral() {
	sub := r.evidence.sub
	r.NeutralName, r.Name = true, neutralName(sub)
	if r.Link != "" {
		r.Link = neutralLink(r.Link)
	}
	if !sub.Neutral || r.Link != "" {
		r.SentAs, r.Answer = "", json.RawMessage("null")
	}
}
