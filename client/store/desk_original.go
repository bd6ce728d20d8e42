package store

import (
	"context"
	"encoding/json"
	"strconv"

	"assay/client"
	"assay/client/desk"
)

// original is the kind of a file itself, of which there is one to a result.
const original = "original"

// originals are files themselves that may be shared and are not: of results that were shared from here with the service's answer. It is completed with
// conditions. What never leaves is not among them, whichever submission of the content says so.
func (s *Store) originals(ctx context.Context, which string, values ...any) (all []FileToShare, err error) {
	err = s.readers.each(ctx, func(row scanner) error {
		f := FileToShare{Artifact: Artifact{Kind: original}}
		var seq int64
		if err := row.Scan(&seq, &f.result, &f.ofCase, &f.Keep, &f.RequestID, &f.SHA256, &f.Size, &f.ID, &f.Path); err != nil {
			return err
		}
		if f.Keep == desk.KeepNone {
			f.Keep = desk.KeepEncrypted
		}
		all = append(all, f)
		return nil
	}, `SELECT max(e.seq), e.id, c.key, c.files, r.request_id, r.sha256, r.size, r.id, CASE s.path WHEN '' THEN r.path ELSE s.path END
		FROM cases c JOIN case_items i ON i.of_case = c.key JOIN submissions s ON s.key = i.submission
			JOIN submissions r ON r.id = `+shownItem+`
			JOIN desk_events e ON e.subject = unhex(r.sha256) AND e.desk_case = c.desk_case AND e.kind = 'result' AND e.device = (SELECT device FROM desk)
				AND e.state IN ('waiting', 'shared') AND e.body IS NOT NULL AND json_extract(CAST(e.body AS TEXT), '$.item.requestId') = r.request_id
				AND json_extract(CAST(e.body AS TEXT), '$.item.result') IS NOT NULL
		WHERE c.desk_case <> '' AND r.request_id <> '' AND r.sha256 <> '' AND r.source <> 'desk' AND r.size <= `+largestOriginal+`
			AND s.gate IN ('send', 'ask') AND r.gate IN ('send', 'ask')
			AND NOT EXISTS (SELECT 1 FROM desk_events w WHERE w.about = e.id AND w.kind = 'withdraw' AND w.desk_case = e.desk_case AND w.state <> 'altered')
			AND NOT EXISTS (SELECT 1 FROM desk_events f WHERE f.about = e.id AND f.kind = 'share_artifact' AND f.device = e.device
				AND (f.body IS NULL OR json_extract(CAST(f.body AS TEXT), '$.file.kind') = 'original')) `+which+`
		GROUP BY c.key, r.id ORDER BY min(i.seq)`, values...)
	return all, err
}

// largestOriginal is how many bytes a file may have that is shared, in SQL.
var largestOriginal = strconv.Itoa(client.MaxOriginal)

// OriginalsToShare returns the files themselves that a person may share with a case and has not: by their own word for each, ShareOriginal.
func (s *Store) OriginalsToShare(ctx context.Context, caseID string) (all []FileToShare, err error) {
	all, err = s.originals(ctx, "AND c.id = ? AND NOT i.files & 2", caseID)
	return all, s.read("look for files that can be shared", err)
}

// ShareOriginal shares the file itself of an item that is shared with its answer: it is sent where the members can reach it, as soon as that can be. What never
// leaves is ErrNeverShared; ErrNoOriginal is for what else can't be shared.
func (s *Store) ShareOriginal(ctx context.Context, caseID, id string) error {
	return s.write(ctx, "share the file", func(ctx context.Context, t *transaction) error {
		of, err := t.changeCase(ctx, caseID)
		if err != nil {
			return err
		}
		if err := mayShareOriginal(ctx, t.connection, caseID, id); err != nil {
			return err
		}
		t.desk = true
		_, err = t.exec(ctx, "UPDATE case_items SET files = files | 2 WHERE of_case = ?1 AND submission IN (SELECT key FROM submissions WHERE id = ?2 OR earlier = ?2)", of, id)
		return err
	})
}

// MayShareOriginal is the error that ShareOriginal would have.
func (s *Store) MayShareOriginal(ctx context.Context, caseID, id string) error {
	return s.read("share the file", mayShareOriginal(ctx, s.readers, caseID, id))
}

func mayShareOriginal(ctx context.Context, c *connection, caseID, id string) error {
	var all, never int
	if _, err := c.one(ctx, []any{&all, &never}, `SELECT count(*), count(*) FILTER (WHERE gate NOT IN ('send', 'ask')) FROM submissions
		WHERE key IN (SELECT i.submission FROM case_items i JOIN cases c ON c.key = i.of_case WHERE c.id = ?1) AND (id = ?2 OR earlier = ?2) OR id = ?2`, caseID, id); err != nil {
		return err
	}
	switch {
	case all == 0:
		return ErrUnknown
	case never > 0:
		return ErrNeverShared
	}
	n, err := c.number(ctx, `SELECT count(*) FROM cases c JOIN case_items i ON i.of_case = c.key JOIN submissions s ON s.key = i.submission
		JOIN submissions r ON r.id = `+shownItem+` JOIN desk_events e ON e.subject = unhex(r.sha256) AND e.desk_case = c.desk_case AND e.kind = 'result'
			AND e.device = (SELECT device FROM desk) AND e.body IS NOT NULL AND json_extract(CAST(e.body AS TEXT), '$.item.requestId') = r.request_id
			AND json_extract(CAST(e.body AS TEXT), '$.item.result') IS NOT NULL
		WHERE c.id = ? AND c.desk_case <> '' AND r.id = ? AND r.source <> 'desk' AND r.size <= `+largestOriginal, caseID, id)
	if err == nil && n == 0 {
		return ErrNoOriginal
	}
	return err
}

// OriginalToCome returns the file itself that a colleague has shared of a result. ok is false where none has, or where it is here: it is fetched only by a
// person's word.
func (s *Store) OriginalToCome(ctx context.Context, requestID string) (f FileToFetch, by string, ok bool, err error) {
	err = s.readers.each(ctx, func(row scanner) error {
		var one FileToFetch
		var raw []byte
		var author string
		if err := row.Scan(&one.Event, &raw, &one.ID, &one.RequestID, &author); err != nil {
			return err
		}
		var body desk.Body
		if ok || json.Unmarshal(raw, &body) != nil || body.File == nil || body.File.Size < 0 || body.File.Size > client.MaxOriginal {
			return nil
		}
		one.File = *body.File
		f, by, ok = one, author, true
		return nil
	}, "SELECT f.*, coalesce(m.display, e.author) FROM ("+filesToCome+`AND r.request_id = ?) f JOIN desk_events e ON e.id = f.id LEFT JOIN desk_members m ON m.name = e.author
		WHERE json_extract(CAST(e.body AS TEXT), '$.file.kind') = 'original' AND NOT EXISTS (SELECT 1 FROM artifacts a WHERE a.request_id = ? AND a.kind = 'original')
		ORDER BY e.seq DESC`, requestID, requestID)
	return f, by, ok, s.read("look for what colleagues shared", err)
}
