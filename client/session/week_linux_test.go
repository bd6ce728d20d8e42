package session

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/intake"
	"assay/client/sandbox"
)

// weekSubmissions says how many submissions the full form of the week has.
const (
	weekSubmissions = "ASSAY_SUBMISSIONS"
	shortWeek       = 350
)

// What is the same however many submissions there are.
const (
	weekFolders = 10
	weekAtOnce  = 500      // files that are handed over before the next ones
	weekHeap    = 40 << 20 // bytes by which the desk's heap may grow from Monday to Sunday: media.Hashes remembers 100,000 files
	weekMemory  = 96 << 20 // and its resident memory: also SQLite's caches, and what the allocator keeps
	weekNight   = 14 * time.Hour
)

// weekFaults are what goes wrong at the services all week.
var weekFaults = []string{
	"upload-url:503@/41", "upload-url:truncate@/53", "put:503@/37", "put:reset@/31,after=100", "put:stall@/29,for=30ms", "put:expired@/97",
	"result:503@/43", "result:reset@/47", "result:truncate@/61", "list:500@/11", "artifact:503@/59", "artifact:expired@/67", "artifact:truncate@/71",
}

// weekService is a service over HTTP, whose key can change.
type weekService struct {
	*sandbox.Sandbox
	folder string
	server *httptest.Server
	mu     sync.Mutex
	key    string
}

func (s *weekService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	key := s.key
	s.mu.Unlock()
	if r.Header.Get("X-Api-Key") == key {
		r.Header.Set("X-Api-Key", s.Key())
	}
	s.Sandbox.ServeHTTP(w, r)
}

func (s *weekService) change(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.key = key
}

// week is a week at a busy desk: the process of the desk, its services, and what was handed over.
type week struct {
	t        *testing.T
	clock    *weekClock
	root     string
	services [2]*weekService
	desk     *exec.Cmd
	orders   *json.Encoder
	words    *json.Decoder
	given    int            // how many were handed over, by their numbers
	first    int            // of these, which the second service was given
	last     int            // likewise
	answered map[string]int // how often, by name
}

func newWeek(t *testing.T) *week {
	t.Helper()
	w := &week{t: t, clock: &weekClock{began: time.Now()}, root: t.TempDir(), answered: map[string]int{}}
	var faults []sandbox.Fault
	for _, text := range weekFaults {
		fault, err := sandbox.ParseFault(text)
		assert.NoError(t, err)
		faults = append(faults, fault)
	}
	for i := range w.services {
		s := &weekService{folder: filepath.Join(w.root, fmt.Sprint("service ", i)), key: fmt.Sprint("first-key-of-service-", i)}
		var err error
		s.Sandbox, err = sandbox.New(sandbox.Options{Dir: s.folder, Faults: faults, Now: w.clock.now})
		assert.NoError(t, err)
		s.server = httptest.NewServer(s)
		t.Cleanup(func() {
			s.server.Close()
			assert.NoError(t, s.Close())
		})
		w.services[i] = s
	}
	self, err := os.Executable()
	assert.NoError(t, err)
	home := filepath.Join(w.root, "home")
	assert.NoError(t, os.Mkdir(home, 0o700))
	w.desk = exec.CommandContext(context.WithoutCancel(t.Context()), self, "-test.run=^TestWeekDesk$", "-test.timeout=0") //nolint:gosec // this very program
	w.desk.Env = append(os.Environ(), weekHome+"="+home, fmt.Sprint(weekBegan, "=", w.clock.began.UnixNano()))
	w.desk.Stderr = os.Stderr
	w.desk.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
	if os.Geteuid() != 0 { // mounting takes a user namespace
		w.desk.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		w.desk.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
	}
	orders, err := w.desk.StdinPipe()
	assert.NoError(t, err)
	words, err := w.desk.StdoutPipe()
	assert.NoError(t, err)
	w.orders, w.words = json.NewEncoder(orders), json.NewDecoder(words)
	assert.NoError(t, w.desk.Start())
	t.Cleanup(func() {
		_ = orders.Close() // with which it ends
		_, _ = io.Copy(io.Discard, words)
		if err := w.desk.Wait(); err != nil && !t.Failed() {
			t.Error(err)
		}
	})
	return w
}

// tell gives the desk an order, and returns once it is carried out.
func (w *week) tell(o weekOrder) weekWord {
	w.t.Helper()
	var word weekWord
	assert.NoError(w.t, w.orders.Encode(o))
	assert.NoError(w.t, w.words.Decode(&word))
	if word.Problem != "" {
		w.t.Fatalf("after %d submissions: %s", w.given, word.Problem)
	}
	for _, name := range word.Names {
		w.answered[name]++
	}
	return word
}

