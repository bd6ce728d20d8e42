package logs

import (
	"path"
	"regexp"
	"strings"
)

// What the runtime writes itself, and nothing else, is taken into a report: which functions stood where. What the program said as it
// broke down is left out, for it may quote a name, a link or a key that this run, at its start, does not know yet.
var (
	goroutineLine = regexp.MustCompile(`^goroutine [0-9]+ (?:gp=0x[0-9a-f]+ m=\S+ (?:mp=0x[0-9a-f]+ )?)?\[[a-zA-Z0-9 ,()._]+\]:$`)
	signalLine    = regexp.MustCompile(`^\[signal [A-Za-z0-9 :=,()_/]{1,160}\]$`)
	placeLine     = regexp.MustCompile(`^\t(\S[^\t"'?]*\.(?:go|s|c|h|cc|cpp|m)):([0-9]+)((?: [+a-z=0-9x]+)*)$`)
	callLine      = regexp.MustCompile(`^(?:created by )?[\pL0-9_/%\-]*[.(][\pL0-9_./%\-*()\[\]{},…·~@]*(?:\([0-9a-fx?, {}._…]*\)| in goroutine [0-9]+)?$`)
	machineLine   = regexp.MustCompile(`^(?:SIG[A-Z]+: [a-z ]+|PC=0x[0-9a-f]+ [a-z0-9= ]+|[a-z0-9]+ +0x[0-9a-f]+|Exception( 0x[0-9a-f]+)+|runtime stack:|` +
		`signal arrived during (?:cgo|external code) execution|goroutine running on other thread; stack unavailable|` +
		`\.\.\.[0-9a-z ]+\.\.\.|exit status [0-9]+)$`)
	runtimeWords = regexp.MustCompile(`^(?:runtime error: (?:invalid memory address or nil pointer dereference|integer divide by zero|` +
		`(?:index|slice bounds) out of range [\[\]0-9a-z :%\-]+|makeslice: [a-z ]+|negative shift amount|growslice: [a-z ]+)|` +
		`close of (?:closed|nil) channel|send on closed channel|assignment to entry in nil map|` +
		`all goroutines are asleep - deadlock!|concurrent map [a-z ]+|stack overflow|sync: (?:negative WaitGroup counter|R?Unlock of unlocked RWMutex|unlock of unlocked mutex|WaitGroup is reused before previous Wait has returned)|unexpected signal[a-z ]*|fault|out of memory)` +
		`(?: \[recovered(?:, repanicked)?\])?$`)
)

// shownFolders is how many parts of a path, from its end, tell which file it is, and not whose.
const shownFolders = 3

// stacksOf is what may be told of a crash as the runtime wrote it.
func stacksOf(raw string) string {
	var out strings.Builder
	gap := func() {
		if !strings.HasSuffix(out.String(), left+"\n") {
			out.WriteString(left + "\n")
		}
	}
	message := false // what the program said as it broke down can be of many lines, which look like anything
	for line := range strings.Lines(raw) {
		line = strings.TrimRight(line, "\r\n")
		switch kind, said, _ := strings.Cut(strings.TrimLeft(line, "\t"), ": "); {
		case kind == "panic" || kind == "fatal error":
			own := runtimeWords.MatchString(said)
			if !own {
				said = left
			}
			out.WriteString(kind + ": " + said + "\n")
			message = !own || kind == "panic"
		case goroutineLine.MatchString(line), signalLine.MatchString(line):
			message = false
			out.WriteString(line + "\n")
		case line == "":
			if !message {
				out.WriteByte('\n')
			}
		case message:
			gap()
		case placeLine.MatchString(line):
			place := placeLine.FindStringSubmatch(line)
			out.WriteString("\t" + endOf(place[1]) + ":" + place[2] + place[3] + "\n")
		case callLine.MatchString(line), machineLine.MatchString(line):
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
