package poll

import (
	"cmp"
	"errors"
	"maps"
	"net/http"
	"slices"
	"time"

	"assay/client"
	"assay/client/i18n"
	"assay/client/retry"
)

// PageSize is how many results make a page of the list.
const PageSize = 100

// Rules of a schedule.
const (
	pageWorth   = 6                // at this many due results on a page, the page is fetched instead of each result
	jitterShare = 0.2              // how far jitter moves a request, either way, as a share of the pause
	lostOnPage  = 3                // after this many pages that did not show a result, it is fetched alone
	listReach   = 10 * PageSize    // results, counted from the newest: beyond these an answer would be too large
	listRest    = 10 * time.Minute // for how long the list is not used after it was of no use
	listPauses  = 4                // after the list has taken so long to come and to be read, it is not asked for again for so many times as long
	unknownFor  = 5 * time.Minute  // for this long after an upload, "no such result" means "not yet"
	modelsFor   = 5 * time.Minute  // a verdict is final this long after it came, even if a model still runs
	waitFor     = time.Hour        // after this long the wait ends, until the person retries
	neverDue    = retry.Forever    // a pause without an end
	singlePage  = -1               // in place of a page
)

// schedule decides which results to ask for, when, and by which request. It has no side effects: it is given the time and the answers, and makes no
// request itself. It only asks the pacer when there will be room; whoever makes the request takes that. It is for one goroutine at a time.
type schedule struct {
	shortest, longest time.Duration // pauses between two requests for the same result
	jitter            func() float64
	pacer             *client.Pacer

	watched  map[string]*watched // by submission
	requests map[string]string   // request ID to submission
	known    map[string]bool     // request IDs of uploads
	uploads  []upload            // the latest, ascending: gives a result's position in the list
	shift    int                 // how many results of others stand before ours in the list, as last seen
	restList time.Time           // until then the list is not used
	listing  bool                // a request for the list is under way
	listFree time.Time           // until then the list is not asked for again
	brief    bool                // the list leaves out what the models say: it is never used
}

// watched is a result that is not final yet.
type watched struct {
	id, requestID string
	uploaded      time.Time
	began         time.Time // when the wait began, moved on by the time in which no request could be made
	last          time.Time // when it was last asked for
	due           time.Time
	verdictAt     time.Time // when a verdict was first seen; zero: none yet
	asked         bool      // a request for it is under way
	alone         bool      // the next request is for this result alone
	detailed      bool      // a request for it alone has shown models
	bare          bool      // the list showed a verdict without models
	lost          int       // pages in a row that should have shown it and did not
	shift         int       // like schedule.shift, from where this one was seen
	seen          bool      // in the list
}

// upload is when a result's file was uploaded.
type upload struct {
	at        time.Time
	requestID string
}

// uploadsKept is of how many uploads the time is kept: before as many others, a result does not stand within the list's reach.
const uploadsKept = 2 * listReach

func (u upload) compare(at time.Time) int { return u.at.Compare(at) }

// query is one request: for pages of the list, or for a single result.
type query struct {
	page int      // the list is fetched from the newest result down to this page; singlePage for a single result
	ids  []string // the submissions that the request is for
}

func newSchedule(shortest, longest time.Duration, jitter func() float64, pacer *client.Pacer) *schedule {
	return &schedule{
		shortest: shortest, longest: longest, jitter: jitter, pacer: pacer,
		watched: map[string]*watched{}, requests: map[string]string{}, known: map[string]bool{},
	}
}

// add begins to wait for a result.
func (s *schedule) add(id, requestID string, uploaded, now time.Time) {
	w := &watched{id: id, requestID: requestID, uploaded: uploaded, began: now, last: now, due: now, shift: s.shift}
	if now.Sub(uploaded) < s.shortest {
		w.due = now.Add(s.pause(0))
	}
	s.watched[id] = w
	s.requests[requestID] = id
	if !s.known[requestID] {
		s.known[requestID] = true
		i, _ := slices.BinarySearchFunc(s.uploads, uploaded, upload.compare)
		s.uploads = slices.Insert(s.uploads, i, upload{uploaded, requestID})
	}
	if len(s.uploads) > uploadsKept {
		delete(s.known, s.uploads[0].requestID)
		s.uploads = slices.Delete(s.uploads, 0, 1)
	}
}

// drop ends the wait for a result.
func (s *schedule) drop(id string) {
	if w := s.watched[id]; w != nil {
		delete(s.watched, id)
		delete(s.requests, w.requestID)
	}
}

// pause is the time until the next request for a result of this age: a tenth of the age, within the bounds.
func (s *schedule) pause(age time.Duration) time.Duration {
	pause := min(max(age/10, s.shortest), s.longest)
	return Spread(pause, s.jitter())
}

