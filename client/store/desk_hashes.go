package store

import (
	"context"
	"encoding/hex"

	"assay/client/desk"
	"assay/client/submission"
)

// hashesToShare are the PDQ hashes of a submission that are shared with its answer, as far as some were made: they would tell who has a picture whether it
// is this one, so they go where the answer goes.
func (t *transaction) hashesToShare(ctx context.Context, sub *submission.Submission, share desk.Share) (all []desk.PDQ, err error) {
	if share == desk.ShareStatus {
		return nil, nil
	}
	err = t.each(ctx, func(row scanner) error {
		var h desk.PDQ
		var kind FingerprintKind
		err := row.Scan(&kind, &h.Quality, &h.Hashes)
		h.Frame = kind == FrameFingerprint
		all = append(all, h)
		return err
	}, "SELECT kind, quality, bits FROM fingerprints WHERE content = ? AND kind IN ('picture', 'frame') AND length(bits) <= ? ORDER BY kind, place"+limit(desk.MostPDQ), sub.SHA256, desk.LongestPDQ)
	return all, err
}

// keepHashes keeps the PDQ hashes that a colleague shared with an answer. Nothing is believed of them but that they are hashes: see DeskHashes.
func (t *transaction) keepHashes(ctx context.Context, e *Received, item *desk.Item) error {
	if item == nil || len(e.Subject) == 0 || len(item.PDQ) > desk.MostPDQ {
		return nil
	}
	for _, h := range item.PDQ {
		if len(h.Hashes) == 0 || len(h.Hashes) > desk.LongestPDQ {
			continue
		}
		kind := PictureFingerprint
		if h.Frame {
			kind = FrameFingerprint
		}
		if _, err := t.exec(ctx, "INSERT INTO desk_hashes (event, content, kind, quality, bits) VALUES (?, ?, ?, ?, ?)",
			e.ID.String(), hex.EncodeToString(e.Subject), string(kind), h.Quality, h.Hashes); err != nil {
			return err
		}
	}
	return nil
}

// DeskHash is a fingerprint that a colleague shared.
type DeskHash struct {
	Seq     int64 // they are numbered as they come
	Content string
	Fingerprint
}

// DeskHashes returns the fingerprints that colleagues have shared after one of them, the newest first: at most most.
func (s *Store) DeskHashes(ctx context.Context, after int64, most int) (all []DeskHash, err error) {
	err = s.readers.each(ctx, func(row scanner) error {
		var h DeskHash
		err := row.Scan(&h.Seq, &h.Content, &h.Kind, &h.Quality, &h.Bits)
		all = append(all, h)
		return err
	}, "SELECT seq, content, kind, quality, bits FROM desk_hashes WHERE seq > ? ORDER BY seq DESC"+limit(most), after)
	return all, s.read("read the fingerprints that colleagues shared", err)
}
