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

// PageSize is how many results a page of the list has.
const PageSize = 100

// Rules of a schedule.
const (
	pageWorth   = 6                // due results that share a page, from which on the page is fetched
	jitterShare = 0.2              // how far jitter moves a look, either way, as a share of the pause
	lostOnPage  = 3                // looks at a page that did not show a result, after which it is looked at alone
	listReach   = 10 * PageSize    // results, from the newest on, beyond which an answer would be too large
	listRest    = 10 * time.Minute // for so long the list is left alone after it was of no use
	unknownFor  = 5 * time.Minute  // for so long after an upload "no such result" means "not yet"
	modelsFor   = 5 * time.Minute  // a verdict is final that long after it came, even where a model still runs
	waitFor     = time.Hour        // then the service is given up, until it is asked again
	neverDue    = retry.Forever    // in place of a time to wait
	singlePage  = -1               // in place of a page
)

// schedule decides which results to look at, when, and by which request. It is pure: it takes the time, and what was
// answered, and makes no request itself. Nor does it take a request's place in the pacer: it only asks when there is
// one, and who makes the request takes it. It is for one goroutine at a time.
type schedule struct {
	shortest, longest time.Duration // between two looks at a result
	jitter            func() float64
	pacer             *client.Pacer

	watched  map[string]*watched // by submission
	requests map[string]string   // request ID to submission
	known    map[string]bool     // request IDs that were ever watched
	uploads  []time.Time         // theirs, ascending: they tell where in the list a result stands
	shift    int                 // how many foreign results stand before ours in the list, as last seen
	restList time.Time           // until then the list is of no use
	brief    bool                // the list keeps back what the models say: it is of no use at all
}

// watched is a result that is not final yet.
type watched struct {
	id, requestID string
	uploaded      time.Time
	began         time.Time // when watching began, later by the time for which the service could not be asked
	last          time.Time // when it was looked at last
	due           time.Time
	verdictAt     time.Time // when a verdict was first seen; zero: none yet
	asked         bool      // a request that tells of it is under way
	alone         bool      // the next look is a single one
	detailed      bool      // a single look has shown models
	bare          bool      // the list showed a verdict without models
	lost          int       // pages on which it was looked for in vain, one after another
	shift         int       // as schedule.shift, where this one was seen itself
	seen          bool      // in the list
}

// look is one request to make: a page of the list, or a single result.
type look struct {
	page int      // of the list, which is asked for from its newest result down to this page; singlePage for a single result
	ids  []string // the submissions for which the page is fetched; of a single result, its own
}

func newSchedule(shortest, longest time.Duration, jitter func() float64, pacer *client.Pacer) *schedule {
	return &schedule{
		shortest: shortest, longest: longest, jitter: jitter, pacer: pacer,
		watched: map[string]*watched{}, requests: map[string]string{}, known: map[string]bool{},
	}
}

// add watches a result from now on.
func (s *schedule) add(id, requestID string, uploaded, now time.Time) {
	w := &watched{id: id, requestID: requestID, uploaded: uploaded, began: now, last: now, due: now, shift: s.shift}
	if now.Sub(uploaded) < s.shortest {
		w.due = now.Add(s.pause(0))
	}
	s.watched[id] = w
	s.requests[requestID] = id
	if !s.known[requestID] {
		s.known[requestID] = true
		i, _ := slices.BinarySearchFunc(s.uploads, uploaded, time.Time.Compare)
		s.uploads = slices.Insert(s.uploads, i, uploaded)
	}
}

// drop forgets a result.
func (s *schedule) drop(id string) {
	if w := s.watched[id]; w != nil {
		delete(s.watched, id)
		delete(s.requests, w.requestID)
	}
}

// pause is how long to wait before the next look at a result of this age: a tenth of it.
func (s *schedule) pause(age time.Duration) time.Duration {
	pause := min(max(age/10, s.shortest), s.longest)
	return Spread(pause, s.jitter())
}