func (w *week) folder(n int) string {
	return filepath.Join(w.root, fmt.Sprint("folder ", n%weekFolders))
}

func weekName(n int) string { return fmt.Sprintf("item-%06d.txt", n) }

// original is the number of the submission that first had the content of another: one in twenty was handed over before.
func original(n int) int {
	if n%20 == 19 {
		return n - 7
	}
	return n
}

func weekContent(n int) []byte {
	n = original(n)
	return fmt.Appendf(nil, "This is item %d of the week. %s", n, strings.Repeat("It goes on and on. ", 5+n%10))
}

// source is where what is handed over lies.
type source int

const (
	inBoth    source = iota // most in the watched folders, the others as if they were dropped
	inFolders               // all in the watched folders
	dropped                 // all as if they were dropped
)

// hand hands over so many more.
func (w *week) hand(many int, from source) {
	w.t.Helper()
	var drop []string
	for range many {
		path := filepath.Join(w.folder(w.given), weekName(w.given))
		if from == dropped || from == inBoth && w.given%(3*weekFolders) == 0 {
			path = filepath.Join(w.root, "dropped", weekName(w.given))
			drop = append(drop, path)
		}
		assert.NoError(w.t, os.WriteFile(path, weekContent(w.given), 0o600))
		w.given++
	}
	w.tell(weekOrder{Drop: drop})
}

// sleep is a night, while the desk's computer sleeps in the middle of its work.
func (w *week) sleep() {
	w.t.Helper()
	assert.NoError(w.t, w.desk.Process.Signal(syscall.SIGSTOP))
	w.clock.advance(weekNight)
	w.services[0].server.CloseClientConnections()
	assert.NoError(w.t, w.orders.Encode(weekOrder{Advance: weekNight}))
	assert.NoError(w.t, w.desk.Process.Signal(syscall.SIGCONT))
	var word weekWord
	assert.NoError(w.t, w.words.Decode(&word))
}

// weekday is what happens on a day besides faults and the night, while some submissions are under way, and how many more of them it hands over.
type weekday struct {
	name  string
	event func(w *week, many int)
}

var weekdays = []weekday{
	{"Monday", func(w *week, many int) { w.hand(many, inBoth) }},
	{"Tuesday, the key is changed", func(w *week, many int) {
		w.services[0].change("second-key-of-service-0")
		w.hand(many, inBoth)
		w.tell(weekOrder{Until: intake.NoKey})
		w.tell(weekOrder{Key: "second-key-of-service-0"})
	}},
	{"Wednesday, the service is switched, and back", func(w *week, many int) {
		w.hand(many/2, inBoth)
		second := w.services[1]
		w.tell(weekOrder{Service: second.server.URL, Key: second.key})
		w.first, w.last = w.given, w.given+many/2
		w.hand(many/2, dropped)
		w.tell(weekOrder{Settle: many / 2})
		w.hand(many-many/2*2, inBoth)
		w.tell(weekOrder{Service: w.services[0].server.URL, Key: w.services[0].key})
	}},
	{"Thursday, the disk is full", func(w *week, many int) {
		w.tell(weekOrder{Disk: -1})
		w.hand(many/2, inFolders) // what is dropped would be refused
		w.tell(weekOrder{Until: intake.NoDisk})
		w.tell(weekOrder{Disk: w.diskSize()})
		w.hand(many-many/2, inBoth)
	}},
	{"Friday, the clock is set forth and back", func(w *week, many int) {
		w.hand(many/2, inBoth)
		w.tell(weekOrder{Advance: 30 * time.Minute})
		w.hand(many-many/2, inBoth)
		w.tell(weekOrder{Advance: -40 * time.Minute})
		w.tell(weekOrder{Advance: 10 * time.Minute})
	}},
	{"Saturday", func(w *week, many int) { w.hand(many, inBoth) }},
	{"Sunday", func(w *week, many int) { w.hand(many, inBoth) }},
}

// diskSize is enough for what the week keeps, in MiB.
func (w *week) diskSize() int64 { return 64 + int64(weekCount(w.t))/10 }

func weekCount(t *testing.T) int {
	t.Helper()
	given := os.Getenv(weekSubmissions)
	if given == "" {
		return shortWeek
	}
	n, err := strconv.Atoi(given)
	assert.NoError(t, err)
	return n
}

