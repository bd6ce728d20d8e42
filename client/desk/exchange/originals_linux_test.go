package exchange_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/client/assert"
	"assay/client/desk"
	"assay/client/desk/exchange"
	"assay/client/desk/files"
	"assay/client/desk/files/filestest"
	"assay/client/store"
	"assay/client/submission"
)

// addsFile adds an answered item to a case, with its own file on the person's computer.
func (p *person) addsFile(caseID, content string, gate submission.Gate) (path string) {
	p.t.Helper()
	path = filepath.Join(p.t.TempDir(), "file")
	assert.NoError(p.t, os.WriteFile(path, []byte(content), 0o600))
	sub := answered(p.t, content)
	sub.Gate, sub.Path, sub.Size = gate, path, int64(len(content))
	_, err := p.Store.Add(p.t.Context(), []submission.Submission{sub})
	assert.NoError(p.t, err)
	_, err = p.Store.AddToCase(p.t.Context(), caseID, []string{content}, p.login)
	assert.NoError(p.t, err)
	return path
}

// fetches fetches the file itself of a result, and returns how much of it was told of.
func (p *person) fetches(content string) (moved int64, err error) {
	err = exchange.FetchOriginal(p.t.Context(), p.Params, "request-"+content, func(n int64) { moved = n })
	return moved, err
}

