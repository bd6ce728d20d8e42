package folders_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/client/folders"
	"assay/client/intake"
	"assay/client/media"
	"assay/client/store"
	"assay/client/store/storetest"
	"assay/client/submission"
)

// desk is the watched folders as a test drives them, over a real watcher, queue and store.
type desk struct {
	*folders.Folders
	t       *testing.T
	home    string
	service *service
	clock   *clock
	kept    *store.Store
	disk    *disk
	queue   *intake.Queue
	close   func()

	mu      sync.Mutex
	batches []folders.Batch
}

// sit opens everything in a new home.
func sit(t *testing.T, adjust ...func(*folders.Params)) *desk {
	t.Helper()
	return sitAt(t, t.TempDir(), newService(), nil, adjust...)
}

// sitAt opens everything in a home that may have been used before. mortal changes the disk that is seen.
func sitAt(t *testing.T, home string, s *service, mortal func(*disk), adjust ...func(*folders.Params)) *desk {
	t.Helper()
	d := &desk{t: t, home: home, service: s, clock: &clock{}}
	err := storetest.Empty(home)
	if err != nil {
		t.Fatal(err)
	}
	if d.kept, err = store.Open(t.Context(), home, store.Options{}); err != nil {
		t.Fatal(err)
	}
	d.disk = newDisk(d.kept)
	if mortal != nil {
		mortal(d.disk)
	}
	hashes := media.NewHashes(time.Now)
	d.queue, err = intake.Open(t.Context(), intake.Params{Service: s, Store: d.disk, Hashes: hashes, Now: d.clock.Now,
		PollMin: time.Millisecond, PollMax: 2 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	p := folders.Params{Queue: d.queue, Store: d.disk, Hashes: hashes, Own: []string{home}, Now: d.clock.Now, After: d.clock.After,
		Batch: func(b folders.Batch) {
			d.mu.Lock()
			defer d.mu.Unlock()
			d.batches = append(d.batches, b)
		}}
	for _, change := range adjust {
		change(&p)
	}
	if d.Folders, err = folders.Open(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	d.close = sync.OnceFunc(func() {
		d.Close()
		d.queue.Close()
		if err := d.kept.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(d.close)
	return d
}

// again ends the run, and begins another one in the same home.
func (d *desk) again(adjust ...func(*folders.Params)) *desk {
	d.t.Helper()
	d.close()
	return sitAt(d.t, d.home, d.service, nil, adjust...)
}

// patience is for how long a test waits for something that must come.
const patience = 60 * time.Second

// until waits for something to be so.
func (d *desk) until(what string, so func() bool) {
	d.t.Helper()
	news := d.queue.Watch()
	defer news.Close()
	late, again := time.After(patience), time.NewTicker(10*time.Millisecond)
	defer again.Stop()
	for !so() {
		select {
		case <-d.Changed():
		case <-news.Ready():
			news.Take()
		case <-again.C:
		case <-late:
			d.t.Fatalf("it never came that %s:\n%+v\n%s", what, d.All(), strings.Join(d.inbox(), "\n"))
		}
	}
}

// inbox is what there is, as text, in the order of names.
func (d *desk) inbox() []string {
	var all []string
	for _, s := range d.queue.All() {
		all = append(all, fmt.Sprintf("%s %s", s.Name, s.State))
	}
	slices.Sort(all)
	return all
}

// becomes waits for the inbox to be just this.
func (d *desk) becomes(want ...string) {
	d.t.Helper()
	slices.Sort(want)
	d.until(fmt.Sprintf("the inbox is %q", want), func() bool { return slices.Equal(d.inbox(), want) })
}

// named is the submission of a name.
func (d *desk) named(name string) submission.Submission {
	d.t.Helper()
	for _, s := range d.queue.All() {
		if s.Name == name {
			return s
		}
	}
	d.t.Fatalf("%q is not in the inbox: %q", name, d.inbox())
	return submission.Submission{}
}

func (d *desk) told() []folders.Batch {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.batches)
}

// folder is one as it stands.
func (d *desk) folder(id string) folders.Folder {
	d.t.Helper()
	f, ok := d.Get(id)
	if !ok {
		d.t.Fatalf("there is no folder %s: %+v", id, d.All())
	}
	return f
}

// sends are settings with which nobody is asked.
func sends(path string) folders.Settings {
	s := folders.Default(path)
	s.Gate = submission.GateSend
	s.Quiet = 200 * time.Millisecond
	return s
}

// add begins to watch a folder.
func (d *desk) add(s folders.Settings, begin folders.Begin, chosen ...string) string {
	d.t.Helper()
	id, err := d.Add(d.t.Context(), s, begin, chosen)
	if err != nil {
		d.t.Fatal(err)
	}
	return id
}

// write puts a file into a folder: a text, since nothing in one needs to be decoded.
func write(t *testing.T, path, content string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// sentence is what a person reads of an error.
func sentence(t *testing.T, err error) string {
	t.Helper()
	var problem *folders.Problem
	if !errors.As(err, &problem) {
		t.Fatalf("%v is no problem", err)
	}
	return problem.Sentence()
}
