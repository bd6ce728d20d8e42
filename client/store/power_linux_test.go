package store_test

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"assay/client/assert"
)

// TestPowerLoss cuts the power of a computer that keeps submissions, at random instants: what it said that it had kept is there, whatever the disk had not
// been told to flush. What a process does to its files is recorded by strace, which must be installed; each cut makes a folder of what was flushed until then,
// and of what was not a part by chance, down to half pages. It runs where ASSAY_CUTS says how often.
func TestPowerLoss(t *testing.T) {
	if os.Getenv(childFolder) != "" {
		untilKilled(t)
		return
	}
	cuts, err := strconv.Atoi(os.Getenv("ASSAY_CUTS"))
	if err != nil {
		t.Log("ASSAY_CUTS is not set: make soak runs this")
		return
	}
	strace, err := exec.LookPath("strace")
	assert.NoError(t, err)
	folder, trace := t.TempDir(), filepath.Join(t.TempDir(), "trace")
	command := child(t.Context(), "TestPowerLoss", folder, strace, "-f", "-qq", "-y", "-xx", "-s", "10000000", "-o", trace,
		"-e", "trace=open,openat,write,pwrite64,ftruncate,fsync,fdatasync,rename,renameat,unlink,unlinkat,mkdirat,copy_file_range")
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // with strace alone, the process would go on
	output, err := command.StdoutPipe()
	assert.NoError(t, err)
	assert.NoError(t, command.Start())
	const steps = 1000 // by then it has kept two hundred
	said := bufio.NewScanner(output)
	for n := 0; n < steps && said.Scan(); {
		if strings.HasPrefix(said.Text(), "kept ") {
			n++
		}
	}
	assert.NoError(t, syscall.Kill(-command.Process.Pid, syscall.SIGKILL))
	_ = command.Wait() // it was killed
	calls := readTrace(t, trace)
	var flushes []int // a cut near a flush says most
	for i, c := range calls {
		if c.name == "fsync" || c.name == "fdatasync" {
			flushes = append(flushes, i)
		}
	}
	random := rand.New(rand.NewPCG(uint64(cuts), 1)) //nolint:gosec // the same cuts each time
	most := 0
	for n := range cuts {
		cut := random.IntN(len(calls))
		if n%2 == 0 {
			cut = min(flushes[random.IntN(len(flushes))]+random.IntN(3), len(calls)-1)
		}
		at := filepath.Join(t.TempDir(), "after")
		d := disk{folder: folder, names: map[string]*inode{}, opened: map[string]int64{}, random: random}
		for _, c := range calls[:cut] {
			d.take(t, c)
		}
		d.write(t, at)
		hasAll(t, at, d.said)
		most = max(most, len(d.said))
		assert.NoError(t, os.RemoveAll(at))
		if t.Failed() {
			t.Fatalf("cut %d, before call %d of %d", n, cut, len(calls))
		}
	}
	if most < 50 {
		t.Errorf("at most %d submissions were kept before a cut: too few", most)
	}
	t.Logf("%d cuts of the power in %d calls, up to %d submissions before one, 0 lost", cuts, len(calls), most)
}

// call is a system call of the recorded process.
type call struct {
	name, args string
	data       []byte // what is written
	begins     bool   // it has not ended yet: the half of one that lasted while others did something
	ends       bool
	result     int64
}

var traceLine = regexp.MustCompile(`^(\d+) +(?:<\.\.\. (\w+) resumed>(.*)|(\w+)\((.*))$`)

// traceResult is the end of a call that did not fail.
var traceResult = regexp.MustCompile(`\) +=\s(\d+)(?:<[^<>]*>)?$`)

