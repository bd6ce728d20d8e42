//go:build !linux

package pasteboard

import (
	"context"
	"fmt"

	"golang.design/x/clipboard"
)

// read asks the system on a goroutine of its own, which outlives the call where the system does not answer in time.
func read(ctx context.Context, _ bool) (Content, error) {
	type answer struct {
		content Content
		err     error
	}
	answered := make(chan answer, 1)
	go func() {
		content, err := system()
		answered <- answer{content, err}
	}()
	select {
	case a := <-answered:
		return a.content, a.err
	case <-ctx.Done():
		return Content{}, ctx.Err()
	}
}

func system() (Content, error) {
	if found := copiedFiles(); len(found) > 0 {
		return Content{Paths: found}, nil
	}
	if err := clipboard.Init(); err != nil {
		return Content{}, fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	if picture := clipboard.Read(clipboard.FmtImage); len(picture) > 0 {
		if len(picture) > mostBytes {
			return Content{}, ErrTooLarge
		}
		return Content{Picture: picture}, nil
	}
	return Content{Text: string(clipboard.Read(clipboard.FmtText))}, nil
}
