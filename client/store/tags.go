package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"assay/client/plain"
)

// The limits of a submission's tags. What is beyond LongestTag is cut off.
const (
	MostTags   = 20
	LongestTag = 50 // characters
)

// TagsOf are the tags in a text with commas between them: each once, whatever its capitals, and none of them empty.
func TagsOf(text string) []string {
	tags := []string{}
	for tag := range strings.SplitSeq(text, ",") {
		tag = strings.Join(strings.Fields(tag), " ")
		if tag != "" && !HasTag(tags, tag) {
			tags = append(tags, tag)
		}
	}
	return tags
}

// HasTag reports whether a tag is among some, whatever its capitals.
func HasTag(tags []string, tag string) bool {
	return slices.ContainsFunc(tags, func(other string) bool { return strings.EqualFold(other, tag) })
}

// TagChange is which tags a submission gets, and which it loses.
type TagChange struct{ Add, Remove []string }

// ChangeTags changes the tags of submissions, by their IDs: of all of them, or of none where one is not known, which is ErrUnknown. One that would get
// more than MostTags keeps those that it has. undo takes back what was changed, and no more; full is how many had no room.
func (s *Store) ChangeTags(ctx context.Context, changes map[string]TagChange) (undo map[string]TagChange, full int, err error) {
	err = s.write(ctx, "keep the tags", func(ctx context.Context, t *transaction) error {
		undo, full = map[string]TagChange{}, 0
		for id, change := range changes {
			var before []string
			found, err := t.one(ctx, []any{tagsInto{&before}}, "SELECT tags FROM submissions WHERE id = ?", id)
			if err == nil && !found {
				err = ErrUnknown
			}
			if err != nil {
				return err
			}
			after := slices.DeleteFunc(slices.Clone(before), func(tag string) bool { return HasTag(change.Remove, tag) })
			after = cleanTags(append(after, change.Add...))
			back := TagChange{Add: without(before, after), Remove: without(after, before)}
			switch {
			case len(after) > MostTags && len(after) > len(before):
				full++
				continue
			case len(back.Add)+len(back.Remove) == 0:
				continue
			}
			var key int64
			if _, err := t.touchByID(ctx, id, &key); err != nil {
				return err
			}
			if _, err := t.exec(ctx, "UPDATE submissions SET tags = ? WHERE key = ?", tagLines(after), key); err != nil {
				return err
			}
			undo[id], t.results = back, true
		}
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	return undo, full, nil
}

// Tags returns the tags of submissions, by their IDs; an unknown ID is left out.
func (s *Store) Tags(ctx context.Context, ids []string) (map[string][]string, error) {
	all := make(map[string][]string, len(ids))
	err := s.readers.each(ctx, func(row scanner) error {
		var id string
		var tags []string
		err := row.Scan(&id, tagsInto{&tags})
		all[id] = tags
		return err
	}, "SELECT s.id, s.tags FROM json_each(?) j CROSS JOIN submissions s ON s.id = j.value", list(ids))
	if err != nil {
		return nil, s.read("read the tags", err)
	}
	return all, nil
}

// without are the tags that are not among others.
func without(tags, others []string) []string {
	return slices.DeleteFunc(slices.Clone(tags), func(tag string) bool { return HasTag(others, tag) })
}

// cleanTags are tags as they are kept and shown: in one line, without hidden characters, each once.
func cleanTags(tags []string) []string {
	var all []string
	for _, tag := range tags {
		letters := []rune(plain.From(strings.Join(strings.Fields(strings.ReplaceAll(tag, ",", " ")), " ")).String())
		tag = strings.TrimSpace(string(letters[:min(len(letters), LongestTag)]))
		if tag != "" && !HasTag(all, tag) {
			all = append(all, tag)
		}
	}
	return all
}

// tagLines are tags as their column holds them.
func tagLines(tags []string) string { return strings.Join(cleanTags(tags), "\n") }

// tagsInto scans the column of tags.
type tagsInto struct{ tags *[]string }

// Scan reads a value of tagLines, which another program may have changed.
func (t tagsInto) Scan(kept any) error {
	text, ok := kept.(string)
	if !ok {
		return fmt.Errorf("a %T is no text", kept)
	}
	*t.tags = nil
	if text != "" {
		*t.tags = cleanTags(strings.Split(text, "\n"))
	}
	return nil
}