// readTrace reads the calls in their order. One that lasted is there twice: as it begins and as it ends.
func readTrace(t *testing.T, path string) (calls []call) {
	t.Helper()
	file, err := os.Open(path)
	assert.NoError(t, err)
	defer file.Close() //nolint:errcheck // only read from
	pending := map[string]string{}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		parts := traceLine.FindStringSubmatch(lines.Text())
		if parts == nil {
			continue // a signal, or an end
		}
		if rest, unfinished := strings.CutSuffix(parts[5], "<unfinished ...>"); unfinished {
			pending[parts[1]] = rest
			calls = append(calls, call{name: parts[4], args: rest, begins: true})
			continue
		}
		c := call{name: parts[4], args: parts[5], begins: true, ends: true}
		if parts[2] != "" {
			c = call{name: parts[2], args: pending[parts[1]] + parts[3], ends: true}
		}
		ending := traceResult.FindStringSubmatchIndex(c.args)
		if ending == nil {
			continue // it failed, or the process was killed in it
		}
		c.result, err = strconv.ParseInt(c.args[ending[2]:ending[3]], 10, 64)
		assert.NoError(t, err)
		c.args = c.args[:ending[0]]
		if text := quoted.FindStringSubmatchIndex(c.args); strings.HasSuffix(c.name, "write") || c.name == "pwrite64" {
			c.data = unquote(t, c.args[text[2]:text[3]])
			if !strings.HasPrefix(c.args, "1<") {
				c.args = c.args[:text[2]] + c.args[text[3]:] // so that it need not be read for each cut
			}
		}
		calls = append(calls, c)
	}
	assert.NoError(t, lines.Err())
	return calls
}

// inode is the content of a file by what was written to it.
type inode struct{ changes []*change }

// change is a write, or with no data a new length.
type change struct {
	at       int64
	data     []byte
	flushing bool // it was there when a flush began
	flushed  bool
}

// entry is a change of a folder's names.
type entry struct {
	path    string
	is      *inode // nil: the name is gone
	flushed bool
}

// disk is what a computer holds that may lose its power.
type disk struct {
	folder  string
	names   map[string]*inode // as the process sees them
	entries []*entry
	opened  map[string]int64 // where the next write goes, by descriptor and path
	said    map[string]int
	random  *rand.Rand
}

var (
	quoted   = regexp.MustCompile(`"((?:\\x[0-9a-f]{2})*)"`)
	openFile = regexp.MustCompile(`^(\d+)<([^>]*)>`)
)

// unquote is a string as strace writes it.
func unquote(t *testing.T, text string) []byte {
	t.Helper()
	data, err := hex.DecodeString(strings.ReplaceAll(text, `\x`, ""))
	assert.NoError(t, err)
	return data
}

// paths are the strings among a call's arguments.
func paths(t *testing.T, args string) (all []string) {
	t.Helper()
	for _, match := range quoted.FindAllStringSubmatch(args, -1) {
		all = append(all, string(unquote(t, match[1])))
	}
	return all
}

// take does what a call did.
func (d *disk) take(t *testing.T, c call) {
	t.Helper()
	open := openFile.FindStringSubmatch(c.args)
	path, descriptor := "", ""
	if open != nil {
		path, descriptor = string(unquoteMaybe(t, open[2])), open[1]
	}
	file := d.names[path]
	switch c.name {
	case "open", "openat":
		if c.ends {
			d.open(t, c)
		}
	case "write":
		if descriptor == "1" && c.begins {
			d.hear(t, c.args)
		} else if file != nil && c.ends {
			file.changes = append(file.changes, &change{at: d.opened[descriptor+path], data: c.data})
			d.opened[descriptor+path] += int64(len(c.data))
		}
	case "pwrite64":
		if file != nil && c.ends {
			file.changes = append(file.changes, &change{at: lastNumber(t, c.args), data: c.data})
		}
	case "ftruncate":
		if file != nil && c.ends {
			file.changes = append(file.changes, &change{at: lastNumber(t, c.args)})
		}
	case "fsync", "fdatasync":
		d.flush(c, path, file)
	case "rename", "renameat":
		if both := paths(t, c.args); c.ends && d.names[both[0]] != nil {
			is := d.names[both[0]]
			delete(d.names, both[0])
			d.names[both[1]] = is
			d.entries = append(d.entries, &entry{path: both[1], is: is}, &entry{path: both[0]})
		}
	case "unlink", "unlinkat":
		if one := paths(t, c.args); c.ends && d.names[one[0]] != nil {
			delete(d.names, one[0])
			d.entries = append(d.entries, &entry{path: one[0]})
		}
	case "copy_file_range":
		t.Fatal("a file is copied in a way that this test does not follow")
	}
}

