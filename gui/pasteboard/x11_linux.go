package pasteboard

import (
	"context"
	"fmt"
	"io"
	"log"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

// readX11 uses the X server directly: the clipboard library reads a single answer only, but most programs send a picture in pieces (INCR, in the
// Inter-Client Communication Conventions Manual, 2.7.2). A desktop on Wayland serves programs of X11 in the same way, while their window is in front.
func readX11(ctx context.Context) (Content, error) {
	xgb.Logger = log.New(io.Discard, "", 0) // errors are returned
	conn, err := xgb.NewConn()
	if err != nil {
		return Content{}, fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	s := &selection{conn: conn, events: make(chan xgb.Event), done: make(chan struct{}), ended: make(chan struct{}), atoms: map[string]xproto.Atom{}}
	go s.receive()
	defer func() {
		close(s.done)
		conn.Close()
		<-s.ended
	}()
	if err := s.open(); err != nil {
		return Content{}, fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	return s.content(ctx)
}

// selection is one exchange with the program that copied.
type selection struct {
	conn   *xgb.Conn
	events chan xgb.Event
	done   chan struct{} // closed once nobody reads events any more
	ended  chan struct{} // closed once receive has returned
	window xproto.Window // for the property that receives the data
	place  xproto.Atom   // that property
	atoms  map[string]xproto.Atom
}

// receive passes on events until the connection is closed.
func (s *selection) receive() {
	defer close(s.ended)
	defer close(s.events)
	for {
		event, err := s.conn.WaitForEvent()
		if event == nil && err == nil {
			return
		}
		if event == nil {
			continue // an error of a request that nobody waits for
		}
		switch event.(type) {
		case xproto.SelectionNotifyEvent, xproto.PropertyNotifyEvent:
			select {
			case s.events <- event:
			case <-s.done:
			}
		}
	}
}

// open makes the window that receives.
func (s *selection) open() error {
	for _, name := range []string{"CLIPBOARD", "TARGETS", "INCR", "ASSAY_PASTE", copiedFiles, uriList, pngPicture, utf8Text, utf8Plain} {
		reply, err := xproto.InternAtom(s.conn, false, uint16(len(name)), name).Reply()
		if err != nil {
			return err
		}
		s.atoms[name] = reply.Atom
	}
	s.place = s.atoms["ASSAY_PASTE"]
	window, err := xproto.NewWindowId(s.conn)
	if err != nil {
		return err
	}
	s.window = window
	root := xproto.Setup(s.conn).DefaultScreen(s.conn).Root
	return xproto.CreateWindowChecked(s.conn, 0, window, root, 0, 0, 1, 1, 0, xproto.WindowClassInputOnly, xproto.WindowClassCopyFromParent,
		xproto.CwEventMask, []uint32{xproto.EventMaskPropertyChange}).Check()
}

// content asks for the forms in turn.
func (s *selection) content(ctx context.Context) (Content, error) {
	there, err := s.targets(ctx)
	if err != nil {
		return Content{}, err
	}
	return contentOf(func(form string) bool { return there[s.atoms[form]] }, func(form string) ([]byte, error) { return s.ask(ctx, form) })
}

// targets are the forms that the program offers.
func (s *selection) targets(ctx context.Context) (map[xproto.Atom]bool, error) {
	data, err := s.ask(ctx, "TARGETS")
	if err != nil {
		return nil, err
	}
	there := map[xproto.Atom]bool{}
	for ; len(data) >= 4; data = data[4:] {
		there[xproto.Atom(xgb.Get32(data))] = true
	}
	return there, nil
}

// ask asks for one form; nil where it is not sent.
func (s *selection) ask(ctx context.Context, form string) ([]byte, error) {
	if err := xproto.ConvertSelectionChecked(s.conn, s.window, s.atoms["CLIPBOARD"], s.atoms[form], s.place, xproto.TimeCurrentTime).Check(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	for {
		event, err := s.next(ctx)
		if err != nil {
			return nil, err
		}
		answer, ok := event.(xproto.SelectionNotifyEvent)
		if !ok || answer.Target != s.atoms[form] {
			continue // an answer to an earlier request
		}
		if answer.Property == xproto.AtomNone {
			return nil, nil
		}
		return s.take(ctx)
	}
}

// take reads the property, in pieces if it comes so.
func (s *selection) take(ctx context.Context) ([]byte, error) {
	kind, data, err := s.property()
	if err != nil || kind != s.atoms["INCR"] {
		return data, err
	}
	var whole []byte
	for { // deleting the property asks for the next piece; an empty one ends
		event, err := s.next(ctx)
		if err != nil {
			return nil, err
		}
		change, ok := event.(xproto.PropertyNotifyEvent)
		if !ok || change.Atom != s.place || change.State != xproto.PropertyNewValue {
			continue
		}
		_, piece, err := s.property()
		if err != nil {
			return nil, err
		}
		if len(piece) == 0 {
			return whole, nil
		}
		if len(whole)+len(piece) > mostBytes {
			return nil, ErrTooLarge
		}
		whole = append(whole, piece...)
	}
}

// property reads the property and deletes it.
func (s *selection) property() (kind xproto.Atom, data []byte, err error) {
	reply, err := xproto.GetProperty(s.conn, true, s.window, s.place, xproto.GetPropertyTypeAny, 0, mostBytes/4+1).Reply()
	if err != nil {
		return 0, nil, fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	if len(reply.Value) > mostBytes {
		return 0, nil, ErrTooLarge
	}
	return reply.Type, reply.Value, nil
}

func (s *selection) next(ctx context.Context) (xgb.Event, error) {
	select {
	case event, ok := <-s.events:
		if !ok {
			return nil, ErrUnreachable
		}
		return event, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
