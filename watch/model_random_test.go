//go:build linux

package watch

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// model makes up scripts: it knows which files are there, who writes to them, and what is out of order, and nothing of how they
// are watched. What must hold at the end is in stage.complete; what must hold always, in stage.announce.
type model struct {
	rng    *rand.Rand
	rules  scriptRules
	files  map[string]bool // that are there
	dirs   []string        // that are there; "" is the folder itself
	open   map[string]bool // names under which writers have opened files
	lines  []string
	labels int // of contents
	// What is out of order, and must be mended before the end.
	paused, deaf, away, crashed bool
}

func newModel(seed uint64, rules scriptRules) *model {
	m := &model{
		rng: rand.New(rand.NewPCG(seed, 6)), rules: rules, //nolint:gosec // it must be repeatable
		files: make(map[string]bool), open: make(map[string]bool), dirs: []string{""},
	}
	m.add("settings subfolders=true")
	for range m.rng.IntN(3) {
		name := m.name()
		m.files[name] = true
		m.add("write %s %d as %s", name, m.size(), m.label())
	}
	m.add("watch")
	m.add("wait 1m") // what stood there is learned
	return m
}

func (m *model) add(format string, args ...any) {
	m.lines = append(m.lines, fmt.Sprintf(format, args...))
}

func (m *model) name() string {
	dir := m.dirs[m.rng.IntN(len(m.dirs))]
	return dir + []string{"a.jpg", "b.jpg", "c.jpg", "d.jpg", "e.tmp"}[m.rng.IntN(5)]
}

func (m *model) size() int { return 1 + m.rng.IntN(3)*100 }

// label names a content: mostly a new one.
func (m *model) label() string {
	if m.labels == 0 || m.rng.IntN(4) > 0 {
		m.labels++
		return fmt.Sprintf("c%d", m.labels)
	}
	return fmt.Sprintf("c%d", 1+m.rng.IntN(m.labels))
}