// lastNumber is the last of a call's arguments.
func lastNumber(t *testing.T, args string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(strings.TrimSpace(args[strings.LastIndex(args, ", ")+2:]), 10, 64)
	assert.NoError(t, err)
	return n
}

// unquoteMaybe is the path of a descriptor, which strace writes like a string where it has to.
func unquoteMaybe(t *testing.T, text string) []byte {
	t.Helper()
	if strings.HasPrefix(text, `\x`) {
		return unquote(t, text)
	}
	return []byte(text)
}

func (d *disk) open(t *testing.T, c call) {
	t.Helper()
	path := paths(t, c.args)[0]
	if !strings.HasPrefix(path, d.folder) || strings.HasSuffix(path, "-shm") { // that one is made anew
		return
	}
	file := d.names[path]
	switch {
	case file == nil && strings.Contains(c.args, "O_CREAT"):
		file = &inode{}
		d.names[path] = file
		d.entries = append(d.entries, &entry{path: path, is: file})
	case file != nil && strings.Contains(c.args, "O_TRUNC"):
		file.changes = append(file.changes, &change{})
	}
	d.opened[strconv.FormatInt(c.result, 10)+path] = 0
}

// hear notes what the process said that it had kept.
func (d *disk) hear(t *testing.T, args string) {
	t.Helper()
	for _, text := range paths(t, args) {
		for line := range strings.Lines(text) {
			var id string
			var step int
			if _, err := fmt.Sscanf(line, "kept %s %d", &id, &step); err == nil {
				if d.said == nil {
					d.said = map[string]int{}
				}
				d.said[id] = step
			}
		}
	}
}

// flush makes lasting what was there when the flush began: a file's content, or a folder's names.
func (d *disk) flush(c call, path string, file *inode) {
	if file == nil {
		if c.ends {
			for _, e := range d.entries {
				e.flushed = e.flushed || filepath.Dir(e.path) == path
			}
		}
		return
	}
	for _, change := range file.changes {
		change.flushing = change.flushing || c.begins
		change.flushed = change.flushed || c.ends && change.flushing
	}
}

// write makes a folder of what is left after the power was cut. Of the names that were not flushed, some of the first are there; of the contents, any
// part.
func (d *disk) write(t *testing.T, to string) {
	t.Helper()
	names := map[string]*inode{}
	first := d.random.IntN(len(d.entries) + 1)
	for i, e := range d.entries {
		if !e.flushed && i >= first {
			continue
		}
		if e.is == nil {
			delete(names, e.path)
		} else {
			names[e.path] = e.is
		}
	}
	assert.NoError(t, os.MkdirAll(to, 0o700))
	for _, path := range slices.Sorted(maps.Keys(names)) {
		within, err := filepath.Rel(d.folder, path)
		assert.NoError(t, err)
		assert.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(to, within)), 0o700))
		assert.NoError(t, os.WriteFile(filepath.Join(to, within), d.content(names[path]), 0o600))
	}
}

// content is what is left of a file: all that was flushed, and of the rest each half page or not.
func (d *disk) content(file *inode) (content []byte) {
	const piece = 2048
	for _, c := range file.changes {
		if len(c.data) == 0 {
			if c.flushed || d.random.IntN(2) == 0 {
				content = append(content, make([]byte, max(0, c.at-int64(len(content))))...)[:c.at]
			}
			continue
		}
		for from := 0; from < len(c.data); from += piece {
			part := c.data[from:min(from+piece, len(c.data))]
			if !c.flushed && d.random.IntN(2) == 0 {
				continue
			}
			end := c.at + int64(from+len(part))
			content = append(content, make([]byte, max(0, end-int64(len(content))))...)
			copy(content[end-int64(len(part)):end], part)
		}
	}
	return content
}