// next returns the request to make now. If there is none, ok is false and wait is the time until there may be one, or neverDue if only an answer or a
// new result can change that.
func (s *schedule) next(now time.Time) (q query, wait time.Duration, ok bool) {
	if wait := s.pacer.FreeIn(now); wait > 0 && len(s.watched) > 0 {
		return query{}, wait, false // before all that is awaited is looked at: each new result asks
	}
	var due []*watched
	earliest := neverDue
	for _, w := range s.watched {
		switch left := w.due.Sub(now); {
		case w.asked:
		case left <= 0:
			due = append(due, w)
		case earliest == neverDue || left < earliest:
			earliest = left
		}
	}
	if len(due) == 0 {
		return query{}, earliest, false
	}
	first := slices.MinFunc(due, sooner)
	q = s.shared(first, due, now)
	if q.page != singlePage && (s.listing || now.Before(s.listFree)) {
		alone := slices.DeleteFunc(due, func(w *watched) bool { return s.page(w, now) != singlePage })
		if len(alone) == 0 {
			if free := s.listFree.Sub(now); !s.listing && (earliest == neverDue || free < earliest) {
				earliest = free
			}
			return query{}, earliest, false
		}
		q = query{page: singlePage, ids: []string{slices.MinFunc(alone, sooner).id}}
	}
	s.listing = s.listing || q.page != singlePage
	for _, id := range q.ids {
		s.watched[id].asked = true
	}
	return q, 0, true
}

func sooner(a, b *watched) int { return cmp.Or(a.due.Compare(b.due), cmp.Compare(a.id, b.id)) }

// listTook notes how long a request for the list took, until its answer was read: an answer of a thousand results takes a good part of a second of a
// processor, and with thousands of results some are always due.
func (s *schedule) listTook(took time.Duration, now time.Time) {
	s.listFree = now.Add(min(listPauses*took, s.longest))
}

// shared returns the request that serves the first of the due results: the nearest page down to which enough other due results stand, or else that
// result alone.
func (s *schedule) shared(first *watched, due []*watched, now time.Time) query {
	single := query{page: singlePage, ids: []string{first.id}}
	page := s.page(first, now)
	if page == singlePage {
		return single
	}
	onPage := map[int][]string{}
	for _, w := range due {
		if p := s.page(w, now); p != singlePage {
			p = max(p, page) // an answer begins with the newest result and goes down to the page
			onPage[p] = append(onPage[p], w.id)
		}
	}
	var ids []string
	for _, p := range slices.Sorted(maps.Keys(onPage)) {
		if ids = append(ids, onPage[p]...); len(ids) >= pageWorth {
			slices.Sort(ids)
			return query{page: p, ids: ids}
		}
	}
	return single
}

// page is the page of the list, from 0, on which a result should stand: the list begins with the newest upload. singlePage means that it must be
// fetched alone.
func (s *schedule) page(w *watched, now time.Time) int {
	if s.brief || now.Before(s.restList) || w.alone || w.lost >= lostOnPage {
		return singlePage
	}
	shift := s.shift
	if w.seen {
		shift = w.shift
	}
	place := max(0, s.rank(w)+shift)
	if place >= listReach {
		return singlePage
	}
	return place / PageSize
}

// rank counts the uploads that are newer than a result's.
func (s *schedule) rank(w *watched) int {
	i, _ := slices.BinarySearchFunc(s.uploads, w.uploaded, upload.compare)
	return len(s.uploads) - 1 - i
}

// fetched takes the answer to a request for a single result.
func (s *schedule) fetched(q query, r *client.Result, err error, now time.Time) []Outcome {
	w := s.watched[q.ids[0]]
	if w == nil {
		return nil // it was dropped meanwhile
	}
	w.asked = false
	if err != nil {
		return s.failed(w, err, now)
	}
	w.alone = false
	w.detailed = w.detailed || len(r.Models) > 0
	if w.bare && w.detailed {
		s.brief = true
	}
	if failed := notFetched(r); failed != nil {
		s.drop(w.id)
		return []Outcome{{id: w.id, Result: r, Failed: failed}}
	}
	if r.Status().Terminal() && w.verdictAt.IsZero() {
		w.verdictAt = now
	}
	if r.Final() || w.waitedForModels(now) {
		s.drop(w.id)
		return []Outcome{{id: w.id, Result: r, Final: true}}
	}
	return s.later(w, Outcome{id: w.id, Result: r}, now)
}

// unanswered notes that a request was broken off, so that what it was for may be asked for again.
func (s *schedule) unanswered(q query) {
	s.listing = s.listing && q.page == singlePage
	for _, id := range q.ids {
		if w := s.watched[id]; w != nil {
			w.asked = false
		}
	}
}

