package session

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/zalando/go-keyring"

	"assay/client/assert"
	"assay/client/config"
	"assay/client/events"
	"assay/client/folders"
	"assay/client/goroutinetest"
	"assay/client/intake"
	"assay/client/ipc"
	"assay/client/submission"
	"assay/client/wait"
)

// The environment of the process that is the desk.
const (
	weekHome  = "ASSAY_WEEK_HOME"  // becomes a disk of its own; it says, too, that this is that process
	weekBegan = "ASSAY_WEEK_BEGAN" // when the week began, in nanoseconds
)

// weekSpeed is how many seconds of the week pass in a second, besides the nights. Pauses after failures are that much shorter, and upload URLs live 15 s.
const weekSpeed = 60

// weekClock is the time in the week. The desk's and the services' agree, until somebody sets the desk's.
type weekClock struct {
	began time.Time
	mu    sync.Mutex
	ahead time.Duration
}

func (c *weekClock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.began.Add(c.ahead + weekSpeed*time.Since(c.began)).Round(0) // without the monotonic clock, which would hide jumps
}

func (c *weekClock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead += d
}

// wait does not end sooner by jumps: while a computer sleeps, and when its clock is set, no timer goes on.
func (c *weekClock) wait(ctx context.Context, d time.Duration) error {
	return wait.For(ctx, d/weekSpeed)
}

// weekOrder is what the desk is told, weekWord what it answers; Problem is why it could not do it.
type (
	weekOrder struct {
		Service string // goes over to this service
		Key     string // the person enters a new key for the service that is open
		Watch   []string
		Drop    []string      // files that are handed over
		Advance time.Duration // the clock jumps
		Disk    int64         // becomes so large, in MiB; -1: it is full
		Until   intake.Cause  // waits until the queue stands for this cause
		Settle  int           // waits until so many have ended, and takes them out of the inbox
		Measure bool          // once all is at rest
		Check   bool          // the custody log
	}
	weekWord struct {
		Names   []string // of what was answered
		Usage   weekUsage
		Problem string
	}
	// weekUsage is what the desk's process takes when it is at rest.
	weekUsage struct {
		Goroutines, Descriptors  int
		Heap, Resident, Database int64 // bytes
	}
)

// TestWeekDesk is no test: it is the process whose week the one below simulates.
func TestWeekDesk(t *testing.T) {
	home := os.Getenv(weekHome)
	if home == "" {
		t.Skip("only as a process of another test's")
	}
	began, err := strconv.ParseInt(os.Getenv(weekBegan), 10, 64)
	assert.NoError(t, err)
	d := &weekDesk{t: t, disk: home, clock: &weekClock{began: time.Unix(0, began)}, keys: map[string]string{}}
	assert.NoError(t, syscall.Mount("", "/", "", syscall.MS_PRIVATE|syscall.MS_REC, ""))
	assert.NoError(t, syscall.Mount("tmpfs", home, "tmpfs", 0, "size=64m"))
	o := &Options{Home: filepath.Join(home, "assay"), LogLevel: "error", Stderr: os.Stderr, Say: func(string) {}, KeyBackend: d, KeyPatience: time.Second,
		Machine: Machine{Clock: Clock{Now: d.clock.now, Wait: d.clock.wait}}}
	d.host, err = NewHost(t.Context(), o, HostParams{Operations: func(*Session) map[string]ipc.Handle { return nil }})
	assert.NoError(t, err)
	defer d.host.Close()
	orders, words := bufio.NewScanner(os.Stdin), json.NewEncoder(os.Stdout)
	orders.Buffer(nil, 1<<20)
	for orders.Scan() {
		var order weekOrder
		assert.NoError(t, json.Unmarshal(orders.Bytes(), &order))
		var word weekWord
		if err := d.carryOut(t.Context(), order, &word); err != nil {
			word.Problem = err.Error()
		}
		assert.NoError(t, words.Encode(word))
	}
}

