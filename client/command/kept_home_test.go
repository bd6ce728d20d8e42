package command

import (
	"archive/tar"
	"compress/gzip"
	"database/sql"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/sandbox"
	"assay/client/submission"
)

// keptHome is a copy of testdata/home: the folders of a person who was killed in the middle of their work with Assay as it was on
// 22 November 2026, and the service that they worked with. testdata/README.md says what is in it.
type keptHome struct {
	dir      string // of all of it
	database string // path of the records

	mu    sync.Mutex
	asked []string // names that an upload URL was asked for
	links []string // submitted
}

const (
	keptHomeKey     = "key-of-the-kept-home"
	keptHomeRoot    = "/home/reporter" // where it lay
	keptHomeAddress = "http://127.0.0.1:18790"
)

// openKeptHome unpacks the home and starts its service, at an address that the records are told.
func openKeptHome(t *testing.T) (*keptHome, string) {
	t.Helper()
	k := &keptHome{dir: t.TempDir()}
	unpack(t, filepath.Join("..", "..", "testdata", "home", "2026-11-22.tar.gz"), k.dir)
	box, err := sandbox.New(sandbox.Options{Dir: filepath.Join(k.dir, "service"), Key: keptHomeKey})
	assert.NoError(t, err)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			k.note(t, r)
		}
		box.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		server.Close()
		if err := box.Close(); err != nil {
			t.Error(err)
		}
	})
	home := filepath.Join(k.dir, "home")
	settings := filepath.Join(home, "settings.json")
	data, err := os.ReadFile(settings)
	assert.NoError(t, err)
	assert.NoError(t, os.WriteFile(settings, []byte(strings.ReplaceAll(string(data), keptHomeAddress, server.URL)), 0o600))
	folder := filepath.Join(home, strings.NewReplacer("://", "+", ":", "+").Replace(server.URL))
	assert.NoError(t, os.Rename(filepath.Join(home, "http+127.0.0.1+18790"), folder))
	k.database = filepath.Join(folder, "assay.db")
	for _, table := range []string{"submissions", "folders"} {
		k.query(t, func(rows *sql.Rows) error { return rows.Err() }, "UPDATE "+table+" SET path = replace(path, ?, ?) RETURNING path", keptHomeRoot, k.dir)
	}
	// The window was killed a moment ago, on whatever day this runs: what was answered a day before would have left the inbox.
	k.query(t, func(rows *sql.Rows) error { return rows.Err() }, `UPDATE submissions SET accepted = accepted + since, answered = answered + since
		FROM (SELECT ? - max(accepted) AS since FROM submissions) RETURNING accepted`, time.Now().UnixNano())
	return k, server.URL
}

func unpack(t *testing.T, archive, into string) {
	t.Helper()
	file, err := os.Open(archive)
	assert.NoError(t, err)
	defer file.Close() //nolint:errcheck // only read from
	unzipped, err := gzip.NewReader(file)
	assert.NoError(t, err)
	for entries := tar.NewReader(unzipped); ; {
		entry, err := entries.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		assert.NoError(t, err)
		path := filepath.Join(into, filepath.FromSlash(entry.Name))
		if entry.Typeflag == tar.TypeDir {
			err = os.MkdirAll(path, 0o700)
		} else {
			var data []byte
			if data, err = io.ReadAll(entries); err == nil {
				err = os.WriteFile(path, data, 0o600)
			}
		}
		assert.NoError(t, err)
	}
}