func TestAColleagueGetsAFileByBothPeoplesOwnActs(t *testing.T) {
	database, people := setup(t, "ines", "rui", "eva")
	ines, rui, eva := people[0], people[1], people[2]
	place := filestest.Start(t)
	sharePlace(place.URL, filestest.Key, people...)
	ctx := t.Context()
	id := ines.shares("A bridge", "bridge", rui)
	ines.keeps("request-bridge", "heatmap", "oak", "heatmap of bridge")
	assert.NoError(t, ines.Store.ShareFiles(ctx, id, desk.KeepEncrypted))
	ines.addsFile(id, "a wall", submission.GateSend)
	ines.addsFile(id, "a source", submission.GateAsk)
	ines.addsFile(id, "a secret", submission.GateNever)
	ines.once()
	rui.once()
	assert.Equal(t, "heatmap of bridge", rui.has("request-bridge", "heatmap", "oak"))
	assert.Equal(t, 1, len(place.Names())) // no file goes by itself

	t.Run("what she shares, he gets once he asks for it, and not before", func(t *testing.T) {
		going, err := exchange.OriginalToShare(ctx, ines.Store, id, "a wall")
		assert.NoError(t, err)
		assert.Equal(t, int64(len("a wall")), going.Size)
		assert.Equal(t, desk.KeepEncrypted, going.Keep)
		assert.NoError(t, ines.Store.ShareOriginal(ctx, id, "a wall"))
		_, err = rui.fetches("a wall")
		assert.True(t, errors.Is(err, fs.ErrNotExist), "before she could send it: %v", err)
		ines.once()
		ines.once()
		assert.Equal(t, 2, len(place.Names()))
		rui.once()
		rui.once()
		assert.Equal(t, "", rui.has("request-a wall", "original", ""))
		come, by, ok, err := rui.Store.OriginalToCome(ctx, "request-a wall")
		assert.NoError(t, err)
		assert.True(t, ok && come.Size == int64(len("a wall")) && by == ines.login, "%v, %q, %v", come, by, ok)
		moved, err := rui.fetches("a wall")
		assert.NoError(t, err)
		assert.Equal(t, int64(len("a wall")), moved)
		assert.Equal(t, "a wall", rui.has("request-a wall", "original", ""))
		_, _, ok, err = rui.Store.OriginalToCome(ctx, "request-a wall")
		assert.NoError(t, err)
		assert.Equal(t, false, ok)
	})
	t.Run("who has the store has none of it", func(t *testing.T) {
		for _, name := range place.Names() {
			assert.True(t, !bytes.Contains(place.Read(name), []byte("a wall")), "it can be read")
		}
	})
	t.Run("who is not in the case knows nothing of it", func(t *testing.T) {
		eva.once()
		_, err := eva.fetches("a wall")
		assert.True(t, errors.Is(err, fs.ErrNotExist), "%v", err)
	})
	t.Run("what Assay asks about goes by her word for the result, and another for the file", func(t *testing.T) {
		assert.True(t, errors.Is(ines.Store.ShareOriginal(ctx, id, "a source"), store.ErrNoOriginal), "its result is not shared")
		assert.NoError(t, ines.Store.AddToDesk(ctx, id, []string{"a source"}, desk.ShareStatus))
		assert.True(t, errors.Is(ines.Store.ShareOriginal(ctx, id, "a source"), store.ErrNoOriginal), "its answer is not shared")
		assert.NoError(t, ines.Store.AddToDesk(ctx, id, []string{"a source"}, desk.ShareAnswer))
		ines.once()
		assert.Equal(t, 2, len(place.Names()))
		assert.NoError(t, ines.Store.ShareOriginal(ctx, id, "a source"))
		ines.once()
		rui.once()
		_, err := rui.fetches("a source")
		assert.NoError(t, err)
		assert.Equal(t, "a source", rui.has("request-a source", "original", ""))
	})
	t.Run("what never leaves is refused, however it is asked for", func(t *testing.T) {
		before := len(place.Names())
		assert.True(t, errors.Is(ines.Store.ShareOriginal(ctx, id, "a secret"), store.ErrNeverShared), "by its ID")
		_, err := exchange.OriginalToShare(ctx, ines.Store, id, "a secret")
		assert.True(t, errors.Is(err, store.ErrNoOriginal), "%v", err)
		twin := answered(t, "a wall")
		twin.ID, twin.Earlier, twin.Gate = "twin", "a wall", submission.GateNever
		other := ines.shares("A wall", "gate", rui)
		_, err = ines.Store.Add(ctx, []submission.Submission{twin})
		assert.NoError(t, err)
		_, err = ines.Store.AddToCase(ctx, other, []string{"twin"}, ines.login)
		assert.NoError(t, err)
		assert.True(t, errors.Is(ines.Store.ShareOriginal(ctx, other, "a wall"), store.ErrNeverShared), "by another submission of the same content")
		ines.once()
		assert.Equal(t, before, len(place.Names()))
	})
	t.Run("a file that is another one now is not sent", func(t *testing.T) {
		path := ines.addsFile(id, "a tower", submission.GateSend)
		assert.NoError(t, os.WriteFile(path, []byte("a toweR"), 0o600))
		_, err := exchange.OriginalToShare(ctx, ines.Store, id, "a tower")
		assert.True(t, errors.Is(err, fs.ErrNotExist), "%v", err)
		before := len(place.Names())
		assert.NoError(t, ines.Store.ShareOriginal(ctx, id, "a tower"))
		ines.once()
		assert.Equal(t, before, len(place.Names()))
		ines.keeps("request-a tower", "original", "", "a tower, as it was sent")
		ines.once()
		rui.once()
		_, err = rui.fetches("a tower")
		assert.NoError(t, err)
		assert.Equal(t, "a tower, as it was sent", rui.has("request-a tower", "original", ""))
	})
	t.Run("one that was changed in the store is refused, and can be asked for again", func(t *testing.T) {
		there := place.Names()
		ines.addsFile(id, "a mill", submission.GateSend)
		assert.NoError(t, ines.Store.ShareOriginal(ctx, id, "a mill"))
		ines.once()
		rui.once()
		for _, name := range place.Names() {
			if strings.Contains(strings.Join(there, " "), name) {
				continue
			}
			kept := place.Read(name)
			place.Write(name, append([]byte{kept[0] ^ 1}, kept[1:]...))
			_, err := rui.fetches("a mill")
			assert.True(t, errors.Is(err, files.ErrOther), "%v", err)
			assert.Equal(t, "", rui.has("request-a mill", "original", ""))
			place.Remove(name)
			_, err = rui.fetches("a mill")
			assert.True(t, errors.Is(err, fs.ErrNotExist), "%v", err)
			place.Write(name, kept)
		}
		t.Run("cut in the middle", func(t *testing.T) {
			place.Fault(func(w http.ResponseWriter, _ *http.Request) bool {
				w.Header().Set("Content-Length", "22")
				w.Header().Set("Last-Modified", "Thu, 26 Nov 2026 10:00:00 GMT")
				_, _ = io.WriteString(w, "half")
				panic(http.ErrAbortHandler)
			})
			_, err := rui.fetches("a mill")
			var p *files.Problem
			assert.True(t, errors.As(err, &p), "%v", err)
			assert.Equal(t, "", rui.has("request-a mill", "original", ""))
			place.Fault(nil)
		})
		ended, end := context.WithCancel(ctx)
		end()
		assert.True(t, errors.Is(exchange.FetchOriginal(ended, rui.Params, "request-a mill", func(int64) {}), context.Canceled), "it can be stopped")
		_, err := rui.fetches("a mill")
		assert.NoError(t, err)
		assert.Equal(t, "a mill", rui.has("request-a mill", "original", ""))
	})
	t.Run("the database has no file, and not the store's key", func(t *testing.T) {
		all := database.Backup(t)
		_, secret, _ := strings.Cut(filestest.Key, ":")
		for _, gone := range []string{"a wall\n", "as it was sent", secret} {
			assert.True(t, !strings.Contains(all, gone), "it has %q", gone)
		}
		assert.True(t, strings.Contains(all, "share_artifact"), "it has none of it")
	})
}