// weekDesk is the desk, and its keychain.
type weekDesk struct {
	t     *testing.T
	disk  string
	clock *weekClock
	host  *Host
	mu    sync.Mutex
	keys  map[string]string

	goroutines int // on Monday
}

func (d *weekDesk) carryOut(ctx context.Context, o weekOrder, word *weekWord) (err error) {
	if o.Key != "" && o.Service == "" {
		if err := d.host.Keys.Set(ctx, d.host.Config.Settings().Service.Address, o.Key); err != nil {
			return err
		}
	}
	if o.Service != "" {
		if err := d.choose(ctx, o.Service, o.Key); err != nil {
			return err
		}
	}
	s := d.host.Session()
	for _, path := range o.Watch {
		settings := folders.Default(path)
		settings.Gate, settings.MoveTo = submission.GateSend, filepath.Join(filepath.Dir(path), "done "+filepath.Base(path))
		if _, err := s.Folders.Add(ctx, settings, folders.All, nil); err != nil {
			return err
		}
	}
	d.clock.advance(o.Advance)
	if o.Disk != 0 {
		if err := d.resize(o.Disk); err != nil {
			return err
		}
	}
	if len(o.Drop) > 0 {
		if _, err := s.Queue.Accept(ctx, intake.Inputs(o.Drop...), intake.Options{Source: submission.Dropped}); err != nil {
			return err
		}
	}
	if o.Until != "" {
		if err := d.until(ctx, string(o.Until), func() (bool, int) { return s.Queue.QueueStatus().Cause == o.Until, 0 }); err != nil {
			return err
		}
	}
	if o.Settle > 0 {
		if word.Names, err = d.settle(ctx, o.Settle); err != nil {
			return err
		}
	}
	if o.Measure {
		if word.Usage, err = d.measure(ctx); err != nil {
			return err
		}
	}
	if o.Check {
		return s.Store.VerifyCustody(ctx)
	}
	return nil
}

// choose goes over to a service, as the settings do.
func (d *weekDesk) choose(ctx context.Context, address, key string) error {
	if err := d.host.Keys.Set(ctx, address, key); err != nil {
		return err
	}
	first := d.host.Session() == nil
	if err := d.host.Config.Change(func(s *config.Settings) {
		s.Service = config.Service{Use: config.UseService, Address: address}
		s.Uploads = config.MaxUploads
	}); err != nil {
		return err
	}
	if first {
		if _, err := d.host.Begin(ctx, nil); err != nil {
			return err
		}
	} else if _, err := d.host.Open(ctx); err != nil {
		return err
	}
	d.host.Session().Resume()
	return nil
}

