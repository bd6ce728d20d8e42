package pasteboard

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"

	"assay/client/bounded"
)

// reader is the program that reads the clipboard of a Wayland session, of the package wl-clipboard: what the toolkit reads there is text alone.
const reader = "wl-paste"

// endPatience is how long the reader may take to end once it has said what was copied, or was told to stop.
const endPatience = time.Second

// mostForms bounds the list of forms that a program offers, in bytes.
const mostForms = 64 << 10

func readWayland(ctx context.Context) (Content, error) {
	path, err := exec.LookPath(reader)
	if err != nil {
		return Content{}, fmt.Errorf("%w: %w", ErrNoReader, err)
	}
	list, err := run(ctx, path, mostForms, "--list-types")
	if err != nil {
		return Content{}, err
	}
	forms := strings.Split(string(list), "\n")
	return contentOf(func(form string) bool { return slices.Contains(forms, form) }, func(form string) ([]byte, error) {
		return run(ctx, path, mostBytes, "--no-newline", "--type", form)
	})
}

// nothingCopied reports whether the reader says that the clipboard is empty. It says so in English always, in one of two ways.
func nothingCopied(said []byte) bool {
	return bytes.Contains(said, []byte("No selection")) || bytes.Contains(said, []byte("Nothing is copied"))
}

// run returns what the reader prints, up to a number of bytes; nothing where nothing is copied.
func run(ctx context.Context, path string, most int64, arguments ...string) ([]byte, error) {
	running, stop := context.WithCancel(ctx)
	defer stop()
	command := exec.CommandContext(running, path, arguments...) //nolint:gosec // found by its name, with arguments of ours
	command.WaitDelay = endPatience
	var said bytes.Buffer
	command.Stderr = &said
	pipe, err := command.StdoutPipe()
	if err == nil {
		err = command.Start()
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	data, err := bounded.ReadAll(pipe, most)
	if err != nil {
		stop() // it may have more to say, but nobody listens
	}
	ended := command.Wait()
	var tooLarge *bounded.Refusal
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.As(err, &tooLarge):
		return nil, ErrTooLarge
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrUnreachable, err)
	case errors.As(ended, &exit) && nothingCopied(said.Bytes()):
		return nil, nil
	case ended != nil:
		return nil, fmt.Errorf("%w: %w", ErrUnreachable, ended)
	}
	return data, nil
}
