//go:build e2e && linux

package e2e

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"io"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// waylandHands are a keyboard and a pointer in a Wayland session: a client of the compositor's two protocols for virtual ones. Programs of Debian give a
// keyboard whose keys lie where no real ones do, which the toolkit goes by, and no pointer at all.
type waylandHands struct {
	connection        *net.UnixConn
	keyboard, pointer uint32
	lastObject        uint32
	started           time.Time
	screen            image.Point
	failed            chan error // what the compositor complained of, or the end of the connection
}

// The interfaces of the session that hands need, each at its first version.
const (
	seatInterface     = "wl_seat"
	keyboardInterface = "zwp_virtual_keyboard_manager_v1"
	pointerInterface  = "zwlr_virtual_pointer_manager_v1"
)

// The objects that every connection begins with, and their requests and events.
const (
	displayObject  = 1
	registryObject = 2
	syncObject     = 3

	displaySync, displayRegistry = 0, 1
	registryBind                 = 0
)

// The requests of keyboards and pointers.
const (
	keyboardKeymap, keyboardKey, keyboardModifiers = 0, 1, 2
	pointerMoveTo, pointerButton, pointerFrame     = 1, 2, 4
)

// keymap is that of an English keyboard, whose parts the compositor has.
const keymap = `xkb_keymap { xkb_keycodes { include "evdev+aliases(qwerty)" }; xkb_types { include "complete" }; xkb_compat { include "complete" };
xkb_symbols { include "pc+us+inet(evdev)" }; };`

// keyCodes are keys by where they are on a keyboard, as Linux numbers them.
var keyCodes = map[string]uint32{"Escape": 1, "1": 2, "2": 3, "3": 4, "o": 24, "v": 47, "j": 36, "Return": 28, "Tab": 15}

const (
	controlKey  = 29
	controlMask = 4
	leftButton  = 0x110
)

// takeHands connects to the session at a socket, which must have a screen of the given size.
func takeHands(ctx context.Context, socket string, screen image.Point) (h *waylandHands, err error) {
	var dialer net.Dialer
	connection, err := dialer.DialContext(ctx, "unix", socket)
	if err != nil {
		return nil, fmt.Errorf("hands: %w", err)
	}
	h = &waylandHands{connection: connection.(*net.UnixConn), lastObject: syncObject, started: time.Now(), screen: screen, failed: make(chan error, 1)}
	defer func() {
		if err != nil {
			err = fmt.Errorf("hands: %w", errors.Join(err, h.Close()))
		}
	}()
	offered, err := h.globals()
	if err != nil {
		return nil, err
	}
	bound := map[string]uint32{}
	for _, name := range []string{seatInterface, keyboardInterface, pointerInterface} {
		number, there := offered[name]
		if !there {
			return nil, fmt.Errorf("the compositor has no %s", name)
		}
		bound[name] = h.object()
		if err := h.send(registryObject, registryBind, nil, number, name, uint32(1), bound[name]); err != nil {
			return nil, err
		}
	}
	h.keyboard, h.pointer = h.object(), h.object()
	err = errors.Join(h.send(bound[keyboardInterface], 0, nil, bound[seatInterface], h.keyboard), h.send(bound[pointerInterface], 0, nil, bound[seatInterface], h.pointer), h.sendKeymap())
	go func() { h.failed <- h.listen() }()
	return h, err
}

// Close ends the connection, which takes keyboard and pointer away.
func (h *waylandHands) Close() error { return h.connection.Close() }

func (h *waylandHands) object() uint32 {
	h.lastObject++
	return h.lastObject
}

// send sends a request: numbers and texts, and a file beside them, or none.
func (h *waylandHands) send(object, request uint32, file *os.File, arguments ...any) error {
	var body []byte
	for _, argument := range arguments {
		switch a := argument.(type) {
		case uint32:
			body = binary.NativeEndian.AppendUint32(body, a)
		case string:
			body = binary.NativeEndian.AppendUint32(body, uint32(len(a)+1)) //nolint:gosec // short
			body = append(append(body, a...), 0)
			body = append(body, make([]byte, -len(body)&3)...)
		}
	}
	message := binary.NativeEndian.AppendUint32(nil, object)
	message = binary.NativeEndian.AppendUint32(message, uint32(len(body)+8)<<16|request) //nolint:gosec // short
	var beside []byte
	if file != nil {
		beside = syscall.UnixRights(int(file.Fd()))
	}
	if _, _, err := h.connection.WriteMsgUnix(append(message, body...), beside, nil); err != nil {
		select {
		case why := <-h.failed:
			return fmt.Errorf("hands: %w: %w", err, why)
		default:
			return fmt.Errorf("hands: %w", err)
		}
	}
	return nil
}