// listed takes the answer to a request for the list: results, in the list's order, of which the first stands at position first.
func (s *schedule) listed(q query, first int, results []*client.Result, err error, now time.Time) []Outcome {
	s.listing = false
	var waiting []*watched
	for _, id := range q.ids {
		if w := s.watched[id]; w != nil {
			w.asked = false
			waiting = append(waiting, w)
		}
	}
	if err != nil {
		if !client.IsTemporary(err) {
			s.restList = now.Add(listRest)
			return nil // they are still due
		}
		var all []Outcome
		for _, w := range waiting {
			all = append(all, s.failed(w, err, now)...)
		}
		return all
	}
	var all []Outcome
	shown := map[*watched]bool{}
	for i, r := range results {
		w := s.watched[s.requests[r.RequestID]]
		if r.RequestID == "" || w == nil || w.asked || shown[w] {
			continue
		}
		shown[w] = true
		w.seen, w.lost, w.shift = true, 0, first+i-s.rank(w)
		s.shift = w.shift
		all = append(all, s.entry(w, r, !w.due.After(now), now)...)
	}
	found := 0
	for _, w := range waiting {
		if shown[w] {
			found++
		} else {
			w.lost++
			w.alone, w.due = true, now
		}
	}
	if found == 0 && len(waiting) > 0 { // the list leaves out unfinished results, or ours
		s.restList = now.Add(listRest)
	}
	return all
}

// entry takes what the list says of one result; due is whether it was time to ask for it. The list alone makes nothing final: its links may be old,
// and it may leave something out.
func (s *schedule) entry(w *watched, r *client.Result, due bool, now time.Time) []Outcome {
	if r.Status().Terminal() && w.verdictAt.IsZero() {
		w.verdictAt = now
	}
	switch {
	case r.Final() || notFetched(r) != nil || w.waitedForModels(now):
		w.bare = len(r.Models) == 0 && r.Status().Terminal()
		w.alone, w.due = true, now
		return nil
	case len(r.Models) == 0 && w.detailed:
		s.brief = true // what was due stays due
		return nil
	case due:
		return s.later(w, Outcome{id: w.id, Result: r}, now)
	}
	return []Outcome{{id: w.id, Result: r}}
}

// later plans the next request for a result that is not final, unless it has been waited for long enough.
func (s *schedule) later(w *watched, o Outcome, now time.Time) []Outcome {
	if now.Sub(w.began) > waitFor {
		s.drop(w.id)
		o.Failed = &client.Error{Op: "wait for the result", Kind: client.KindService,
			Message: i18n.M("The service has not finished within an hour."), Hint: i18n.M("“Try again” asks for the result again; nothing is sent twice.")}
		return []Outcome{o}
	}
	pause := s.pause(now.Sub(w.uploaded))
	if busy := (*client.Error)(nil); errors.As(o.Delay, &busy) {
		pause = max(pause, busy.Pause())
	}
	w.last, w.due = now, now.Add(pause)
	o.Again = w.due
	return []Outcome{o}
}

// failed takes a failed request: after a fault that may pass, the result is asked for again.
func (s *schedule) failed(w *watched, err error, now time.Time) []Outcome {
	switch notYet := unknown(err) && now.Sub(w.uploaded) < unknownFor; {
	case notYet:
		return s.later(w, Outcome{id: w.id}, now)
	case client.PassesByItself(err) && client.IsTemporary(err):
		w.began = w.began.Add(now.Sub(w.last))
		return s.later(w, Outcome{id: w.id, Delay: err}, now)
	case client.IsTemporary(err):
		return s.later(w, Outcome{id: w.id, Delay: err}, now)
	}
	s.drop(w.id)
	return []Outcome{{id: w.id, Failed: err}}
}

// waitedForModels reports whether a verdict has stood for so long that running models no longer hold it back.
func (w *watched) waitedForModels(now time.Time) bool {
	return !w.verdictAt.IsZero() && now.Sub(w.verdictAt) > modelsFor
}

// unknown reports whether the service knows no such result.
func unknown(err error) bool {
	var e *client.Error
	return errors.As(err, &e) && e.Status == http.StatusNotFound
}

// NotFetched is why the wait for a link's result ends without one: the service could not fetch what the link leads to.
type NotFetched struct{ cause *client.Error }

func (n *NotFetched) Error() string { return n.cause.Error() }
func (n *NotFetched) Unwrap() error { return n.cause }

// notFetched returns a *NotFetched error if a result says that the link could not be fetched and has no verdict; else nil.
func notFetched(r *client.Result) error {
	if r.SocialLink == "" || !bool(r.SocialLinkFailed) {
		return nil
	}
	if status := r.Status(); status.Terminal() && status != client.UnableToEvaluate {
		return nil // a verdict counts for more
	}
	return &NotFetched{&client.Error{Op: "wait for the result", Kind: client.KindRefused,
		Message: i18n.M("The service could not fetch what this link leads to."),
		Hint:    i18n.M("It may be private, deleted or blocked there. Save the file yourself and drop it here, or try again.")}}
}
