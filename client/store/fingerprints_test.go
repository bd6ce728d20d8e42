package store_test

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"assay/client"
	"assay/client/assert"
	"assay/client/store"
	"assay/client/submission"
)

// fingerprints are all that are kept, each in a line.
func fingerprints(t *testing.T, s *store.Store) string {
	t.Helper()
	var lines []string
	assert.NoError(t, s.Fingerprints(t.Context(), func(content string, f store.Fingerprint) error {
		lines = append(lines, fmt.Sprintf("%s %s %d %d %x", content, f.Kind, f.Place, f.Quality, f.Bits))
		return nil
	}))
	return strings.Join(lines, "\n")
}

func unfingerprinted(t *testing.T, s *store.Store, below int64, most int) (ids []string) {
	t.Helper()
	all, err := s.Unfingerprinted(t.Context(), math.MinInt64, below, most)
	assert.NoError(t, err)
	for _, u := range all {
		ids = append(ids, u.ID+" "+u.Content)
	}
	return ids
}

// of gives a submission a content.
func of(content string, sub submission.Submission) submission.Submission {
	sub.SHA256 = content
	return sub
}

func TestFingerprints(t *testing.T) {
	t.Run("outlive a restart, and are replaced all together", func(t *testing.T) {
		folder := t.TempDir()
		s := open(t, folder, store.Options{})
		frames := []store.Fingerprint{{store.FrameFingerprint, 0, 100, []byte{1}}, {store.FrameFingerprint, 1, 70, []byte{2}}, {store.FrameFingerprint, 2, 70, []byte{3}}}
		assert.NoError(t, s.SetFingerprints(t.Context(), "clip", frames))
		assert.NoError(t, s.SetFingerprints(t.Context(), "clip", frames[:2]))
		assert.NoError(t, s.SetFingerprints(t.Context(), "broken", nil))
		assert.NoError(t, s.Close())
		s = open(t, folder, store.Options{})
		assert.Equal(t, "broken  0 0 \nclip frame 0 100 01\nclip frame 1 70 02", fingerprints(t, s))
		of, err := s.FingerprintsOf(t.Context(), "clip")
		assert.NoError(t, err)
		assert.Equal(t, frames[:2], of)
		none, err := s.FingerprintsOf(t.Context(), "unknown")
		assert.NoError(t, err)
		assert.Equal(t, 0, len(none))
		stop := errors.New("enough")
		if err := s.Fingerprints(t.Context(), func(string, store.Fingerprint) error { return stop }); !errors.Is(err, stop) {
			t.Errorf("the error of the reader became %v", err)
		}
	})
	t.Run("go with the last submission of their content", func(t *testing.T) {
		s := setup(t)
		one, two := of("same", waiting("one")), of("same", waiting("two"))
		one.State, two.State = submission.Refused, submission.Refused
		add(t, s, one, two)
		assert.NoError(t, s.SetFingerprints(t.Context(), "same", nil))
		assert.NoError(t, s.Remove(t.Context(), "one"))
		assert.Equal(t, "same  0 0 ", fingerprints(t, s))
		assert.NoError(t, s.Remove(t.Context(), "two"))
		assert.Equal(t, "", fingerprints(t, s))
	})
}

func TestWhatHasNoFingerprint(t *testing.T) {
	s := setup(t)
	text, link, duplicate := of("text", waiting("text")), waiting("link"), of("picture", waiting("duplicate"))
	text.Type = client.Text
	link.Path, link.Link, link.RequestID = "", "https://video.example/1", "request-link"
	duplicate.Earlier = "picture"
	unread, fetched := waiting("unread"), link
	fetched.ID, fetched.Link, fetched.RequestID = "fetched", "https://video.example/2", "request-fetched"
	kept := add(t, s, of("picture", waiting("picture")), text, link, duplicate, unread, fetched, of("newest", waiting("newest")))
	original, err := s.Keep(t.Context(), "request-fetched", "original", "", func(w io.Writer) error {
		_, err := io.WriteString(w, "a clip")
		return err
	})
	assert.NoError(t, err)
	want := []string{"newest newest", "fetched " + original.SHA256, "picture picture"}
	assert.Equal(t, want, unfingerprinted(t, s, math.MaxInt64, 10))
	assert.Equal(t, want[:1], unfingerprinted(t, s, math.MaxInt64, 1))
	assert.Equal(t, want[1:], unfingerprinted(t, s, kept[6].Key, 10))
	assert.NoError(t, s.SetFingerprints(t.Context(), original.SHA256, nil))
	assert.NoError(t, s.SetFingerprints(t.Context(), "newest", []store.Fingerprint{{Kind: store.PictureFingerprint, Quality: 1, Bits: []byte{1}}}))
	assert.Equal(t, want[2:], unfingerprinted(t, s, math.MaxInt64, 10))
}

func TestResultsOfContents(t *testing.T) {
	s := setup(t)
	first, again := of("one", answered(t, "first", client.Fake)), of("one", answered(t, "again", client.Authentic))
	other, fetched := of("two", answered(t, "other", client.Suspicious)), answered(t, "fetched", client.Fake)
	odd := of("three", answered(t, "odd", client.Fake))
	odd.Name = "a\x1fb.jpg"
	add(t, s, first, again, other, fetched, odd, of("unanswered", waiting("unanswered")))
	original, err := s.Keep(t.Context(), fetched.RequestID, "original", "", func(w io.Writer) error {
		_, err := io.WriteString(w, "a picture")
		return err
	})
	assert.NoError(t, err)
	found, err := s.OfContents(t.Context(), []string{"two", "one", "three", "unanswered", "unknown", original.SHA256})
	assert.NoError(t, err)
	var got []string
	for _, f := range found {
		got = append(got, fmt.Sprint(f.Content, " ", f.ID, " ", f.Status, " ", f.Answered.Equal(noon.Add(60e9))))
	}
	assert.Equal(t, []string{"three odd FAKE true", original.SHA256 + " fetched FAKE true", "two other SUSPICIOUS true", "one again AUTHENTIC true"}, got)
	none, err := s.OfContents(t.Context(), nil)
	assert.NoError(t, err)
	assert.Equal(t, 0, len(none))
}