// file is one that is there and that nobody has open; "": there is none.
func (m *model) file() string {
	var names []string
	for name := range m.files {
		if !m.open[name] {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	slices.Sort(names)
	return names[m.rng.IntN(len(names))]
}

// free is a name that nobody has open.
func (m *model) free() string {
	for {
		if name := m.name(); !m.open[name] {
			return name
		}
	}
}

// step adds one thing that happens.
func (m *model) step() {
	if m.away {
		if m.rng.IntN(2) == 0 {
			m.add("return")
			m.away = false
		} else {
			m.add("wait %ds", 1+m.rng.IntN(60))
		}
		return
	}
	switch n := m.rng.IntN(100); {
	case n < 14:
		name := m.free()
		m.files[name] = true
		m.add("write %s %d as %s", name, m.size(), m.label())
	case n < 22:
		name := m.free()
		m.files[name] = true
		m.add("move-in %s %d as %s", name, m.size(), m.label())
	case n < 34:
		m.writer()
	case n < 44:
		if from, to := m.file(), m.free(); from != "" && from != to {
			delete(m.files, from)
			m.files[to] = true
			m.add("rename %s %s", from, to)
		}
	case n < 56:
		if name := m.file(); name != "" {
			m.add("%s %s", []string{"touch", "rewrite-same", "rewrite", "append"}[m.rng.IntN(4)], name)
		}
	case n < 60:
		if name := m.file(); name != "" {
			m.add("%s %s %s %s", []string{"while-read", "while-announced"}[m.rng.IntN(2)], name, []string{"touch", "rewrite", "append"}[m.rng.IntN(3)], name)
		}
	case n < 66:
		if name := m.file(); name != "" {
			delete(m.files, name)
			m.add("%s %s", []string{"delete", "move-out"}[m.rng.IntN(2)], name)
		}
	case n < 70:
		if from, to := m.file(), m.free(); from != "" && from != to {
			m.files[to] = true
			m.add("copy %s %s", from, to)
		}
	case n < 76:
		m.dir()
	case n < 84:
		m.add("wait %s", []string{"50ms", "500ms", "1900ms", "3s", "1m"}[m.rng.IntN(5)])
	default:
		m.trouble()
	}
}

// writer is somebody who writes in pieces, and pauses between them. Where no event tells of a close, the pauses are shorter than
// the quiet time: else nobody could know that more will come.
func (m *model) writer() {
	if !m.rules.closes {
		name := m.free()
		m.files[name] = true
		m.add("open %s", name)
		for range 1 + m.rng.IntN(3) {
			m.add("append %s %d", name, 50)
			m.add("wait %s", []string{"50ms", "500ms", "1900ms"}[m.rng.IntN(3)])
		}
		m.add("append %s %d", name, 50)
		m.add("close %s", name)
		return
	}
	var open []string
	for name := range m.open {
		open = append(open, name)
	}
	slices.Sort(open)
	if len(open) == 0 || len(open) < 3 && m.rng.IntN(3) == 0 {
		name := m.free()
		m.files[name], m.open[name] = true, true
		m.add("open %s", name)
		m.add("append %s %d", name, 50)
		return
	}
	name := open[m.rng.IntN(len(open))]
	m.add("append %s %d", name, 50)
	if m.rng.IntN(2) == 0 {
		delete(m.open, name)
		m.add("close %s", name)
	}
}

// dir makes, renames or removes a folder in which nobody writes.
func (m *model) dir() {
	dir := []string{"day/", "night/", "day/one/"}[m.rng.IntN(3)]
	there := slices.Contains(m.dirs, dir)
	parent := dir[:strings.LastIndexByte(strings.TrimSuffix(dir, "/"), '/')+1]
	inUse := false
	for name := range m.open {
		inUse = inUse || strings.HasPrefix(name, dir)
	}
	switch {
	case !there && slices.Contains(m.dirs, parent):
		m.dirs = append(m.dirs, dir)
		m.add("mkdir %s", strings.TrimSuffix(dir, "/"))
	case !there || inUse:
	case dir == "night/" && !slices.Contains(m.dirs, "day/"), dir == "day/" && !slices.Contains(m.dirs, "night/"):
		to := map[string]string{"day/": "night/", "night/": "day/"}[dir]
		m.moveDir(dir, to)
		m.add("rename %s %s", strings.TrimSuffix(dir, "/"), strings.TrimSuffix(to, "/"))
	default:
		m.moveDir(dir, "")
		m.add("delete %s", strings.TrimSuffix(dir, "/"))
	}
}

// moveDir moves what is known of a folder; to is "" where it is gone.
func (m *model) moveDir(from, to string) {
	for name := range m.files {
		if rest, below := strings.CutPrefix(name, from); below {
			delete(m.files, name)
			if to != "" {
				m.files[to+rest] = true
			}
		}
	}
	var dirs []string
	for _, dir := range m.dirs {
		rest, below := strings.CutPrefix(dir, from)
		switch {
		case !below:
			dirs = append(dirs, dir)
		case to != "":
			dirs = append(dirs, to+rest)
		}
	}
	m.dirs = dirs
}

// trouble puts something out of order, or mends it.
func (m *model) trouble() {
	switch m.rng.IntN(9) {
	case 0:
		if !m.crashed {
			m.deaf = false
			m.add("restart")
		}
	case 1:
		if !m.crashed {
			m.crashed = true
			m.add("crash-unnoticed")
		}
	case 2:
		m.paused = !m.paused
		m.add("%s", map[bool]string{true: "pause", false: "resume"}[m.paused])
	case 3:
		if m.rules.events {
			m.deaf = !m.deaf
			m.add("%s", map[bool]string{true: "lose", false: "overflow"}[m.deaf])
		}
	case 4:
		m.add("announcing-fails %d", 1+m.rng.IntN(2))
	case 5:
		m.add("memory-fails %d", 1+m.rng.IntN(2))
	case 6:
		m.add("jump %s", []string{"3h", "-26h", "8760h"}[m.rng.IntN(3)])
	case 7:
		if len(m.open) == 0 {
			m.away = true
			m.add("vanish")
		}
	case 8:
		if m.crashed {
			m.crashed, m.deaf = false, false
			m.add("restart")
		}
	}
}

// lastWait is until everything is looked at again in any case (scanAgain), and what is found then has rested, also where it was written
// once more when it was announced. That look is what finds a file that came just before its folder was away for a moment, of which
// Windows says nothing.
const lastWait = "wait 11m"

// end mends what is out of order, closes what is open, and lets time pass until all must have been announced.
func (m *model) end() {
	if m.away {
		m.add("return")
	}
	if m.crashed {
		m.add("restart")
	} else if m.deaf {
		m.add("overflow")
	}
	if m.paused {
		m.add("resume")
	}
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for name := range m.open {
			if !yield(name) {
				return
			}
		}
	}) {
		m.add("close %s", name)
	}
	m.add(lastWait)
	m.add("complete")
}

