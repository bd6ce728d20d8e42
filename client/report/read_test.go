package report_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"assay/client/assert"
	"assay/client/goroutinetest"
	"assay/client/report"
	"assay/client/submission"
)

// TestEachIsAsReadOneByOne reads several pages of results, with unknown IDs, duplicates and submissions without an answer among them.
func TestEachIsAsReadOneByOne(t *testing.T) {
	f := setup(t)
	var ids []string
	for i := range 230 {
		id := fmt.Sprintf("r%03d", i)
		ids = append(ids, id)
		switch i % 50 {
		case 3:
			f.add(id, "", nil)
		case 7:
			f.add(id, "", func(s *submission.Submission) { s.Earlier, s.RequestID = "r000", "" })
		case 11: // nothing has this ID
		default:
			f.add(id, kinds["fake"], nil)
		}
	}
	slices.Reverse(ids)
	ids[5] = "request-r001" // the service's ID is one, too
	noneSince, at := goroutinetest.Mark(), 0
	for got, gotErr := range report.Each(t.Context(), f.Store, service, report.IDs(ids...), true) {
		want, wantErr := report.Read(t.Context(), f.Store, service, ids[at])
		assert.Equal(t, fmt.Sprint(gotErr), fmt.Sprint(wantErr))
		if wantErr == nil {
			assert.Equal(t, got.ID, want.ID)
			assert.Equal(t, string(got.Answer), string(want.Answer))
			assert.Equal(t, got.Answers, want.Answers)
			assert.Equal(t, got.ReceivedSHA256, want.ReceivedSHA256)
		}
		at++
	}
	assert.Equal(t, at, len(ids))
	for _, err := range report.Each(t.Context(), f.Store, service, report.IDs(ids...), false) {
		assert.NoError(t, err)
		break // whoever has seen enough
	}
	noneSince(t)
}

// TestEachEndsWithItsContext says so rather than ending as if that were all.
func TestEachEndsWithItsContext(t *testing.T) {
	f := setup(t)
	f.add("one", kinds["fake"], nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var last error
	for _, err := range report.Each(ctx, f.Store, service, report.IDs("one"), true) {
		last = err
	}
	assert.True(t, errors.Is(last, context.Canceled), "it ends with %v", last)
}
