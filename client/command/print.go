package command

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync"

	"assay/client/plain"
)

// Everything that a subcommand prints goes through this file: the text of a line may come from anywhere, and must neither begin another line nor
// control the terminal.

// lockedWriter lets several goroutines write lines.
type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

// Write implements io.Writer.
func (l *lockedWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}

// locked makes a lockedWriter, so that the log can be written besides the results. A file needs none, and is returned as it is, so that it can be
// asked whether it is a terminal.
func locked(w io.Writer) io.Writer {
	if file, ok := w.(*os.File); ok {
		return file
	}
	return &lockedWriter{w: w}
}

// say shows the person a sentence besides the results.
func say(w io.Writer, sentence string) { _ = printLine(w, "assay: "+sentence) } // who can't be told it can't be told that either

// printLine prints one line, whatever is in it.
func printLine(w io.Writer, text string) error {
	if _, err := io.WriteString(w, plain.Line(text)+"\n"); err != nil {
		return fmt.Errorf("write the answer: %w", err)
	}
	return nil
}

// printLines prints several lines in one write.
func printLines(w io.Writer, lines []string) error {
	var out bytes.Buffer
	for _, line := range lines {
		_ = printLine(&out, line) // a buffer takes everything
	}
	if _, err := w.Write(out.Bytes()); err != nil {
		return fmt.Errorf("write the answer: %w", err)
	}
	return nil
}

// printJSON prints JSON in the layout that it has, with hidden characters escaped.
func printJSON(w io.Writer, data []byte) error {
	text, err := plain.JSON(data)
	if err != nil {
		return fmt.Errorf("encode the answer: %w", err)
	}
	if _, err := w.Write(append(text, '\n')); err != nil {
		return fmt.Errorf("write the answer: %w", err)
	}
	return nil
}

// ask prints a prompt.
func ask(w io.Writer, prompt string) {
	_, _ = io.WriteString(w, plain.Line(prompt)) // a person who can't see the prompt may type all the same
}

// printJSONLine prints JSON in one line, with hidden characters escaped.
func printJSONLine(w io.Writer, data []byte) error {
	line, err := plain.JSONLine(data)
	if err != nil {
		return fmt.Errorf("encode the answer: %w", err)
	}
	return printJSON(w, line)
}

// printAnswer prints an answer in the form of --json.
func printAnswer(w io.Writer, a answer) error {
	line, err := oneLine(a)
	if err != nil {
		return err
	}
	return printJSONLine(w, []byte(line))
}

// oneLine is an answer in the form of scan --json.
func oneLine(a answer) (string, error) {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(a); err != nil {
		return "", fmt.Errorf("encode an answer: %w", err)
	}
	line, err := plain.JSONLine(buffer.Bytes())
	return string(line), err
}

// interruptible is a writer to w whose writes end as soon as ctx does: whatever reads the output, such as a pager, may have stopped reading. The
// bytes that are written must not be changed afterwards.
func interruptible(ctx context.Context, w io.Writer) io.Writer {
	type outcome struct {
		n   int
		err error
	}
	return writerFunc(func(data []byte) (int, error) {
		written := make(chan outcome, 1)
		go func() {
			n, err := w.Write(data)
			written <- outcome{n, err}
		}()
		select {
		case o := <-written:
			return o.n, o.err
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	})
}

// writerFunc is a function as an io.Writer.
type writerFunc func([]byte) (int, error)

// Write implements io.Writer.
func (f writerFunc) Write(data []byte) (int, error) { return f(data) }
