package exchange_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"assay/client/assert"
	"assay/client/desk"
	"assay/client/desk/exchange"
	"assay/client/desk/files"
	"assay/client/events"
	"assay/client/submission"
)

// sharesFolder gives people a folder for files that all of them can reach.
func sharesFolder(t *testing.T, people ...*person) (folder string) {
	t.Helper()
	folder = t.TempDir()
	sharePlace(folder, "", people...)
	return folder
}

// sharePlace gives people a place for files, with the key of a store.
func sharePlace(address, key string, people ...*person) {
	for _, p := range people {
		p.Files = func(context.Context) (files.Place, error) { return files.Open(address, files.Options{Key: key}) }
	}
}

func (p *person) keeps(requestID, kind, model, content string) {
	p.t.Helper()
	_, err := p.Store.Keep(p.t.Context(), requestID, kind, model, func(w io.Writer) error {
		_, err := io.WriteString(w, content)
		return err
	})
	assert.NoError(p.t, err)
	p.Events.Publish(events.Event{Topic: events.Artifacts})
}

// has is the content of an artifact, "" where it isn't here.
func (p *person) has(requestID, kind, model string) string {
	p.t.Helper()
	file, _, err := p.Store.Artifact(p.t.Context(), requestID, kind, model)
	if errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	assert.NoError(p.t, err)
	defer file.Close() //nolint:errcheck // only read from
	content, err := io.ReadAll(file)
	assert.NoError(p.t, err)
	return string(content)
}

func filesIn(t *testing.T, folder string) (paths []string) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*"))
	assert.NoError(t, err)
	return paths
}

// addsItem adds an answered item to a case, with a small picture.
func (p *person) addsItem(caseID, content string, gate submission.Gate) {
	p.t.Helper()
	sub := answered(p.t, content)
	sub.Gate = gate
	_, err := p.Store.Add(p.t.Context(), []submission.Submission{sub})
	assert.NoError(p.t, err)
	p.keeps("request-"+content, "thumbnail", "", "thumbnail of "+content)
	_, err = p.Store.AddToCase(p.t.Context(), caseID, []string{content}, p.login)
	assert.NoError(p.t, err)
}

func TestAColleagueSeesThePicturesThatOneSaw(t *testing.T) {
	database, people := setup(t, "ines", "rui")
	ines, rui := people[0], people[1]
	folder := sharesFolder(t, ines, rui)
	ctx := t.Context()
	id := ines.shares("A bridge", "bridge", rui)
	ines.keeps("request-bridge", "thumbnail", "", "thumbnail of bridge")
	ines.keeps("request-bridge", "heatmap", "oak", "heatmap of bridge")
	ines.keeps("request-bridge", "original", "", "the bridge itself")
	ines.once()
	assert.Equal(t, 0, len(filesIn(t, folder))) // nobody chose it

	assert.NoError(t, ines.Store.ShareFiles(ctx, id, desk.KeepEncrypted))
	ines.once()
	assert.Equal(t, 2, len(filesIn(t, folder)))
	for _, path := range filesIn(t, folder) {
		stored, err := os.ReadFile(path)
		assert.NoError(t, err)
		assert.True(t, !bytes.Contains(stored, []byte("bridge")), "it is encrypted")
	}
	rui.once()
	assert.Equal(t, []string{"thumbnail of bridge", "heatmap of bridge", ""},
		[]string{rui.has("request-bridge", "thumbnail", ""), rui.has("request-bridge", "heatmap", "oak"), rui.has("request-bridge", "original", "")})

	t.Run("nothing is sent twice", func(t *testing.T) {
		ines.once()
		assert.Equal(t, 2, len(filesIn(t, folder)))
	})
	t.Run("nothing of what asks or never leaves, until she shares it by her own word", func(t *testing.T) {
		ines.addsItem(id, "asks", submission.GateAsk)
		ines.addsItem(id, "never", submission.GateNever)
		ines.once()
		assert.Equal(t, 2, len(filesIn(t, folder)))
		assert.NoError(t, ines.Store.AddToDesk(ctx, id, []string{"asks"}, desk.ShareAnswer))
		ines.once()
		assert.Equal(t, 2, len(filesIn(t, folder)))
		assert.NoError(t, ines.Store.ShareFilesOf(ctx, id, []string{"asks"}))
		assert.True(t, ines.Store.ShareFilesOf(ctx, id, []string{"never"}) != nil, "what never leaves is refused")
		ines.once()
		rui.once()
		assert.Equal(t, 3, len(filesIn(t, folder)))
		assert.Equal(t, "thumbnail of asks", rui.has("request-asks", "thumbnail", ""))
	})
	t.Run("nothing of what was shared as hash and verdict alone", func(t *testing.T) {
		ines.addsItem(id, "asks too", submission.GateAsk)
		assert.NoError(t, ines.Store.AddToDesk(ctx, id, []string{"asks too"}, desk.ShareStatus))
		assert.NoError(t, ines.Store.ShareFilesOf(ctx, id, []string{"asks too"}))
		ines.once()
		assert.Equal(t, 3, len(filesIn(t, folder)))
	})
	t.Run("not here yet, and then it is, live", func(t *testing.T) {
		for _, p := range people {
			l := exchange.Start(p.Params)
			t.Cleanup(l.Close)
			until(t, "connected", func() bool { return l.Status().Connected })
		}
		ines.addsItem(id, "wall", submission.GateSend)
		until(t, "he has it", func() bool { return rui.has("request-wall", "thumbnail", "") == "thumbnail of wall" })
	})
	t.Run("a copy of the database has none of them", func(t *testing.T) {
		var has bool
		assert.NoError(t, database.Login(database.Owner).QueryRow(ctx, "SELECT EXISTS (SELECT FROM desk.events WHERE body LIKE '%thumbnail of%')").Scan(&has))
		assert.Equal(t, false, has)
	})
}

