package store

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"

	"assay/client"
	"assay/client/desk"
	"assay/client/submission"
)

// ShareFiles sets whether heatmaps and small pictures of a shared case's results are shared as well, and how they are kept: of results whose gate lets them,
// and of which more than the verdict is shared. Those of the others are by the person's word for each: ShareFilesOf.
func (s *Store) ShareFiles(ctx context.Context, caseID string, keep desk.Keeping) error {
	return s.write(ctx, "share the case's pictures", func(ctx context.Context, t *transaction) error {
		of, err := t.changeCase(ctx, caseID)
		if err != nil {
			return err
		}
		t.desk = true
		_, err = t.exec(ctx, "UPDATE cases SET files = ? WHERE key = ? AND desk_case <> ''", string(keep), of)
		return err
	})
}

// ShareFilesOf shares heatmaps and small pictures of items that AddToDesk has shared. What never leaves is ErrNeverShared, and then none is.
func (s *Store) ShareFilesOf(ctx context.Context, caseID string, ids []string) error {
	return s.write(ctx, "share the results' pictures", func(ctx context.Context, t *transaction) error {
		of, err := t.changeCase(ctx, caseID)
		if err != nil {
			return err
		}
		t.desk = true
		for _, id := range ids {
			var gate submission.Gate
			found, err := t.one(ctx, []any{&gate}, "SELECT gate FROM submissions WHERE id = ?", id)
			switch {
			case err != nil:
				return err
			case !found:
				return ErrUnknown
			case gate != submission.GateSend && gate != submission.GateAsk:
				return ErrNeverShared
			}
			if _, err := t.exec(ctx, `UPDATE case_items SET files = files | 1 WHERE of_case = ?1 AND share <> ''
				AND submission IN (SELECT key FROM submissions WHERE id = ?2 OR earlier = ?2)`, of, id); err != nil {
				return err
			}
		}
		return nil
	})
}

// FileToShare is an artifact of a shared result that is to be shared, too.
type FileToShare struct {
	Artifact
	Keep desk.Keeping
	// Of a file itself, which is shared as it is: the submission that shows it, and where its own is on this computer, "" where it isn't. SHA256 and Size are of that.
	ID, Path string

	ofCase int64
	result uuid.UUID // the event
}

// FilesToShare returns n artifacts in the vault that are to be shared and are not: heatmaps and small pictures of results that were shared from here. Behind
// them are the files themselves that the person has shared.
func (s *Store) FilesToShare(ctx context.Context, n int) (all []FileToShare, err error) {
	err = s.readers.each(ctx, func(row scanner) error {
		var f FileToShare
		if err := row.Scan(&f.result, &f.ofCase, &f.Keep, &f.RequestID, &f.Kind, &f.Model, &f.SHA256, &f.Size); err != nil {
			return err
		}
		if f.Keep == desk.KeepNone { // the case has no choice for those that are shared one by one
			f.Keep = desk.KeepEncrypted
		}
		all = append(all, f)
		return nil
	}, `SELECT e.id, c.key, c.files, a.request_id, a.kind, a.model, a.sha256, a.size
		FROM cases c JOIN case_items i ON i.of_case = c.key JOIN submissions s ON s.key = i.submission
			JOIN submissions r ON r.id = CASE s.earlier WHEN '' THEN s.id ELSE s.earlier END
			JOIN desk_events e ON e.subject = unhex(r.sha256) AND e.desk_case = c.desk_case AND e.kind = 'result' AND e.device = (SELECT device FROM desk)
				AND e.state IN ('waiting', 'shared') AND e.body IS NOT NULL AND json_extract(CAST(e.body AS TEXT), '$.item.requestId') = r.request_id
			JOIN artifacts a ON a.request_id = r.request_id AND a.kind IN ('thumbnail', 'heatmap')
		WHERE c.desk_case <> '' AND r.request_id <> '' AND r.sha256 <> '' AND r.source <> 'desk'
			AND (i.share = '' AND c.files <> '' AND c.share <> 'status' AND r.gate = 'send' OR i.share NOT IN ('', 'status') AND i.files & 1 AND r.gate IN ('send', 'ask'))
			AND NOT EXISTS (SELECT 1 FROM desk_events w WHERE w.about = e.id AND w.kind = 'withdraw' AND w.desk_case = e.desk_case AND w.state <> 'altered')
			AND NOT EXISTS (SELECT 1 FROM desk_events f WHERE f.about = e.id AND f.kind = 'share_artifact' AND f.device = e.device
				AND (f.body IS NULL OR json_extract(CAST(f.body AS TEXT), '$.file.kind') = a.kind AND coalesce(json_extract(CAST(f.body AS TEXT), '$.file.model'), '') = a.model))
		GROUP BY e.id, a.kind, a.model ORDER BY a.kind = 'heatmap', e.seq`+limit(n))
	if err == nil && len(all) < n {
		var themselves []FileToShare
		themselves, err = s.originals(ctx, "AND i.files & 2")
		all = append(all, themselves...)
	}
	return all, s.read("look for what is to be shared", err)
}