// day is a day, in which so many submissions are handed over, and returns what the desk takes at its end.
func (w *week) day(d weekday, many int) weekUsage {
	w.t.Helper()
	began := time.Now()
	for begun := 0; begun < many; {
		some := min(many-begun, weekAtOnce)
		before := w.last - w.first
		switch {
		case begun == 0:
			d.event(w, some)
		case begun+some < many:
			w.hand(some, inBoth)
		}
		if begun += some; begun == many {
			if some < many {
				w.hand(some, inBoth)
			}
			w.sleep()
		}
		w.tell(weekOrder{Settle: some - (w.last - w.first - before)})
	}
	usage := w.tell(weekOrder{Measure: true}).Usage
	w.t.Logf("%s: %d submissions in %s, goroutines %d, descriptors %d, heap %.1f MB, resident %.1f MB, database %.1f MB, %d bytes a submission",
		d.name, w.given, time.Since(began).Round(time.Second), usage.Goroutines, usage.Descriptors, float64(usage.Heap)/1e6, float64(usage.Resident)/1e6,
		float64(usage.Database)/1e6, usage.Database/int64(w.given))
	return usage
}

func TestAWeekAtABusyDesk(t *testing.T) {
	many := weekCount(t)
	w := newWeek(t)
	watched := make([]string, weekFolders)
	for n := range watched {
		watched[n] = w.folder(n)
		assert.NoError(t, os.Mkdir(watched[n], 0o700))
		assert.NoError(t, os.Mkdir(filepath.Join(w.root, fmt.Sprint("done folder ", n)), 0o700))
	}
	assert.NoError(t, os.Mkdir(filepath.Join(w.root, "dropped"), 0o700))
	w.tell(weekOrder{Disk: w.diskSize()})
	w.tell(weekOrder{Service: w.services[0].server.URL, Key: w.services[0].key})
	w.tell(weekOrder{Watch: watched})
	var days []weekUsage
	for n, d := range weekdays {
		days = append(days, w.day(d, many*(n+1)/len(weekdays)-w.given))
	}
	w.tell(weekOrder{Check: true})
	w.verify()
	monday, saturday, sunday := days[0], days[len(days)-2], days[len(days)-1]
	assert.True(t, sunday.Goroutines <= monday.Goroutines, "%d goroutines on Monday, %d on Sunday", monday.Goroutines, sunday.Goroutines)
	assert.Equal(t, monday.Descriptors, sunday.Descriptors)
	assert.True(t, sunday.Heap-monday.Heap <= weekHeap, "the heap grew by %d bytes", sunday.Heap-monday.Heap)
	assert.True(t, sunday.Resident-monday.Resident <= weekMemory, "the resident memory grew by %d bytes", sunday.Resident-monday.Resident)
	lately, average := (sunday.Database-saturday.Database)/int64(many-many*6/7), sunday.Database/int64(many)
	assert.True(t, lately <= average*5/4, "a submission of Sunday takes %d bytes of the database, one of the week %d", lately, average)
}

// verify compares what was handed over with what was answered, and with what the services have received.
func (w *week) verify() {
	w.t.Helper()
	lost, doubled := 0, 0
	for n := range w.given {
		switch times := w.answered[weekName(n)]; {
		case times == 0:
			lost++
			w.t.Errorf("not answered: %s", weekName(n))
		case times > 1:
			doubled++
			w.t.Errorf("answered %d times: %s", times, weekName(n))
		}
	}
	received := 0
	for i, s := range w.services {
		assert.NoError(w.t, s.Idle(w.t.Context()))
		want := map[string]string{} // the name without its number's end, by SHA-256
		for n := range w.given {
			if second := n >= w.first && n < w.last; second == (i == 1) {
				sum := sha256.Sum256(weekContent(n))
				want[hex.EncodeToString(sum[:])] = ""
			}
		}
		records, err := os.ReadDir(filepath.Join(s.folder, "records"))
		assert.NoError(w.t, err)
		for _, file := range records {
			var r struct{ OriginalFileName, SHA256 string }
			data, err := os.ReadFile(filepath.Join(s.folder, "records", file.Name()))
			assert.NoError(w.t, err)
			assert.NoError(w.t, json.Unmarshal(data, &r))
			if r.SHA256 == "" {
				continue // an upload URL that was not used
			}
			received++
			before, known := want[r.SHA256]
			assert.True(w.t, known, "nobody handed over %s", r.OriginalFileName)
			if before != "" {
				doubled++
				w.t.Errorf("received twice: %s, %s", before, r.OriginalFileName)
			}
			var n int
			_, err = fmt.Sscanf(r.OriginalFileName, "item-%06d", &n)
			assert.NoError(w.t, err)
			sum := sha256.Sum256(weekContent(n))
			assert.Equal(w.t, hex.EncodeToString(sum[:]), r.SHA256)
			want[r.SHA256] = r.OriginalFileName
		}
		for sum, name := range want {
			if name == "" {
				lost++
				w.t.Errorf("service %d never received %s", i, sum)
			}
		}
	}
	fmt.Fprintf(os.Stderr, "week: submissions %d, received %d, lost %d, doubled %d\n", w.given, received, lost, doubled)
}
