package report

import (
	"context"
	"errors"
	"iter"

	"assay/client/i18n"
	"assay/client/store"
)

// Selected reads the results that a report is made of, one at a time.
type Selected struct {
	Records *store.Store
	Service Service
	IDs     iter.Seq2[string, error] // as Read takes them
	// Case is the title of the case whose results they are; "" for none. Those of a case that have no answer are left out.
	Case string
	// Table is true where they are only for a table (IsTable), so that less is read.
	Table bool
	// Unique means that no two IDs are of one result, so that those read need not be remembered: there may be very many.
	Unique bool

	Read    int // how many were read so far
	LeftOut int // how many had no answer so far
}

// Results yields each result once. An unknown ID is an error, and so is a case of which nothing has an answer.
func (s *Selected) Results(ctx context.Context) iter.Seq2[*Result, error] {
	return func(yield func(*Result, error) bool) {
		s.Read, s.LeftOut = 0, 0
		seen := map[string]bool{}
		for r, err := range Each(ctx, s.Records, s.Service, s.IDs, !s.Table) {
			switch {
			case s.Case != "" && errors.Is(err, ErrNoAnswer):
				s.LeftOut++
				continue
			case err != nil:
			case seen[r.ID]:
				continue
			default:
				if !s.Unique {
					seen[r.ID] = true
				}
				s.Read++
			}
			if !yield(r, err) || err != nil {
				return
			}
		}
		if s.Read == 0 && s.Case != "" {
			yield(nil, &Error{Text: i18n.F("Nothing in the case “%s” has an answer yet: there is nothing to export.", oneLine(s.Case))})
		}
	}
}

// IDs yields some IDs.
func IDs(ids ...string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, id := range ids {
			if !yield(id, nil) {
				return
			}
		}
	}
}
