package ffmpeg

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// mostWords bounds the bytes that are kept of a program's error output.
const mostWords = 4 << 10

// Failed is the error of a program that could not process a file, or was stopped.
type Failed struct {
	Program string
	Words   string // the first line of its error output, which may contain the file's path
	TooLong time.Duration
	Cause   error
}

// Error describes the failure in the program's own words.
func (f *Failed) Error() string {
	text := f.Program
	if f.TooLong > 0 {
		text += fmt.Sprintf(": it took longer than %v", f.TooLong)
	}
	if f.Words != "" {
		text += ": " + f.Words
	}
	if f.Cause != nil {
		text += ": " + f.Cause.Error()
	}
	return text
}

// Unwrap returns the cause.
func (f *Failed) Unwrap() error { return f.Cause }

// Run runs ffmpeg, passes its standard output to read, and waits until both have ended. read may stop early: if it returns nil, ffmpeg is
// stopped, and Run returns nil. An error of read takes precedence over ffmpeg's. Otherwise the error is ctx's if that has ended, else
// a *Failed.
func (t Tool) Run(ctx context.Context, job Job, read func(io.Reader) error) error {
	args, err := job.arguments()
	if err != nil {
		return err
	}
	return run(ctx, t.Program, "ffmpeg", args, job.longest(), nil, read)
}

// run runs a program that reads input, which may be nil.
func run(ctx context.Context, program, name string, args []string, longest time.Duration, input io.Reader, read func(io.Reader) error) error {
	limited, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	// #nosec G204 -- the program comes from the search path, the arguments are fixed but for a path that is marked as a file's
	cmd := exec.CommandContext(limited, program, args...)
	withoutConsole(cmd)
	cmd.WaitDelay = 5 * time.Second
	cmd.Env = environment(os.Environ())
	cmd.Stdin = input
	words := &firstWords{}
	cmd.Stderr = words
	out, err := cmd.StdoutPipe()
	if err != nil {
		return &Failed{Program: name, Cause: err}
	}
	if err := cmd.Start(); err != nil {
		return &Failed{Program: name, Cause: err}
	}
	enough := read(out)
	rest, _ := io.CopyN(io.Discard, out, 1) // one byte more than read wanted, or the end
	if enough != nil || rest > 0 {
		cancel()
	}
	timedOut := limited.Err() == context.DeadlineExceeded //nolint:errorlint // a context's Err is compared as documented
	err = cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("running %s: %w", name, ctx.Err())
	case timedOut || limited.Err() == context.DeadlineExceeded && err != nil: //nolint:errorlint // as above
		return &Failed{Program: name, TooLong: longest, Words: words.line(), Cause: context.DeadlineExceeded}
	case enough != nil:
		return &Failed{Program: name, Words: words.line(), Cause: enough}
	case rest > 0:
		return nil
	case err != nil:
		return &Failed{Program: name, Words: words.line(), Cause: err}
	}
	return nil
}

// environment is Assay's environment without its own variables, among which is the API key.
func environment(all []string) []string {
	kept := []string{"AV_LOG_FORCE_NOCOLOR=1"}
	for _, entry := range all {
		if !strings.HasPrefix(strings.ToUpper(entry), "ASSAY_") {
			kept = append(kept, entry)
		}
	}
	return kept
}

// firstWords keeps the beginning of what is written to it, and discards the rest.
type firstWords struct{ b bytes.Buffer }

func (f *firstWords) Write(p []byte) (int, error) {
	f.b.Write(p[:min(len(p), mostWords-f.b.Len())])
	return len(p), nil
}

func (f *firstWords) line() string {
	line, _, _ := strings.Cut(strings.TrimSpace(f.b.String()), "\n")
	return strings.ToValidUTF8(line, "\uFFFD")
}
