package store

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/google/uuid"

	"assay/client/desk"
)

// mergeCase sets what of a case the last one to say so decides: the same wherever the same events are, in whatever order they came.
func (t *transaction) mergeCase(ctx context.Context, of int64) error {
	var title, conclusion, state string
	if err := t.lastAtDesk(ctx, of, desk.Title, func(_ uuid.UUID, body desk.Body) bool {
		title = shortened(body.Text)
		return true
	}); err != nil {
		return err
	}
	if err := t.lastAtDesk(ctx, of, desk.Conclusion, func(id uuid.UUID, body desk.Body) bool {
		if conclusion == "" && body.Text != "" {
			conclusion = id.String()
		}
		if state == "" && (body.State == string(CaseOpen) || body.State == string(CaseConcluded)) {
			state = body.State
		}
		return conclusion != "" && state != ""
	}); err != nil {
		return err
	}
	required := false
	if err := t.lastAtDesk(ctx, of, desk.Rule, func(_ uuid.UUID, body desk.Body) bool {
		required = body.State == desk.Required
		return true
	}); err != nil {
		return err
	}
	keep := 0
	if err := t.lastAtDesk(ctx, of, desk.Retention, func(_ uuid.UUID, body desk.Body) bool {
		keep = min(max(body.Days, 0), LongestRetention)
		return true
	}); err != nil {
		return err
	}
	if err := t.mergeAssigned(ctx, of); err != nil {
		return err
	}
	tags, err := t.tagsAtDesk(ctx, of)
	if err != nil {
		return err
	}
	if conclusion != "" {
		if conclusion, err = t.recordAtDesk(ctx, of, uuid.MustParse(conclusion)); err != nil {
			return err
		}
	}
	_, err = t.exec(ctx, `UPDATE cases SET title = CASE ?2 WHEN '' THEN title ELSE ?2 END, tags = ?3, state = CASE ?4 WHEN '' THEN state ELSE ?4 END,
		conclusion = coalesce((SELECT seq FROM case_records WHERE id = ?5 AND of_case = ?1), conclusion), changed = max(changed, ?6), sign_off = ?7, keep = ?8 WHERE key = ?1`,
		of, title, list(namesOf(tags)), state, conclusion, timeValue(t.store.options.Now()), required, keep)
	return err
}

// notWithdrawn is a condition on e, a result of a shared case: nobody has taken it out of that.
const notWithdrawn = `NOT EXISTS (SELECT 1 FROM desk_events w WHERE w.about = e.id AND w.about <> '' AND w.kind = 'withdraw' AND w.desk_case = e.desk_case AND w.state IN ('waiting', 'shared'))`

// mergeItem puts a content into a shared case where one of its answers there was not taken out, and takes it out where all were: the same wherever the same
// events are. What never leaves this computer stays as it is.
func (t *transaction) mergeItem(ctx context.Context, of int64, content []byte) error {
	sum := hex.EncodeToString(content)
	if !t.has(ctx, `SELECT 1 FROM desk_events e WHERE e.desk_case = (SELECT desk_case FROM cases WHERE key = ?) AND e.kind = 'result' AND e.subject = ?
		AND e.state IN ('waiting', 'shared') AND `+notWithdrawn, of, content) {
		_, err := t.exec(ctx, "DELETE FROM case_items WHERE of_case = ? AND submission IN (SELECT key FROM submissions WHERE sha256 = ? AND (gate <> 'never' OR source = 'desk'))", of, sum)
		return err
	}
	if t.has(ctx, "SELECT 1 FROM case_items i JOIN submissions s ON s.key = i.submission WHERE i.of_case = ? AND s.sha256 = ?", of, sum) {
		return nil
	}
	_, err := t.exec(ctx, `INSERT INTO case_items (of_case, submission, added) SELECT ?, key, ? FROM submissions WHERE sha256 = ? AND earlier = '' AND state = 'done'
		AND (gate <> 'never' OR source = 'desk') ORDER BY source = 'desk', key DESC LIMIT 1`, of, timeValue(t.store.options.Now()), sum)
	return err
}

// lastAtDesk calls look with the events of a kind in a shared case, the last by what its author knew first, until it has seen enough.
func (t *transaction) lastAtDesk(ctx context.Context, of int64, kind desk.Kind, look func(id uuid.UUID, body desk.Body) (enough bool)) error {
	enough := errors.New("enough")
	err := t.each(ctx, func(row scanner) error {
		var id uuid.UUID
		var raw []byte
		if err := row.Scan(&id, &raw); err != nil {
			return err
		}
		var body desk.Body
		if json.Unmarshal(raw, &body) == nil && look(id, body) {
			return enough
		}
		return nil
	}, `SELECT id, body FROM desk_events WHERE desk_case = (SELECT desk_case FROM cases WHERE key = ?) AND kind = ? AND body IS NOT NULL AND state <> 'altered' AND (state <> 'refused' OR kind <> 'retention')
		ORDER BY lamport DESC, author DESC, id DESC`, of, string(kind))
	if errors.Is(err, enough) {
		return nil
	}
	return err
}

// longestTitle is how many bytes of a colleague's title a case has; the record of its change has all.
const longestTitle = 1000

func shortened(title string) string {
	if len(title) <= longestTitle {
		return title
	}
	return strings.ToValidUTF8(title[:longestTitle], "") + "…"
}

// addedTag is a tag of a shared case, with the event that added it.
type addedTag struct {
	tag   string
	event uuid.UUID
}

// mostCaseTags is how many tags a shared case shows, and how many one event adds; nobody needs more, but somebody hostile.
const mostCaseTags = 200

// tagsAtDesk are the tags that were added in a shared case and that no event names as removed.
func (t *transaction) tagsAtDesk(ctx context.Context, of int64) (all []addedTag, err error) {
	removed := map[addedTag]bool{}
	err = t.each(ctx, func(row scanner) error {
		var id uuid.UUID
		var raw []byte
		if err := row.Scan(&id, &raw); err != nil {
			return err
		}
		var body desk.Body
		if json.Unmarshal(raw, &body) != nil {
			return nil
		}
		for _, tag := range body.Add[:min(len(body.Add), mostCaseTags)] {
			if tag = strings.Join(strings.Fields(strings.ReplaceAll(tag, ",", " ")), " "); tag != "" && len(tag) <= longestTitle {
				all = append(all, addedTag{tag, id})
			}
		}
		for _, r := range body.Remove {
			removed[addedTag{folded(r.Tag), r.Event}] = true
		}
		return nil
	}, `SELECT id, body FROM desk_events WHERE desk_case = (SELECT desk_case FROM cases WHERE key = ?) AND kind = 'tag' AND body IS NOT NULL AND state <> 'altered'
		ORDER BY lamport, author, id`, of)
	return slices.DeleteFunc(all, func(a addedTag) bool { return removed[addedTag{folded(a.tag), a.event}] }), err
}

// folded is a tag without its capitals.
func folded(tag string) string { return strings.ToLower(strings.ToUpper(tag)) }

func namesOf(all []addedTag) []string {
	names, there := []string{}, map[string]bool{}
	for _, a := range all {
		if key := folded(a.tag); !there[key] && len(names) < mostCaseTags {
			there[key], names = true, append(names, a.tag)
		}
	}
	return names
}