// TestModel plays random scripts against a plain reference: at the end every content that stands in the folder was announced; at
// no time one that no writer had finished, or one that was announced before, but for crashes between announcing and remembering.
// ASSAY_WATCH_SCRIPTS is how many are played by each system's rules, ASSAY_WATCH_SEED the first one's seed; with
// ASSAY_WATCH_SHRINK a script that fails is made shorter, as long as it still does.
func TestModel(t *testing.T) {
	scripts, first := 60, rand.Uint64() //nolint:gosec // printed below
	if testing.Short() {
		scripts = 15
	}
	if n, err := strconv.Atoi(os.Getenv("ASSAY_WATCH_SCRIPTS")); err == nil {
		scripts = n
	}
	if n, err := strconv.ParseUint(os.Getenv("ASSAY_WATCH_SEED"), 10, 64); err == nil {
		first = n
	}
	type run struct {
		name  string
		rules scriptRules
		live  bool
	}
	for _, run := range []run{
		{"linux", linuxRules, false}, {"linux with its own events", linuxRules, true}, {"windows", windowsRules, false},
		{"macos", macosRules, false}, {"polling", pollingRules, false},
	} {
		t.Run(run.name, func(t *testing.T) {
			t.Parallel()
			scripts := scripts
			if run.live {
				scripts = max(1, scripts/4) // the system takes its time
			}
			for i := range uint64(scripts) {
				m := newModel(first+i, run.rules)
				for range 10 + m.rng.IntN(40) {
					m.step()
				}
				m.end()
				if err := playLines(t, run.rules, run.live, m.lines); err != nil {
					lines := m.lines
					if os.Getenv("ASSAY_WATCH_SHRINK") != "" {
						lines = shrink(t, run.rules, run.live, lines)
					}
					t.Fatalf("ASSAY_WATCH_SEED=%d: %v\nThe script:\n%s", first+i, err, strings.Join(lines, "\n"))
				}
			}
		})
	}
}

// errUnplayable says that a script, having been shortened, does what can't be done.
var errUnplayable = errors.New("can't be played")

func playLines(t *testing.T, rules scriptRules, live bool, lines []string) (err error) {
	t.Helper()
	s := newStage(t, rules, live)
	defer func() {
		if ended := s.end(); err == nil {
			err = ended
		}
	}()
	for i, line := range lines {
		if s.watcher == nil && s.source == nil && slices.Contains([]string{"lose", "overflow", "pause", "resume"}, line) {
			return errUnplayable
		}
		err := s.do(strings.Fields(line))
		if err != nil && line != "complete" && !strings.HasPrefix(line, "wait") {
			return fmt.Errorf("%w: %s: %w", errUnplayable, line, err)
		}
		if err == nil {
			err = s.settle()
		}
		if err != nil {
			return fmt.Errorf("line %d, %s: %w", i+1, line, err)
		}
	}
	return nil
}

// shrink leaves out lines as long as the script still fails.
// mends tells the lines without which nothing needs to be announced.
func mends(line string) bool {
	return slices.Contains([]string{"watch", "restart", "overflow", "resume", "return", "wait 1m", lastWait, "complete"}, line) || strings.HasPrefix(line, "settings ") ||
		strings.HasPrefix(line, "close ")
}

func shrink(t *testing.T, rules scriptRules, live bool, lines []string) []string {
	t.Helper()
	for size := len(lines) / 2; size > 0; size /= 2 {
		for at := 0; at+size <= len(lines); {
			if slices.ContainsFunc(lines[at:at+size], mends) {
				at++
				continue
			}
			shorter := slices.Delete(slices.Clone(lines), at, at+size)
			if err := playLines(t, rules, live, shorter); err != nil && !errors.Is(err, errUnplayable) {
				lines = shorter
			} else {
				at += size
			}
		}
	}
	return lines
}
