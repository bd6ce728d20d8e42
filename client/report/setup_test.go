package report_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/custody"
	"assay/client/report"
	"assay/client/report/reporttest"
	"assay/client/store"
	"assay/client/store/storetest"
	"assay/client/submission"
)

func init() { storetest.Quick() }

var noon = time.Date(2026, time.November, 21, 12, 0, 0, 123_456_789, time.FixedZone("", 3600))

var service = report.Service{Address: "https://detector.example"}

// fixture is a store with results, and a folder to export to.
type fixture struct {
	*store.Store
	t      testing.TB
	folder string
}

func setup(t testing.TB) *fixture {
	t.Helper()
	reporttest.UseFonts(t)
	s, err := store.Open(t.Context(), t.TempDir(), store.Options{Now: func() time.Time { return noon }})
	assert.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return &fixture{Store: s, t: t, folder: t.TempDir()}
}

// add keeps a submission with an answer; change may alter it before.
func (f *fixture) add(id, raw string, change func(*submission.Submission)) {
	f.t.Helper()
	sub := submission.Submission{
		ID: id, Path: "/home/reporter/incoming/" + id + ".jpg", Name: id + ".jpg", SendName: id + ".jpg", Source: submission.Dropped, Gate: submission.GateSend,
		State: submission.Waiting, Step: submission.Seen, Type: client.Image, Size: 1234, SHA256: fmt.Sprintf("%x", sha256.Sum256([]byte(id))), Accepted: noon, RequestID: "request-" + id,
	}
	if change != nil {
		change(&sub)
	}
	if _, err := f.Add(f.t.Context(), []submission.Submission{sub}); err != nil {
		f.t.Fatal(err)
	}
	if raw == "" {
		return
	}
	sub.Result = new(client.Result)
	assert.NoError(f.t, json.Unmarshal([]byte(raw), sub.Result))
	sub.Step, sub.Uploaded, sub.State = submission.Polling, noon.Add(time.Second), submission.Analysing
	event := custody.None
	if sub.Result.Final() {
		sub.State, sub.Step, sub.Answered, event = submission.Done, submission.Answered, noon.Add(time.Minute), custody.Answered
	}
	assert.NoError(f.t, f.Answer(f.t.Context(), sub, event))
}

// results reads some by their IDs.
func (f *fixture) results(ids ...string) iter.Seq2[*report.Result, error] {
	return func(yield func(*report.Result, error) bool) {
		for _, id := range ids {
			if r, err := report.Read(f.t.Context(), f.Store, service, id); !yield(r, err) {
				return
			}
		}
	}
}

// export writes results to a file of this name, and returns what it holds.
func (f *fixture) export(name string, ids ...string) []byte {
	f.t.Helper()
	path := filepath.Join(f.folder, name)
	assert.NoError(f.t, report.Write(f.t.Context(), path, report.Options{Replace: true}, f.results(ids...)))
	content, err := os.ReadFile(path)
	assert.NoError(f.t, err)
	return content
}