// receive returns the next event.
func (h *waylandHands) receive() (object, event uint32, body []byte, err error) {
	head := make([]byte, 8)
	if _, err := io.ReadFull(h.connection, head); err != nil {
		return 0, 0, nil, err
	}
	object, size := binary.NativeEndian.Uint32(head), binary.NativeEndian.Uint32(head[4:])
	body = make([]byte, size>>16-8)
	_, err = io.ReadFull(h.connection, body)
	return object, size & 0xffff, body, err
}

// globals are what the session offers, by its interface.
func (h *waylandHands) globals() (map[string]uint32, error) {
	if err := errors.Join(h.send(displayObject, displayRegistry, nil, uint32(registryObject)), h.send(displayObject, displaySync, nil, uint32(syncObject))); err != nil {
		return nil, err
	}
	offered := map[string]uint32{}
	for {
		object, _, body, err := h.receive()
		switch {
		case err != nil:
			return nil, err
		case object == syncObject:
			return offered, nil
		case object == registryObject && len(body) > 8:
			length := binary.NativeEndian.Uint32(body[4:])
			offered[string(bytes.TrimRight(body[8:8+length], "\x00"))] = binary.NativeEndian.Uint32(body)
		}
	}
}

// listen reads events, so that the compositor does not wait, until it complains or the connection ends.
func (h *waylandHands) listen() error {
	for {
		object, event, body, err := h.receive()
		if err != nil {
			return err
		}
		if object == displayObject && event == 0 && len(body) > 12 {
			return fmt.Errorf("the compositor complains: %s", bytes.TrimRight(body[12:], "\x00"))
		}
	}
}

func (h *waylandHands) sendKeymap() (err error) {
	file, err := os.CreateTemp("", "keymap")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close(), os.Remove(file.Name())) }()
	if _, err := file.WriteString(keymap + "\x00"); err != nil {
		return err
	}
	const text = 1
	return h.send(h.keyboard, keyboardKeymap, file, uint32(text), uint32(len(keymap)+1))
}

// now is the time of an event, in milliseconds.
func (h *waylandHands) now() uint32 { return uint32(time.Since(h.started).Milliseconds()) } //nolint:gosec // a test is short

// Press presses a key of keyCodes, alone or with Control, as long as a hand does.
func (h *waylandHands) Press(ctx context.Context, key string, withControl bool) error {
	code, known := keyCodes[filepath.Base(key)]
	if !known {
		return fmt.Errorf("no such key: %s", key)
	}
	const down, up = uint32(1), uint32(0)
	none := uint32(0)
	hold := func(mask, state uint32) error {
		if !withControl {
			return nil
		}
		return errors.Join(h.send(h.keyboard, keyboardKey, nil, h.now(), uint32(controlKey), state), h.send(h.keyboard, keyboardModifiers, nil, mask, none, none, none))
	}
	if err := errors.Join(hold(controlMask, down), h.send(h.keyboard, keyboardKey, nil, h.now(), code, down)); err != nil {
		return err
	}
	return errors.Join(pause(ctx, 60*time.Millisecond), h.send(h.keyboard, keyboardKey, nil, h.now(), code, up), hold(0, up))
}

// MoveTo moves the pointer to a position on the screen.
func (h *waylandHands) MoveTo(to image.Point) error {
	return errors.Join(h.send(h.pointer, pointerMoveTo, nil, h.now(), uint32(to.X), uint32(to.Y), uint32(h.screen.X), uint32(h.screen.Y)), h.send(h.pointer, pointerFrame, nil)) //nolint:gosec // on the screen
}

func (h *waylandHands) button(state uint32) error {
	return errors.Join(h.send(h.pointer, pointerButton, nil, h.now(), uint32(leftButton), state), h.send(h.pointer, pointerFrame, nil))
}

// Drag presses the button at one position and releases it at another, in small steps with pauses, like a hand. From a position to itself it is a click.
func (h *waylandHands) Drag(ctx context.Context, from, to image.Point) error {
	const steps = 12
	err := errors.Join(h.MoveTo(from), pause(ctx, 100*time.Millisecond), h.button(1), pause(ctx, 150*time.Millisecond))
	for step := 1; step <= steps && from != to; step++ {
		err = errors.Join(err, h.MoveTo(from.Add(to.Sub(from).Mul(step).Div(steps))), pause(ctx, 30*time.Millisecond))
	}
	if from != to {
		err = errors.Join(err, h.MoveTo(to.Add(image.Pt(4, 3))), pause(ctx, 250*time.Millisecond))
	}
	return errors.Join(err, h.button(0), pause(ctx, 100*time.Millisecond))
}

// pause lets time pass as between two movements of a hand.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
