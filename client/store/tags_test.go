package store_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay/client"
	"assay/client/assert"
	"assay/client/store"
)

func TestTags(t *testing.T) {
	setup := func(t *testing.T) (s *store.Store, tags func(id string) string, change func(id string, add, remove []string) map[string]store.TagChange) {
		s = setup(t)
		for _, id := range []string{"a", "b"} {
			add(t, s, answered(t, id, client.Fake))
		}
		tags = func(id string) string { return strings.Join(get(t, s, id).Tags, "|") }
		change = func(id string, add, remove []string) map[string]store.TagChange {
			undo, full, err := s.ChangeTags(t.Context(), map[string]store.TagChange{id: {Add: add, Remove: remove}})
			assert.NoError(t, err)
			assert.Equal(t, 0, full)
			return undo
		}
		return s, tags, change
	}
	finds := func(t *testing.T, s *store.Store, text string) (ids string) {
		rows, _, err := s.Page(t.Context(), store.Query{Text: text}, store.Cursor{}, 10)
		assert.NoError(t, err)
		for _, r := range rows {
			ids += r.ID
		}
		return ids
	}
	t.Run("each is there once, whatever its capitals, and is found until it is removed", func(t *testing.T) {
		s, tags, change := setup(t)
		change("a", []string{"Water", "river  bank", "water", " "}, nil)
		change("a", []string{"WATER"}, nil)
		assert.Equal(t, "Water|river bank", tags("a"))
		assert.Equal(t, "a", finds(t, s, "WATER bank"))
		assert.Equal(t, "a", finds(t, s, "wa")) // shorter than what the index has
		change("a", nil, []string{"water"})
		assert.Equal(t, "river bank", tags("a"))
		assert.Equal(t, "", finds(t, s, "water"))
		assert.NoError(t, s.SetNote(t.Context(), "a", "seen"))
		assert.Equal(t, "a", finds(t, s, "river seen"))
	})
	t.Run("what is undone takes back no more than was done", func(t *testing.T) {
		s, tags, change := setup(t)
		change("a", []string{"one", "two"}, nil)
		undo := change("a", []string{"two", "three"}, []string{"one"})
		change("a", []string{"meanwhile"}, nil)
		_, _, err := s.ChangeTags(t.Context(), undo)
		assert.NoError(t, err)
		assert.Equal(t, "two|meanwhile|one", tags("a"))
	})
	t.Run("many change together, or none does", func(t *testing.T) {
		s, tags, _ := setup(t)
		_, _, err := s.ChangeTags(t.Context(), map[string]store.TagChange{"a": {Add: []string{"x"}}, "none": {Add: []string{"x"}}})
		assert.True(t, errors.Is(err, store.ErrUnknown), "%v", err)
		assert.Equal(t, "", tags("a"))
		undo, _, err := s.ChangeTags(t.Context(), map[string]store.TagChange{"a": {Add: []string{"x"}}, "b": {Add: []string{"x"}}})
		assert.NoError(t, err)
		assert.Equal(t, 2, len(undo))
		all, err := s.Tags(t.Context(), []string{"a", "b", "none"})
		assert.NoError(t, err)
		assert.Equal(t, "map[a:[x] b:[x]]", fmt.Sprint(all))
	})
	t.Run("hostile ones are short, in one line and few", func(t *testing.T) {
		s, tags, change := setup(t)
		change("a", []string{"two\nlines, one\x00tag\u202e", strings.Repeat("é", 5000)}, nil)
		assert.Equal(t, "two lines one\ufffdtag\ufffd|"+strings.Repeat("é", store.LongestTag), tags("a"))
		var many []string
		for i := range store.MostTags + 1 {
			many = append(many, fmt.Sprint("tag ", i))
		}
		undo, full, err := s.ChangeTags(t.Context(), map[string]store.TagChange{"b": {Add: many}})
		assert.NoError(t, err)
		assert.Equal(t, "1 0", fmt.Sprint(full, len(undo)))
		assert.Equal(t, "", tags("b"))
		change("b", many[1:], nil)
		assert.True(t, slices.Equal(get(t, s, "b").Tags, many[1:]), "%q", tags("b"))
	})
}