// FileShared keeps that a file is where the members can reach it, and tells them.
func (s *Store) FileShared(ctx context.Context, f FileToShare, there desk.File) error {
	return s.write(ctx, "share a picture", func(ctx context.Context, t *transaction) error {
		there.Kind, there.Model = f.Kind, f.Model
		e := eventOf{id: uuid.New(), kind: desk.ShareFile, about: f.result, body: desk.Body{At: t.store.options.Now(), File: &there}}
		if err := t.emit(ctx, f.ofCase, e); err != nil {
			return err
		}
		_, err := t.exec(ctx, "UPDATE desk_events SET fetched = 1 WHERE id = ?", e.id.String())
		return err
	})
}

// FileToFetch is a file that a colleague has shared and that is not here.
type FileToFetch struct {
	desk.File
	Event     uuid.UUID // that shared it
	RequestID string    // of the result
	ID        string    // of the submission here that has the result
}

// largestShared is how many bytes a file of a kind may have that is fetched by itself.
var largestShared = map[string]int64{"thumbnail": client.MaxThumbnail, "heatmap": client.MaxHeatmap}

// mostShared is how many files of a result are fetched: as many as the service may have of it, in SQL.
const mostShared = "101"

// filesToCome are files that colleagues have shared and that are not here. It is completed with conditions. A colleague's answer alone gets them: nothing that
// is kept of an answer of this computer's own is by another's word.
const filesToCome = `SELECT e.id, e.body, r.id, r.request_id FROM desk_events e
	JOIN desk_events of ON of.id = e.about AND of.desk_case = e.desk_case AND of.kind = 'result' AND of.body IS NOT NULL AND of.state = 'shared'
	JOIN submissions r ON r.request_id = json_extract(CAST(of.body AS TEXT), '$.item.requestId') AND r.request_id <> '' AND r.earlier = '' AND r.answered_by <> ''
	WHERE e.kind = 'share_artifact' AND e.fetched = 0 AND e.body IS NOT NULL AND e.state = 'shared' AND e.device <> (SELECT device FROM desk)
		AND NOT EXISTS (SELECT 1 FROM submissions o WHERE o.request_id = r.request_id AND o.earlier = '' AND o.answered_by = '')
		AND NOT EXISTS (SELECT 1 FROM desk_events w WHERE w.about = of.id AND w.kind = 'withdraw' AND w.desk_case = e.desk_case AND w.state <> 'altered')
		AND (SELECT count(*) FROM desk_events f WHERE f.about = e.about AND f.kind = 'share_artifact' AND f.seq < e.seq) < ` + mostShared + " "

// FilesToFetch returns the files that are to be fetched by themselves: heatmaps and small pictures of answers that colleagues have shared.
func (s *Store) FilesToFetch(ctx context.Context) (all []FileToFetch, err error) {
	there := map[uuid.UUID]bool{}
	err = s.readers.each(ctx, func(row scanner) error {
		var f FileToFetch
		var raw []byte
		if err := row.Scan(&f.Event, &raw, &f.ID, &f.RequestID); err != nil {
			return err
		}
		var body desk.Body
		if there[f.Event] || json.Unmarshal(raw, &body) != nil || body.File == nil || body.File.Size < 0 || body.File.Size > largestShared[body.File.Kind] {
			return nil // a later Assay's, or somebody hostile
		}
		f.File, there[f.Event] = *body.File, true
		all = append(all, f)
		return nil
	}, filesToCome+"ORDER BY e.seq")
	return all, s.read("look for what colleagues shared", err)
}

// FileToCome reports whether a colleague has shared a file of a result that is not here.
func (s *Store) FileToCome(ctx context.Context, requestID, kind string) (bool, error) {
	n, err := s.readers.number(ctx, "SELECT count(*) FROM ("+filesToCome+"AND r.request_id = ? AND json_extract(CAST(e.body AS TEXT), '$.file.kind') = ?)", requestID, kind)
	return n > 0, s.read("look for what colleagues shared", err)
}

// FileFetched keeps that a file that a colleague has shared is not to be fetched again: it is here, or is not what they shared.
func (s *Store) FileFetched(ctx context.Context, event uuid.UUID) error {
	return s.write(ctx, "keep a colleague's picture", func(ctx context.Context, t *transaction) error {
		_, err := t.exec(ctx, "UPDATE desk_events SET fetched = 1 WHERE id = ?", event.String())
		return err
	})
}