// next gives the request to make now. Where there is none, wait is the time until there may be one, neverDue while there
// is nothing to wait for but answers and new results.
func (s *schedule) next(now time.Time) (l look, wait time.Duration, ok bool) {
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
		return look{}, earliest, false
	}
	if wait := s.pacer.FreeIn(now); wait > 0 {
		return look{}, wait, false
	}
	first := slices.MinFunc(due, func(a, b *watched) int {
		return cmp.Or(a.due.Compare(b.due), cmp.Compare(a.id, b.id))
	})
	l = s.shared(first, due, now)
	for _, id := range l.ids {
		s.watched[id].asked = true
	}
	return l, 0, true
}

// shared is the look that tells of the first of what is due: the nearest page down to which there are enough others that
// are due, too, or else a single one.
func (s *schedule) shared(first *watched, due []*watched, now time.Time) look {
	single := look{page: singlePage, ids: []string{first.id}}
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
			return look{page: p, ids: ids}
		}
	}
	return single
}

// page is the page of the list, from 0, on which a result should stand: the list begins with the newest upload.
// singlePage means that it must be looked at alone.
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

// rank counts the uploads that came after a result's.
func (s *schedule) rank(w *watched) int {
	i, _ := slices.BinarySearchFunc(s.uploads, w.uploaded, time.Time.Compare)
	return len(s.uploads) - 1 - i
}

// fetched takes the answer to a single look.
func (s *schedule) fetched(l look, r *client.Result, err error, now time.Time) []Outcome {
	w := s.watched[l.ids[0]]
	if w == nil {
		return nil // it was cancelled meanwhile
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

// unanswered takes that a look was broken off: what it was for is due still, if it is watched again.
func (s *schedule) unanswered(l look) {
	for _, id := range l.ids {
		if w := s.watched[id]; w != nil {
			w.asked = false
		}
	}
}

// listed takes the answer to a look at a page: the results in the order in which they stand in the list, of which the
// first stands at the place named.
func (s *schedule) listed(l look, first int, results []*client.Result, err error, now time.Time) []Outcome {
	var waiting []*watched
	for _, id := range l.ids {
		if w := s.watched[id]; w != nil {
			w.asked = false
			waiting = append(waiting, w)
		}
	}
	if err != nil {
		if !client.IsTemporary(err) {
			s.restList = now.Add(listRest)
			return nil // they are due still
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
	if found == 0 && len(waiting) > 0 { // it shows no unfinished results, or not ours
		s.restList = now.Add(listRest)
	}
	return all
}

// entry takes what a page says of one result; due says that it is time for that. Nothing is final by the list
// alone: its links may be old, and it may say less.
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
		s.brief = true // what was due stays so
		return nil
	case due:
		return s.later(w, Outcome{id: w.id, Result: r}, now)
	}
	return []Outcome{{id: w.id, Result: r}}
}

// later plans the next look at a result that is not final, unless it has been waited for long enough.
func (s *schedule) later(w *watched, o Outcome, now time.Time) []Outcome {
	if now.Sub(w.began) > waitFor {
		s.drop(w.id)
		o.Failed = &client.Error{Op: "wait for the result", Kind: client.KindService,
			Message: i18n.M("The service has not finished within an hour."), Hint: i18n.M("Retry asks for the result again; nothing is sent twice.")}
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

// failed takes a request that failed: what may pass is asked again.
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

// waitedForModels reports whether a verdict has stood for so long that models still at work no longer hold it back.
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

// notFetched says that a link could not be fetched, and nothing came of it; nil where that is not so.
func notFetched(r *client.Result) error {
	if r.SocialLink == "" || !bool(r.SocialLinkFailed) {
		return nil
	}
	if status := r.Status(); status.Terminal() && status != client.UnableToEvaluate {
		return nil // a verdict counts for more
	}
	return &NotFetched{&client.Error{Op: "wait for the result", Kind: client.KindRefused,
		Message: i18n.M("The service could not fetch what this link leads to."),
		Hint:    i18n.M("It may be private, deleted or blocked there. Save the file yourself and drop it here, or retry.")}}
}