// kinds are answers of every kind, by what is odd about them.
var kinds = map[string]string{
	"fake": `{"requestId": "request-fake", "overallStatus": "FAKE", "releaseVersion": "2.1", "resultsSummary": {"status": "FAKE", "metadata": {"finalScore": 97.25}},
		"models": [{"name": "a-img", "status": "FAKE", "predictionNumber": 0.9725, "normalizedPredictionNumber": 97.25, "data": {"decision": "ARTIFICIAL"}},
		{"name": "b-img", "status": "AUTHENTIC", "normalizedPredictionNumber": 0}, {"name": "c-img", "status": "NOT_APPLICABLE"}]}`,
	"suspicious":     `{"overallStatus": "SUSPICIOUS", "resultsSummary": {"status": "SUSPICIOUS", "metadata": {"finalScore": 51}}, "models": [{"name": "a", "status": "SUSPICIOUS", "finalScore": 51}]}`,
	"authentic":      `{"overallStatus": "AUTHENTIC", "models": [{"name": "x-ensemble", "status": "AUTHENTIC", "normalizedPredictionNumber": 0.04}, {"name": "a", "status": "AUTHENTIC", "normalizedPredictionNumber": 99.95}]}`,
	"not applicable": `{"overallStatus": "NOT_APPLICABLE", "resultsSummary": {"status": "NOT_APPLICABLE", "metadata": {"reasons": [{"code": "relevance", "message": "The face is too small."}, {"code": "new-code", "message": ""}]}}}`,
	"failed":         `{"overallStatus": "UNABLE_TO_EVALUATE", "resultsSummary": {"status": "UNABLE_TO_EVALUATE", "error": {"code": "model-error", "message": "it broke"}}, "models": [{"name": "a", "status": "UNABLE_TO_EVALUATE", "error": {"code": "E7", "message": "out of memory"}}]}`,
	"provisional":    `{"overallStatus": "FAKE", "models": [{"name": "a", "status": "FAKE", "normalizedPredictionNumber": 88}, {"name": "b", "status": "ANALYZING"}]}`,
	"analysing":      `{"overallStatus": "ANALYZING", "models": [{"name": "a", "status": "ANALYZING"}]}`,
	"unknown":        `{"overallStatus": "PARTLY_FAKE"}`,
	"no models":      `{"overallStatus": "AUTHENTIC", "models": null}`,
	"null score":     `{"overallStatus": "FAKE", "resultsSummary": {"status": "FAKE", "metadata": {"finalScore": null}}, "models": [{"name": "a", "status": "FAKE", "normalizedPredictionNumber": null, "finalScore": null}]}`,
	"zero score":     `{"overallStatus": "AUTHENTIC", "resultsSummary": {"status": "AUTHENTIC", "metadata": {"finalScore": 0}}}`,
	"hundred":        `{"overallStatus": "FAKE", "resultsSummary": {"status": "FAKE", "metadata": {"finalScore": 100}}}`,
	"out of range":   `{"overallStatus": "FAKE", "resultsSummary": {"status": "FAKE", "metadata": {"finalScore": 141.5}}}`,
	"no number":      `{"overallStatus": "FAKE", "resultsSummary": {"status": "FAKE", "metadata": {"finalScore": "high"}}, "models": [{"name": "a", "status": "FAKE", "predictionNumber": {"odd": [1]}}]}`,
	"contradiction":  `{"overallStatus": "AUTHENTIC", "resultsSummary": {"status": "FAKE", "metadata": {"finalScore": 99}}}`,
	"languages":      `{"overallStatus": "AUTHENTIC", "resultsSummary": {"status": "AUTHENTIC", "metadata": {"languages": ["de", "pt-BR"], "finalScore": 3.5}}}`,
	"hostile names":  `{"overallStatus": "FAKE", "releaseVersion": "=1+1", "models": [{"name": "=HYPERLINK(\"http://x\")", "status": "FAKE", "normalizedPredictionNumber": 1e1}, {"name": "<b>\u001b[2J\u202e", "status": "@SUM(1)"}]}`,
	"many digits":    `{"overallStatus": "FAKE", "resultsSummary": {"status": "FAKE", "metadata": {"finalScore": 99.99999999999999}}}`,
	"signed link":    `{"overallStatus": "FAKE", "thumbnail": "https://storage.example/t.jpg?X-Amz-Signature=secretsecret"}`,
	"other fields":   `{"overallStatus": "AUTHENTIC", "somethingNew": {"finalScore": 12}, "models": [{"name": "a", "status": "AUTHENTIC", "finalScore": 12, "new": true}]}`,
}

// everyKind adds a result of each kind, and returns their IDs.
func (f *fixture) everyKind() (ids []string) {
	f.t.Helper()
	for name, raw := range kinds {
		f.add(name, raw, nil)
		ids = append(ids, name)
	}
	return ids
}
