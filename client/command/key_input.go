package command

import (
	"context"
	"fmt"
	"io"
	"os"

	"golang.org/x/term"

	"assay/client/bounded"
)

// mostInput is more than any key has; the rest is not read.
const mostInput = 64 << 10

// askKey reads a key: from a terminal without showing it, after a prompt, and from anything else to its end. The goroutine that
// reads outlives the end of ctx, as nothing can interrupt it; the terminal shows again by then what is typed.
func askKey(ctx context.Context, in io.Reader, prompts io.Writer, prompt string) (string, error) {
	type input struct {
		text []byte
		err  error
	}
	if err := ctx.Err(); err != nil {
		return "", err
	}
	read := make(chan input, 1)
	file, ok := in.(*os.File)
	if ok && term.IsTerminal(int(file.Fd())) { //nolint:gosec // a descriptor fits an int
		terminal := int(file.Fd()) //nolint:gosec // likewise
		before, err := term.GetState(terminal)
		if err != nil {
			return "", fmt.Errorf("ask the terminal: %w", err)
		}
		ask(prompts, prompt)
		defer func() {
			_ = term.Restore(terminal, before) // it was asked a moment ago
			_ = printLine(prompts, "")         // which the typed line end was not shown as
		}()
		go func() {
			text, err := term.ReadPassword(terminal)
			read <- input{text, err}
		}()
	} else {
		go func() {
			text, err := bounded.ReadUpTo(in, mostInput)
			read <- input{text, err}
		}()
	}
	select {
	case got := <-read:
		if got.err != nil && got.err != io.EOF { //nolint:errorlint // ReadPassword's own, never wrapped
			return "", fmt.Errorf("read the key: %w", got.err)
		}
		return string(got.text), nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}
