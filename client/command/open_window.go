package command

import (
	"context"
	"fmt"
	"io"

	"assay/client/intake"
)

// openWindow opens the window, unless one is open: then that one takes the files and links. printTo gets a line for each
// item that ends; nil: none.
func openWindow(ctx context.Context, from *service, given []string, window Window, printTo, stderr io.Writer) error {
	holder, there, err := holdForWindow(ctx, from.folder, given, timer)
	if err != nil {
		return err
	}
	if holder == nil {
		said := fmt.Sprintf("assay: the window that is open took %d.", there.Taken)
		if there.Taken == 0 {
			said = "assay: the window is open already."
		}
		_, err := fmt.Fprintln(stderr, said, there.LeftOut)
		return err
	}
	defer func() {
		if err := holder.Close(); err != nil {
			from.log.Warn("leave the folder", "error", err)
		}
	}()
	d := newDesk()
	d.window = true
	if err := holder.Serve(ctx, d.handle); err != nil { // whoever comes before the session is open waits
		from.log.Warn("later starts can't be served", "error", err)
	}
	s, err := openSession(ctx, from)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := s.Watch(ctx, false); err != nil {
		return err
	}
	defer holder.StopServing() // before the session closes, which its calls work with
	d.raise = func(a intake.Accepted) { replace(s.Opened, a) }
	d.service = from.answer()
	d.serveFor(sessionTaker{s})
	if printTo != nil {
		defer s.printAnswers(printTo)()
	}
	return window(ctx, s, given)
}