func TestFilesThatAreMissingOrAreOthers(t *testing.T) {
	_, people := setup(t, "ines", "rui")
	ines, rui := people[0], people[1]
	folder := sharesFolder(t, ines, rui)
	ctx := t.Context()
	id := ines.shares("A bridge", "bridge", rui)
	assert.NoError(t, ines.Store.ShareFiles(ctx, id, desk.KeepPlain))
	ines.keeps("request-bridge", "thumbnail", "", "thumbnail of bridge")
	ines.once()
	toCome := func(content string) bool {
		t.Helper()
		is, err := rui.Store.FileToCome(ctx, "request-"+content, "thumbnail")
		assert.NoError(t, err)
		return is
	}
	path := filesIn(t, folder)[0]
	assert.NoError(t, os.Rename(path, folder+"/elsewhere"))
	rui.once() // that is no failure
	assert.Equal(t, true, toCome("bridge"))
	assert.NoError(t, os.Rename(folder+"/elsewhere", path))
	rui.once()
	assert.Equal(t, false, toCome("bridge"))
	assert.Equal(t, "thumbnail of bridge", rui.has("request-bridge", "thumbnail", ""))

	t.Run("a file that somebody has changed is not used", func(t *testing.T) {
		ines.addsItem(id, "wall", submission.GateSend)
		ines.once()
		for _, path := range filesIn(t, folder) {
			content, err := os.ReadFile(path)
			assert.NoError(t, err)
			if string(content) == "thumbnail of wall" {
				assert.NoError(t, os.WriteFile(path, []byte("thumbnail of walL"), 0o600))
			}
		}
		rui.once()
		assert.Equal(t, "", rui.has("request-wall", "thumbnail", ""))
		assert.Equal(t, false, toCome("wall"))
	})
	t.Run("what is of one's own answer is never another's word", func(t *testing.T) {
		_, err := rui.Store.Add(ctx, []submission.Submission{answered(t, "gate")})
		assert.NoError(t, err)
		ines.addsItem(id, "gate", submission.GateSend)
		ines.once()
		rui.once()
		assert.Equal(t, "", rui.has("request-gate", "thumbnail", ""))
		assert.Equal(t, false, toCome("gate"))
	})
	t.Run("the folder is not connected: all else is exchanged, and it is said", func(t *testing.T) {
		ines.addsItem(id, "tower", submission.GateSend)
		assert.NoError(t, os.Rename(folder, folder+"-away"))
		var p *files.Problem
		assert.True(t, errors.As(exchange.Once(ctx, ines.Params), &p), "it is said")
		checked, err := rui.Store.CheckedByColleagues(ctx, sumOf("tower"))
		assert.NoError(t, err)
		assert.Equal(t, 0, len(checked))
		rui.once()
		checked, err = rui.Store.CheckedByColleagues(ctx, sumOf("tower"))
		assert.NoError(t, err)
		assert.Equal(t, 1, len(checked))
		assert.NoError(t, os.Rename(folder+"-away", folder))
		ines.once()
		rui.once()
		assert.Equal(t, "thumbnail of tower", rui.has("request-tower", "thumbnail", ""))
	})
}
