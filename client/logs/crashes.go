package logs

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"assay/client/bounded"
	"assay/client/lazyregexp"
)

const (
	newCrashes   = "crash-new-*.txt" // the runtime writes them, one for each process; empty unless it crashes
	reports      = "crash-*.txt"
	keptReports  = 3
	largestCrash = 1 << 20 // the most bytes that are read of one
	// largestReport is larger, since the texts in place of what is left out may be longer.
	largestReport = 4 * largestCrash
)

// Crashes keeps what the Go runtime writes when the program crashes. The processes of one home share them: each holds a lock on its own file for as
// long as it lives.
type Crashes struct {
	Dir     string   // <home>/log; made where it is missing
	Version string   // of this program, for the report
	Secrets *Secrets // left out of reports; nil for none
}

// Report is a crash without any text of others: where in the code it happened, not what was being worked on.
type Report struct {
	Name string // of its file: config.State.CrashSeen remembers it
	Path string
	When time.Time
	Text string // for developers, in English
}

// Begin has the runtime write a crash of this process to a file from now on. end, called last, says that the process ended normally. After an error
// nothing is written, and end does nothing.
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

// begin makes and locks a file. In the instant before it is locked, another process that collects may take it for one left behind; then another one
// is made.
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
			_ = out.Close() // another process has removed it
			continue
		}
		return nil, errors.Join(err, out.Close(), os.Remove(out.Name()))
	}
}

// inPlace reports whether an open file is still the one of its name.
func inPlace(f *os.File) bool {
	one, err := f.Stat()
	if err != nil {
		return false
	}
	other, err := os.Lstat(f.Name())
	return err == nil && os.SameFile(one, other)
}

// Collect makes reports of the crashes of processes that have ended, keeps the newest three, and returns the newest, even if an earlier call made it.
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

// collect makes a report of one process's file, unless that process is running. If it can't be read or written, the next call tries again.
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
	if facts.Size() > 0 { // if it is empty, the process was killed, or the power failed
		raw, err := bounded.ReadUpTo(in, largestCrash)
		if err != nil || c.write(facts.ModTime(), string(raw)) != nil {
			return
		}
	}
	removeLeft(in)
}

// write writes a report.
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

// Only what the runtime itself writes goes into a report: the functions on the stacks. The panic's message is left out: it may quote a name, a link
// or a key that this run does not know yet.
var (
	goroutineLine = lazyregexp.New(`^goroutine [0-9]+ (?:gp=0x[0-9a-f]+ m=\S+ (?:mp=0x[0-9a-f]+ )?)?\[[a-zA-Z0-9 ,()._]+\]:$`)
	signalLine    = lazyregexp.New(`^\[signal [A-Za-z0-9 :=,()_/]{1,160}\]$`)
	placeLine     = lazyregexp.New(`^\t(\S[^\t"'?]*\.(?:go|s|c|h|cc|cpp|m)):([0-9]+)((?: [+a-z=0-9x]+)*)$`)
	callLine      = lazyregexp.New(`^(?:created by )?[\pL0-9_/%\-]*[.(][\pL0-9_./%\-*()\[\]{},…·~@]*(?:\([0-9a-fx?, {}._…]*\)| in goroutine [0-9]+)?$`)
	machineLine   = lazyregexp.New(`^(?:SIG[A-Z]+: [a-z ]+|PC=0x[0-9a-f]+ [a-z0-9= ]+|[a-z0-9]+ +0x[0-9a-f]+|Exception( 0x[0-9a-f]+)+|runtime stack:|` +
		`signal arrived during (?:cgo|external code) execution|goroutine running on other thread; stack unavailable|` +
		`\.\.\.[0-9a-z ]+\.\.\.|exit status [0-9]+)$`)
	runtimeWords = lazyregexp.New(`^(?:runtime error: (?:invalid memory address or nil pointer dereference|integer divide by zero|` +
		`(?:index|slice bounds) out of range [\[\]0-9a-z :%\-]+|makeslice: [a-z ]+|negative shift amount|growslice: [a-z ]+)|` +
		`close of (?:closed|nil) channel|send on closed channel|assignment to entry in nil map|` +
		`all goroutines are asleep - deadlock!|concurrent map [a-z ]+|stack overflow|sync: (?:negative WaitGroup counter|R?Unlock of unlocked RWMutex|unlock of unlocked mutex|WaitGroup is reused before previous Wait has returned)|unexpected signal[a-z ]*|fault|out of memory)` +
		`(?: \[recovered(?:, repanicked)?\])?$`)
)

// shownFolders is how many parts of a path, from its end, are shown: enough to know the file, too few to know whose it is.
const shownFolders = 3

// stacksOf is the part of a crash that may be reported.
func stacksOf(raw string) string {
	var out strings.Builder
	gap := func() {
		if !strings.HasSuffix(out.String(), left+"\n") {
			out.WriteString(left + "\n")
		}
	}
	message := false // a panic's message may have many lines, which may look like anything
	for line := range strings.Lines(raw) {
		line = strings.TrimRight(line, "\r\n")
		switch kind, said, _ := strings.Cut(strings.TrimLeft(line, "\t"), ": "); {
		case kind == "panic" || kind == "fatal error":
			own := runtimeWords().MatchString(said)
			if !own {
				said = left
			}
			out.WriteString(kind + ": " + said + "\n")
			message = !own || kind == "panic"
		case goroutineLine().MatchString(line), signalLine().MatchString(line):
			message = false
			out.WriteString(line + "\n")
		case line == "":
			if !message {
				out.WriteByte('\n')
			}
		case message:
			gap()
		case placeLine().MatchString(line):
			place := placeLine().FindStringSubmatch(line)
			out.WriteString("\t" + endOf(place[1]) + ":" + place[2] + place[3] + "\n")
		case callLine().MatchString(line), machineLine().MatchString(line):
			out.WriteString(line + "\n")
		default:
			gap()
		}
	}
	return out.String()
}

// endOf is the end of a path, with slashes.
func endOf(place string) string {
	parts := strings.Split(strings.ReplaceAll(place, `\`, "/"), "/")
	return path.Join(parts[max(0, len(parts)-shownFolders):]...)
}
