package store

import (
	"context"
	"encoding/hex"
	"slices"

	"assay/client/submission"
)

// ContentAnswer is one of the service's final answers on a content.
type ContentAnswer struct {
	Change
	Submission string // the ID of the one that it was given for
	RequestID  string
	Source     submission.Source
	Current    bool // the submission has no later one
}

// mostContentAnswers bounds the answers on one content that are read; older ones are in the history of their submissions.
const mostContentAnswers = 200

// ContentAnswers returns the final answers on the content of a submission, whichever submissions they were given for ("Scan again" makes a new one), the
// oldest first. A content is known by a file's SHA-256, or by a link, whose content may have changed since; without either, only the submission's own
// answers are known. EarlierAnswer reads one of them.
func (s *Store) ContentAnswers(ctx context.Context, id string) ([]ContentAnswer, error) {
	var all []ContentAnswer
	err := s.readers.each(ctx, func(row scanner) error {
		var a ContentAnswer
		var hash []byte
		if err := row.Scan(timeInto{&a.At}, &a.Status, &a.Release, &hash, &a.Submission, &a.RequestID, &a.Source, &a.Current); err != nil {
			return err
		}
		a.RawSHA256 = hex.EncodeToString(hash)
		all = append(all, a)
		return nil
	}, `WITH same AS (SELECT key FROM submissions WHERE id = ?1 UNION
			SELECT s.key FROM submissions o CROSS JOIN submissions s ON s.content = o.content AND s.content <> '' AND s.earlier = '' WHERE o.id = ?1)
		SELECT a.at, a.status, a.release, a.sha256, s.id, s.request_id, s.source, a.seq = s.answer FROM same
		CROSS JOIN submissions s ON s.key = same.key CROSS JOIN answers a ON a.submission = s.key AND a.final = 1
		ORDER BY a.at DESC, a.seq DESC`+limit(mostContentAnswers), id)
	if err != nil {
		return nil, s.read("read the answers on the content", err)
	}
	slices.Reverse(all)
	return all, nil
}
