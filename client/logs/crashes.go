package logs

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"assay/client/bounded"
)

const (
	newCrashes   = "crash-new-*.txt" // as the runtime writes them, one to a process; empty while all goes well
	reports      = "crash-*.txt"
	keptReports  = 3
	largestCrash = 1 << 20 // bytes of one that are read
	// largestReport has room for what is left out of a crash being longer in its report.
	largestReport = 4 * largestCrash
)

// Crashes keeps what the Go runtime says when the program breaks down. The processes of one home share them: each holds a lock on the
// file that its own crash would be written to, for as long as it lives.
type Crashes struct {
	Dir     string   // <home>/log; made where it is missing
	Version string   // of this program, for the report
	Secrets *Secrets // left out of reports; nil for none
}

// Report is a crash, told without anybody's words: where the program stood, not what it worked on.
type Report struct {
	Name string // of its file: config.State.CrashSeen remembers it
	Path string
	When time.Time
	Text string // for developers, in English
}

// Begin has a crash of this process written down from now on. end, called last thing, says that it ended in order. Where there is an
// error, nothing is written down, and end does nothing.
func (c *Crashes) Begin() (end func(), err error) {
	end = func() {}
	if err := os.MkdirAll(c.Dir, 0o700); err != nil {
		return end, err
	}
	out, err := c.begin()
	if err != nil {
		return end, err
	}
	name := out.Name()
	err = errors.Join(debug.SetCrashOutput(out, debug.CrashOptions{}), out.Close()) // the runtime has a duplicate, which keeps the lock
	if err != nil {
		return end, errors.Join(err, os.Remove(name))
	}
	return func() {
		_ = debug.SetCrashOutput(nil, debug.CrashOptions{}) // turning it off can't fail
		_ = os.Remove(name)                                 // an empty one is no crash
	}, nil
}

// begin makes and locks a file. Another process that collects may take a new one for one left behind, in the instant before it is
// locked.
func (c *Crashes) begin() (*os.File, error) {
	for {
		out, err := os.CreateTemp(c.Dir, newCrashes) // for the user alone, 0600
		if err != nil {
			return nil, err
		}
		if err = lock(out); err == nil {
			if inPlace(out) {
				return out, nil
			}
			_ = out.Close() // it is gone
			continue
		}
		return nil, errors.Join(err, out.Close(), os.Remove(out.Name()))
	}
}

// inPlace reports whether an open file still is what its name stands for.
func inPlace(f *os.File) bool {
	one, err := f.Stat()
	if err != nil {
		return false
	}
	other, err := os.Lstat(f.Name())
	return err == nil && os.SameFile(one, other)
}

// Collect makes reports of the crashes of processes that are gone, keeps the newest three, and returns the newest there is, also one
// that an earlier call made.
func (c *Crashes) Collect() (Report, bool) {
	left, _ := filepath.Glob(filepath.Join(c.Dir, newCrashes)) // a folder whose name is a pattern has none
	for _, path := range left {
		c.collect(path)
	}
	kept := c.kept()
	for i := keptReports; i < len(kept); i++ {
		_ = os.Remove(kept[i].Path) // next time, then
	}
	for _, report := range kept {
		text, err := bounded.ReadFile(report.Path, largestReport)
		if err == nil {
			report.Text = string(text)
			return report, true
		}
	}
	return Report{}, false
}

// collect makes a report of what one process left, unless it runs still. What can't be read or written is left for the next time.
func (c *Crashes) collect(path string) {
	in, free := lockLeft(path)
	if !free {
		return
	}
	defer func() { _ = in.Close() }() // it was only read
	facts, err := in.Stat()
	if err != nil || !inPlace(in) {
		return
	}
	if facts.Size() > 0 { // without a word, the process was killed, or the power went
		raw, err := bounded.ReadUpTo(in, largestCrash)
		if err != nil || c.write(facts.ModTime(), string(raw)) != nil {
			return
		}
	}
	removeLeft(in)
}

// write keeps a report.
func (c *Crashes) write(when time.Time, raw string) error {
	text := fmt.Sprintf("Assay %s (%s %s, %s) broke down at %s.\n\n%s", cmp.Or(c.Version, "unknown"), runtime.GOOS, runtime.GOARCH,
		runtime.Version(), when.UTC().Format(time.RFC3339), c.Secrets.Redact(stacksOf(raw)))
	base := "crash-" + when.UTC().Format("20060102-150405")
	name := base + ".txt"
	for n := 2; ; n++ {
		out, err := os.OpenFile(filepath.Join(c.Dir, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, os.ErrExist) {
			name = fmt.Sprintf("%s-%d.txt", base, n)
			continue
		}
		if err != nil {
			return err
		}
		_, err = out.WriteString(text)
		if err = errors.Join(err, out.Close()); err != nil {
			return errors.Join(err, os.Remove(out.Name()))
		}
		return os.Chtimes(out.Name(), when, when)
	}
}

// kept are the reports, without their texts, the newest first.
func (c *Crashes) kept() []Report {
	paths, _ := filepath.Glob(filepath.Join(c.Dir, reports))
	var all []Report
	for _, path := range paths {
		name := filepath.Base(path)
		facts, err := os.Lstat(path)
		if err == nil && facts.Mode().IsRegular() && !strings.HasPrefix(name, "crash-new-") {
			all = append(all, Report{Name: name, Path: path, When: facts.ModTime()})
		}
	}
	slices.SortFunc(all, func(a, b Report) int { return cmp.Or(b.When.Compare(a.When), cmp.Compare(b.Name, a.Name)) })
	return all
}