// resize changes the size of the disk. A full one has no room left, whatever is removed from it.
func (d *weekDesk) resize(megabytes int64) error {
	ballast := filepath.Join(d.disk, "ballast")
	if megabytes > 0 {
		if err := os.RemoveAll(ballast); err != nil {
			return err
		}
		return syscall.Mount("", d.disk, "", syscall.MS_REMOUNT, fmt.Sprintf("size=%dm", megabytes))
	}
	if err := d.cutLog(); err != nil {
		return err
	}
	var disk syscall.Statfs_t
	if err := syscall.Statfs(d.disk, &disk); err != nil {
		return err
	}
	used := disk.Blocks - disk.Bfree + 64                                                                                           // which the ballast takes
	if err := syscall.Mount("", d.disk, "", syscall.MS_REMOUNT, fmt.Sprintf("size=%dk", used*uint64(disk.Bsize)>>10)); err != nil { //nolint:gosec // a size
		return err
	}
	if err := os.WriteFile(ballast, make([]byte, 1<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
		return fmt.Errorf("the disk is not full: %w", err)
	}
	return nil
}

// cutLog leaves no room in SQLite's log, in which it could go on writing for a while though the disk is full.
func (d *weekDesk) cutLog() error {
	db, err := sql.Open("sqlite", filepath.Join(d.host.Session().Folder, "assay.db"))
	if err != nil {
		return err
	}
	_, err = db.ExecContext(d.t.Context(), "PRAGMA wal_checkpoint(TRUNCATE)")
	return errors.Join(err, db.Close())
}

// weekPatience is how long the desk may stand still.
const weekPatience = time.Minute

// until waits until something is so, as long as its progress goes on.
func (d *weekDesk) until(ctx context.Context, what string, so func() (bool, int)) error {
	changed := d.host.Events.Subscribe(events.Submission, events.Queue)
	defer changed.Close()
	late, again := time.NewTimer(weekPatience), time.NewTicker(50*time.Millisecond)
	defer late.Stop()
	defer again.Stop()
	for last := -1; ; {
		done, progress := so()
		if done {
			return nil
		}
		if progress > last {
			last = progress
			late.Reset(weekPatience)
		}
		select {
		case <-again.C: // many changes come at once
			changed.Take()
		case <-late.C:
			q := d.host.Session().Queue
			return fmt.Errorf("it never came that %s: %+v\n%.4000s\n%+v", what, q.QueueStatus(), fmt.Sprintf("%+v", q.All()), d.host.Session().Folders.All())
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// settle waits until so many submissions have ended, takes each out of the inbox as soon as it is answered, and tries again what has failed.
func (d *weekDesk) settle(ctx context.Context, n int) (names []string, err error) {
	q, removed := d.host.Session().Queue, map[string]bool{}
	err = d.until(ctx, fmt.Sprintf("%d have ended", n), func() (bool, int) {
		var ended []string
		for _, s := range q.All() {
			switch {
			case s.State == submission.Failed:
				q.Retry(s.ID)
			case s.State == submission.Done && !removed[s.ID]:
				removed[s.ID] = true
				ended, names = append(ended, s.ID), append(names, s.Name)
			}
		}
		q.Remove(ended...)
		return len(names) >= n && len(q.Order()) == 0, len(names)
	})
	return names, err
}

// measure waits until everything is at rest.
func (d *weekDesk) measure(ctx context.Context) (u weekUsage, err error) {
	s := d.host.Session()
	s.Settle(ctx)
	if err := d.until(ctx, "the folders are at rest", func() (bool, int) {
		for _, f := range s.Folders.All() {
			if files, err := os.ReadDir(f.Path); err != nil || len(files) > 0 {
				return false, 0
			}
		}
		return true, 0
	}); err != nil {
		return u, err
	}
	if err := d.until(ctx, "what has ended is gone", func() (bool, int) {
		u.Goroutines = goroutinetest.Ours()
		return d.goroutines == 0 || u.Goroutines <= d.goroutines, 0
	}); err != nil {
		return u, err
	}
	if d.goroutines == 0 {
		d.goroutines = u.Goroutines
	}
	runtime.GC()
	debug.FreeOSMemory()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	u.Heap = int64(memory.HeapAlloc) //nolint:gosec // a size
	listed, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return u, err
	}
	for _, fd := range listed { // idle connections, those to the database too, are now more and now fewer
		to, err := os.Readlink("/proc/self/fd/" + fd.Name())
		if err == nil && !strings.HasPrefix(to, "socket:") && !strings.HasPrefix(filepath.Base(to), "assay.db") {
			u.Descriptors++
		}
	}
	status, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return u, err
	}
	var total, resident int64
	if _, err := fmt.Sscan(string(status), &total, &resident); err != nil {
		return u, err
	}
	u.Resident = resident * int64(os.Getpagesize())
	for _, name := range []string{"assay.db", "assay.db-wal"} {
		if file, err := os.Stat(filepath.Join(s.Folder, name)); err == nil {
			u.Database += file.Size()
		}
	}
	return u, nil
}

// Set, Get and Delete are those of keys.Backend.
func (d *weekDesk) Set(_, account, secret string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.keys[account] = secret
	return nil
}

func (d *weekDesk) Get(_, account string) (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if key, ok := d.keys[account]; ok {
		return key, nil
	}
	return "", keyring.ErrNotFound
}

func (d *weekDesk) Delete(_, account string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.keys[account]; !ok {
		return keyring.ErrNotFound
	}
	delete(d.keys, account)
	return nil
}