// note remembers what a request asks the service to take.
func (k *keptHome) note(t *testing.T, r *http.Request) {
	data, err := io.ReadAll(r.Body)
	if err != nil {
		t.Error(err)
	}
	r.Body = io.NopCloser(strings.NewReader(string(data)))
	var asks struct {
		FileName   string `json:"fileName"`
		SocialLink string `json:"socialLink"`
	}
	if err := json.Unmarshal(data, &asks); err != nil {
		t.Error(err)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if asks.FileName != "" {
		k.asked = append(k.asked, asks.FileName[:strings.LastIndexByte(asks.FileName, '-')]) // without the token of its sending
	}
	if asks.SocialLink != "" {
		k.links = append(k.links, asks.SocialLink)
	}
}

// query asks the records while nobody has them open.
func (k *keptHome) query(t *testing.T, each func(*sql.Rows) error, query string, values ...any) {
	t.Helper()
	database, err := sql.Open("sqlite", k.database)
	assert.NoError(t, err)
	defer database.Close() //nolint:errcheck // what was read is read
	rows, err := database.QueryContext(t.Context(), query, values...)
	assert.NoError(t, err)
	defer rows.Close() //nolint:errcheck // likewise
	for rows.Next() {
		assert.NoError(t, each(rows))
	}
	assert.NoError(t, rows.Err())
}

// custody is the hash of each entry of the custody log, in order.
func (k *keptHome) custody(t *testing.T) (hashes []string) {
	t.Helper()
	k.query(t, func(rows *sql.Rows) error {
		var hash []byte
		defer func() { hashes = append(hashes, string(hash)) }()
		return rows.Scan(&hash)
	}, "SELECT hash FROM custody ORDER BY seq")
	return hashes
}

func TestAHomeOfAnEarlierAssay(t *testing.T) {
	k, address := openKeptHome(t)
	entries := k.custody(t)
	d := setup(t)
	d.home, d.kept[address] = filepath.Join(k.dir, "home"), keptHomeKey
	w := d.openHost()
	s := w.host.Session()
	if s == nil {
		t.Fatalf("it begins with the first run: %s", w.said)
	}

	want := map[string]submission.State{
		"Rathaus.png": submission.Done, "Erklärung.txt": submission.Done, "Doppelt.png": submission.Done, "Kamera 1.png": submission.Done,
		"Leer.png": submission.Refused, "Fehlgeschlagen.png": submission.Failed, "Abgebrochen.png": submission.Cancelled,
		"Wartet auf Antwort.png": submission.Held, "Kamera 2.png": submission.Held, "social.example/posts/2": submission.Held,
		"Bleibt hier.png": submission.Stays, "Nie.png": submission.Stays,
		"Angehalten.png": submission.Waiting, // the person has paused it
		// These were under way.
		"Beim Dienst.png": submission.Done, "Angekommen.png": submission.Done, "Unterwegs.png": submission.Done, "Angefragt.png": submission.Done,
		"Wartet.png": submission.Done, "social.example/posts/1": submission.Failed,
	}
	states := func() map[string]submission.State {
		states := map[string]submission.State{}
		for _, sub := range s.Queue.All() {
			states[sub.Name] = sub.State
		}
		return states
	}
	until(t, s.Queue, "what was under way is answered", func() bool { return maps.Equal(states(), want) })

	for _, sub := range s.Queue.All() {
		if sub.Name == "Leer.png" && sub.Problem.String() != "Diese Datei ist leer." {
			t.Errorf("why %s was refused is said as %q", sub.Name, sub.Problem)
		}
		if sub.Name == "Angehalten.png" && !sub.Paused {
			t.Errorf("%s is not paused any more", sub.Name)
		}
	}
	settings := w.host.Config.Settings()
	if g := settings.Gates; settings.Uploads != 2 || settings.Appearance.Language != "de" || settings.Storage.VaultMegabytes != 500 || settings.Notifications.Answers ||
		g.Files != submission.GateSend || g.Links != submission.GateAsk || g.Folders != submission.GateNever {
		t.Errorf("the settings are %+v", settings)
	}
	folders := s.Folders.All()
	if len(folders) != 2 || folders[0].Path != filepath.Join(k.dir, "Eingang") || folders[0].Gate != submission.GateSend || !folders[0].Subfolders ||
		folders[1].Path != filepath.Join(k.dir, "Presse") || folders[1].Gate != submission.GateAsk || !slices.Equal(folders[1].Only, []string{"Kamera*"}) {
		t.Errorf("the watched folders are %+v", folders)
	}
	if report, err := s.CheckCustody(t.Context()); err != nil || report.Err() != nil || report.Before != 0 || report.Entries < int64(len(entries)) {
		t.Errorf("the custody log: %+v, %v", report, err)
	}
	answered := s.Queue.All()[slices.IndexFunc(s.Queue.All(), func(sub submission.Submission) bool { return sub.Name == "Rathaus.png" })]
	given, err := s.Store.FeedbackOf(t.Context(), answered.RequestID)
	if err != nil || len(given) != 1 || given[0].Comment != "kept with the home" {
		t.Errorf("the feedback is %+v, %v", given, err)
	}
	w.close()

	// What never had reached the service was sent once; all else was looked for there first, and was found.
	slices.Sort(k.asked)
	if want := []string{"Angefragt", "Unterwegs", "Wartet"}; !slices.Equal(k.asked, want) || len(k.links) > 0 {
		t.Errorf("sent again: %q, %q", k.asked, k.links)
	}
	if now := k.custody(t); len(now) <= len(entries) || !slices.Equal(now[:len(entries)], entries) {
		t.Errorf("of %d entries of the custody log, now %d, some have changed", len(entries), len(now))
	}
}
