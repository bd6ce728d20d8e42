package bundle_test

import (
	"bytes"
	"context"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/custody"
	"assay/client/report"
	"assay/client/report/bundle"
	"assay/client/report/reporttest"
	"assay/client/store"
	"assay/client/store/storetest"
	"assay/client/submission"
	"assay/client/vault"
)

func init() { storetest.Quick() }

// fixture is a store with results, the person's files, and a folder for bundles.
type fixture struct {
	*store.Store
	t      testing.TB
	files  string
	folder string
	ids    []string
	o      bundle.Options
}

func setup(t testing.TB) *fixture {
	t.Helper()
	reporttest.UseFonts(t)
	s, err := store.Open(t.Context(), t.TempDir(), store.Options{Now: func() time.Time { return noon }})
	assert.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return &fixture{Store: s, t: t, files: t.TempDir(), folder: t.TempDir(), o: bundle.Options{
		Options: report.Options{Made: noon}, Version: "1.2.3", Key: ownKey,
		SignLog: func(ctx context.Context) error {
			_, err := s.SignCustody(ctx, logKey, custody.Anchor{})
			return err
		},
	}}
}

// picture is a small PNG.
func picture(shade uint8) []byte {
	img := image.NewGray(image.Rect(0, 0, 8, 8))
	for i := range img.Pix {
		img.Pix[i] = shade
	}
	img.Set(1, 1, color.Gray{Y: 255 - shade})
	var out bytes.Buffer
	_ = png.Encode(&out, img) // to memory
	return out.Bytes()
}

// add keeps a submission of a file with an answer; change may alter it before. Its answer came with a signed link.
func (f *fixture) add(id, name string, content []byte, change func(*submission.Submission)) {
	f.t.Helper()
	path := filepath.Join(f.files, id)
	assert.NoError(f.t, os.WriteFile(path, content, 0o600))
	sub := submission.Submission{
		ID: id, Path: path, Name: name, SendName: name, Source: submission.Dropped, Gate: submission.GateSend, State: submission.Waiting, Step: submission.Seen,
		Type: client.Image, Size: int64(len(content)), SHA256: sum(content), Accepted: noon, RequestID: "request-" + id,
	}
	if change != nil {
		change(&sub)
	}
	_, err := f.Add(f.t.Context(), []submission.Submission{sub})
	assert.NoError(f.t, err)
	f.answer(sub, `{"overallStatus": "FAKE", "releaseVersion": "2.1", "thumbnail": "https://storage.example/t.jpg?X-Amz-Signature=secretsecret",
		"resultsSummary": {"status": "FAKE", "metadata": {"finalScore": 97.25}}, "models": [{"name": "a-img", "status": "FAKE", "normalizedPredictionNumber": 97.25}]}`)
	f.ids = append(f.ids, id)
}

// answer keeps an answer to a submission.
func (f *fixture) answer(sub submission.Submission, raw string) {
	f.t.Helper()
	sub.Result = new(client.Result)
	assert.NoError(f.t, json.Unmarshal([]byte(raw), sub.Result))
	sub.Step, sub.Uploaded, sub.State, sub.Answered = submission.Answered, noon.Add(time.Second), submission.Done, noon.Add(time.Minute)
	assert.NoError(f.t, f.Answer(f.t.Context(), sub, custody.Answered))
}

// keep keeps an artifact in the vault.
func (f *fixture) keep(requestID, kind, model string, content []byte) {
	f.t.Helper()
	_, err := f.Keep(f.t.Context(), requestID, kind, model, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
	assert.NoError(f.t, err)
}

// source is all that was added.
func (f *fixture) source() *report.Selected {
	return &report.Selected{Records: f.Store, Service: report.Service{Address: "https://detector.example"}, IDs: report.IDs(f.ids...)}
}

// write writes a bundle of this name, and returns its path.
func (f *fixture) write(name string) (path string, written bundle.Written) {
	f.t.Helper()
	path = filepath.Join(f.folder, name)
	written, err := bundle.Write(f.t.Context(), path, f.source(), f.o)
	assert.NoError(f.t, err)
	return path, written
}

// typical adds two results, with artifacts, a copy that was sent instead of a file, and an odd name.
func (f *fixture) typical() {
	f.t.Helper()
	f.add("one", "Größe 100% 🙂.png", picture(10), nil)
	f.keep("request-one", vault.Heatmap, "a-img", picture(20))
	f.keep("request-one", vault.Thumbnail, "", picture(30))
	f.keep("request-one", vault.Aggregation, "", []byte(`{"link": "https://storage.example/a?X-Amz-Signature=secretsecret"}`))
	f.keep("request-one", vault.Explainability, "", []byte("<script>alert(1)</script>"))
	copied := filepath.Join(f.files, "copy.png")
	assert.NoError(f.t, os.WriteFile(copied, picture(41), 0o600))
	f.add("two", "con.PNG", picture(40), func(s *submission.Submission) {
		s.Copy = submission.Copy{Path: copied, SHA256: sum(picture(41)), Size: int64(len(picture(41))), Removed: "position"}
	})
}

// contents are the files of a bundle's folder, by their paths in it.
func contents(t testing.TB, root string) map[string]string {
	t.Helper()
	all := map[string]string{}
	assert.NoError(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		content, err := os.ReadFile(path) //nolint:gosec // nobody else writes there
		all[filepath.ToSlash(name)] = string(content)
		return err
	}))
	return all
}
