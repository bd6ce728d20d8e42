package store_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/client"
)

func TestSameContent(t *testing.T) {
	s := setup(t)
	first, second := answered(t, "first", client.Authentic), answered(t, "second", client.Fake)
	second.Accepted = first.Accepted.Add(time.Hour)
	shows, other, unfinished := answered(t, "shows", client.Fake), answered(t, "other", client.Fake), waiting("unfinished")
	shows.Earlier = "first"
	first.SHA256, second.SHA256, shows.SHA256, unfinished.SHA256, other.SHA256 = "same", "same", "same", "same", "another"
	add(t, s, first, second, shows, unfinished, other)
	t.Run("lists those with an answer of their own, the newest first", func(t *testing.T) {
		all, err := s.SameContent(t.Context(), "same", 10)
		noError(t, err)
		var ids []string
		for _, sub := range all {
			ids = append(ids, sub.ID)
			if sub.Result == nil {
				t.Errorf("%s came without its answer", sub.ID)
			}
		}
		if diff := cmp.Diff([]string{"second", "first"}, ids); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("is bounded", func(t *testing.T) {
		if all, err := s.SameContent(t.Context(), "same", 1); err != nil || len(all) != 1 || all[0].ID != "second" {
			t.Errorf("%d, %v", len(all), err)
		}
	})
	t.Run("of no content there is none", func(t *testing.T) {
		if all, err := s.SameContent(t.Context(), "", 10); err != nil || len(all) != 0 {
			t.Errorf("%d, %v", len(all), err)
		}
	})
}
