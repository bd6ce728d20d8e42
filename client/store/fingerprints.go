package store

import (
	"context"

	"assay/client"
)

// FingerprintKind is what a fingerprint is of.
type FingerprintKind string

// The kinds.
const (
	PictureFingerprint FingerprintKind = "picture"
	FrameFingerprint   FingerprintKind = "frame" // of a clip
	SoundFingerprint   FingerprintKind = "sound"
	NoFingerprint      FingerprintKind = "" // none can be made of the content, such as of a damaged picture
)

// Fingerprint is what is kept of a content to find what is nearly the same.
type Fingerprint struct {
	Kind    FingerprintKind
	Place   int // which of a clip's frames, from 0
	Quality int // 0 to 100
	Bits    []byte
}

// SetFingerprints keeps all fingerprints of a content, by its SHA-256, in place of those of before. A content without any gets one of NoFingerprint.
func (s *Store) SetFingerprints(ctx context.Context, content string, all []Fingerprint) error {
	if len(all) == 0 {
		all = []Fingerprint{{Kind: NoFingerprint}}
	}
	return s.join(ctx, "keep a fingerprint", func(ctx context.Context, t *transaction) error {
		if _, err := t.exec(ctx, "DELETE FROM fingerprints WHERE content = ?", content); err != nil {
			return err
		}
		for _, f := range all {
			if _, err := t.exec(ctx, "INSERT INTO fingerprints (content, kind, place, quality, bits) VALUES (?, ?, ?, ?, ?)",
				content, string(f.Kind), f.Place, f.Quality, append([]byte{}, f.Bits...)); err != nil {
				return err
			}
		}
		return nil
	})
}

// Fingerprints calls each with the fingerprints of every content, those of one content in a row and in their order. It stops at the first error of each
// and returns it.
func (s *Store) Fingerprints(ctx context.Context, each func(content string, f Fingerprint) error) error {
	var failed error
	err := s.readers.each(ctx, func(row scanner) error {
		var content string
		var f Fingerprint
		if err := row.Scan(&content, &f.Kind, &f.Place, &f.Quality, &f.Bits); err != nil {
			return err
		}
		failed = each(content, f)
		return failed
	}, "SELECT content, kind, place, quality, bits FROM fingerprints ORDER BY content, kind, place")
	if failed != nil {
		return failed
	}
	return s.read("read the fingerprints", err)
}

// FingerprintsOf returns the fingerprints of a content, in their order: none where none was made yet.
func (s *Store) FingerprintsOf(ctx context.Context, content string) ([]Fingerprint, error) {
	var all []Fingerprint
	err := s.readers.each(ctx, func(row scanner) error {
		var f Fingerprint
		err := row.Scan(&f.Kind, &f.Place, &f.Quality, &f.Bits)
		all = append(all, f)
		return err
	}, "SELECT kind, place, quality, bits FROM fingerprints WHERE content = ? ORDER BY kind, place", content)
	return all, s.read("read the fingerprints", err)
}

// Unfingerprinted is a submission with a content of which no fingerprint was made yet.
type Unfingerprinted struct {
	Key     int64
	ID      string
	Content string // SHA-256, of the file or else of the original in the vault
}

// Unfingerprinted returns the newest pictures, clips and recordings between two keys, and links of any kind, that have a file, or an original in the vault, of
// which no fingerprint was made yet: at most most. Of what a colleague shared there is no file here.
func (s *Store) Unfingerprinted(ctx context.Context, above, below int64, most int) ([]Unfingerprinted, error) {
	var all []Unfingerprinted
	err := s.readers.each(ctx, func(row scanner) error {
		var u Unfingerprinted
		err := row.Scan(&u.Key, &u.ID, &u.Content)
		all = append(all, u)
		return err
	}, `SELECT s.key, s.id, CASE s.sha256 WHEN '' THEN a.sha256 ELSE s.sha256 END AS of FROM submissions s
		LEFT JOIN artifacts a ON s.sha256 = '' AND s.request_id <> '' AND a.request_id = s.request_id AND a.kind = 'original' AND a.model = ''
		WHERE s.key > ? AND s.key < ? AND s.earlier = '' AND s.source <> 'desk' AND (s.type IN (?, ?, ?) OR s.link <> '') AND of IS NOT NULL AND NOT EXISTS (SELECT 1 FROM fingerprints f WHERE f.content = of)
		ORDER BY s.key DESC`+limit(most), above, below, string(client.Image), string(client.Video), string(client.Audio))
	return all, s.read("look for what has no fingerprint", err)
}

// NewestKey is the key of the newest submission, 0 where there is none.
func (s *Store) NewestKey(ctx context.Context) (int64, error) {
	key, err := s.readers.number(ctx, "SELECT coalesce(max(key), 0) FROM submissions")
	return key, s.read("look for the newest submission", err)
}

// OfContent is a result, and the SHA-256 of its content.
type OfContent struct {
	Content string
	Row
}

// OfContents returns the newest result of each of these contents that has one, the newest first. A content is that of a person's file, or of the original
// in the vault.
func (s *Store) OfContents(ctx context.Context, contents []string) ([]OfContent, error) {
	var rows []Row
	var of []string
	reader := newRowReader(1)
	err := s.readers.each(ctx, func(row scanner) error {
		r, err := reader.read(row)
		if err != nil {
			return err
		}
		content, err := cell[string](reader, len(reader.cells)-1)
		rows, of = append(rows, r), append(of, content)
		return err
	}, "SELECT "+rowColumns+", j.value AS of FROM json_each(?1) j CROSS JOIN submissions s ON s.content = j.value AND s.content <> '' AND s.earlier = '' WHERE s.listed = 1 UNION "+
		"SELECT "+rowColumns+`, a.sha256 AS of FROM json_each(?1) j CROSS JOIN artifacts a ON a.sha256 = j.value AND a.kind = 'original'
		CROSS JOIN submissions s ON s.request_id = a.request_id AND s.request_id <> '' AND s.earlier = '' WHERE s.listed = 1 ORDER BY 1 DESC`, list(contents))
	if err == nil {
		err = reader.complete(ctx, s.readers, rows)
	}
	if err != nil {
		return nil, s.read("read the results of contents", err)
	}
	var all []OfContent
	seen := map[string]bool{}
	for i, row := range rows {
		if !seen[of[i]] {
			seen[of[i]] = true
			all = append(all, OfContent{Content: of[i], Row: row})
		}
	}
	return all, nil
}
