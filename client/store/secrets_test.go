package store_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/i18n"
	"assay/client/plain/plaintest"
	"assay/client/store"
	"assay/client/submission"
)

// signature stands in what opens a file to whoever reads it.
const signature = "SIGNATUREsignatureSIGNATURE"

// withSignature are the files of a store's folder that hold the signature.
func withSignature(t *testing.T, folder string) (found []string) {
	t.Helper()
	within := os.DirFS(folder)
	assert.NoError(t, fs.WalkDir(within, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(within, path)
		if bytes.Contains(content, []byte(signature)) {
			found = append(found, entry.Name())
		}
		return err
	}))
	return found
}

func TestNoSignatureIsLeftInTheFolder(t *testing.T) {
	folder := t.TempDir()
	s := open(t, folder, store.Options{})
	long := "https://storage.example/" + strings.Repeat("p", 6000) + "?X-Signature=" + signature // more than a page of the file
	for i, address := range []string{"https://storage.example/x?X-Signature=" + signature, long} {
		sub := waiting(fmt.Sprint("upload", i))
		sub.Upload = client.Upload{SignedURL: address, Issued: noon}
		sub = add(t, s, sub)[0]
		sub.Upload = client.Upload{}
		assert.NoError(t, s.Save(t.Context(), sub, "sent"))
	}
	sub := answered(t, "answered", client.Fake)
	sub.Result = result(t, `{"requestId": "r", "overallStatus": "FAKE", "thumbnail": "https://storage.example/t?X-Signature=`+signature+`"}`)
	add(t, s, sub)
	provisional := waiting("provisional")
	provisional.Result = sub.Result
	assert.NoError(t, s.Answer(t.Context(), add(t, s, provisional)[0], "looked"))
	if found := withSignature(t, folder); len(found) == 0 {
		t.Error("the test looks where nothing is: an address in use is kept, and stands in the log until the end")
	}
	assert.NoError(t, s.Close())
	if found := withSignature(t, folder); len(found) > 0 {
		t.Error("it is in", found)
	}
	if info, err := os.Stat(filepath.Join(folder, "assay.db-wal")); err == nil && info.Size() > 0 {
		t.Error("the log is left with", info.Size(), "bytes")
	}
}

// lastFacts are those of the last entry about a submission.
func lastFacts(t *testing.T, s *store.Store, id string) map[string]any {
	t.Helper()
	entries, err := s.Custody(t.Context(), id)
	assert.NoError(t, err)
	assert.NoError(t, s.VerifyCustody(t.Context()))
	var known map[string]any
	assert.NoError(t, json.Unmarshal(entries[len(entries)-1].Facts, &known))
	return known
}

func sumOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func TestAnAnswerIsKeptWithoutTheQueriesOfItsLinks(t *testing.T) {
	received := ` {"requestId": "r", "overallStatus": "FAKE",  "thumbnail": "https://storage.example/t?X-Signature=` + signature + `", "odd": 1.0}`
	kept := ` {"requestId": "r", "overallStatus": "FAKE",  "thumbnail": "https://storage.example/t?…", "odd": 1.0}`
	for name, take := range map[string]func(*store.Store, submission.Submission){
		"answered": func(s *store.Store, sub submission.Submission) {
			waits := waiting(sub.ID)
			add(t, s, waits)
			assert.NoError(t, s.Answer(t.Context(), sub, "answered"))
		},
		"pulled": func(s *store.Store, sub submission.Submission) { add(t, s, sub) },
	} {
		t.Run(name, func(t *testing.T) {
			s := setup(t)
			sub := answered(t, "a", client.Fake)
			sub.Result = result(t, received)
			take(s, sub)
			got := get(t, s, "a")
			if string(got.Result.Raw) != kept {
				t.Errorf("kept: %s", got.Result.Raw)
			}
			known := lastFacts(t, s, "a")
			if known["answerSha256"] != sumOf(kept) || known["receivedSha256"] != sumOf(received) {
				t.Errorf("the custody log says %v", known)
			}
			if _, ok, err := s.EarlierAnswer(t.Context(), "a", sumOf(kept)); !ok || err != nil {
				t.Error("it is not found by the hash of what is kept", err)
			}
			t.Run("and keeping it once more is no other answer", func(t *testing.T) {
				assert.NoError(t, s.Answer(t.Context(), got, "answered"))
				if known := lastFacts(t, s, "a"); known["answerSha256"] != sumOf(kept) || known["receivedSha256"] != nil {
					t.Errorf("the custody log says %v", known)
				}
			})
		})
	}
}

func TestTheCustodyLogSaysWhatWasSentInAFilesPlace(t *testing.T) {
	s := setup(t)
	sub := waiting("a")
	sub.SHA256, sub.SendName = sumOf("file"), "a-1a2b3c4d.jpg"
	sub = add(t, s, sub)[0]
	if known := lastFacts(t, s, "a"); known["sentSha256"] != nil || known["sentName"] != nil || known["removed"] != nil {
		t.Errorf("of a file that goes as it is: %v", known)
	}
	sub.Copy, sub.Neutral, sub.SendName = submission.Copy{SHA256: sumOf("copy"), Removed: "position,serial"}, true, "picture-1a2b3c4d.jpg"
	assert.NoError(t, s.Save(t.Context(), sub, "allowed to leave without metadata"))
	known := lastFacts(t, s, "a")
	if known["sha256"] != sumOf("file") || known["sentSha256"] != sumOf("copy") || known["sentName"] != "picture-1a2b3c4d.jpg" || known["removed"] != "position,serial" {
		t.Errorf("%v", known)
	}
}

// TestTextsOfAnEarlierAssayAreReadPlain is about records in which a service's words were kept as it sent them.
func TestTextsOfAnEarlierAssayAreReadPlain(t *testing.T) {
	for _, text := range plaintest.Hostile() {
		s := setup(t)
		sub := waiting("raw")
		sub.State, sub.Name, sub.Problem, sub.Warning, sub.Folder, sub.Source = submission.Failed, text, i18n.Verbatim(text), i18n.Verbatim(text), "/f", submission.Watched
		add(t, s, sub)
		done := answered(t, "done", client.Fake)
		done.Name = text
		add(t, s, done)
		all, err := s.Inbox(t.Context())
		assert.NoError(t, err)
		for _, read := range append(all, get(t, s, "raw"), get(t, s, "done")) {
			for _, shown := range []string{read.Name, read.Problem.String(), read.Warning.String()} {
				plaintest.OneLine(t, shown)
			}
		}
		rows, _, err := s.Page(t.Context(), store.Query{}, store.Cursor{}, 10)
		assert.NoError(t, err)
		if len(rows) == 0 {
			t.Fatal("no rows")
		}
		for _, row := range rows {
			plaintest.OneLine(t, row.Name)
		}
		_, last, _, err := s.FolderCounts(t.Context(), "/f", time.Time{})
		assert.NoError(t, err)
		plaintest.OneLine(t, last)

		given, err := s.AddFeedback(t.Context(), store.Feedback{ID: "f", Feedback: client.Feedback{RequestID: "r", Label: client.LabelReal, Category: client.OtherFeedback},
			State: store.FeedbackRefused, Problem: i18n.Verbatim(text), Given: time.Now()})
		assert.NoError(t, err)
		read, ok, err := s.FeedbackByID(t.Context(), given.ID)
		assert.NoError(t, err)
		if !ok {
			t.Fatal("it is not there")
		}
		plaintest.OneLine(t, read.Problem.String())
	}
}
