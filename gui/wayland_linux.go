package gui

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// waylandSocket is the path of the socket of the Wayland session that the environment names, "" where it names none.
func waylandSocket() string {
	name := os.Getenv("WAYLAND_DISPLAY")
	switch folder := os.Getenv("XDG_RUNTIME_DIR"); {
	case name == "" || filepath.IsAbs(name):
		return name
	case folder == "":
		return ""
	default:
		return filepath.Join(folder, name)
	}
}

// What a client of Wayland first asks for: the list of what the session offers, and a sign that the list is complete. A message is the object, the size
// with the number of the request or event, and its numbers and texts.
const (
	waylandDisplay  = 1 // the object that every connection begins with
	waylandRegistry = 2
	waylandListed   = 3

	messageHead  = 8
	mostMessage  = 1 << 16
	mostOffers   = 1000
	offerNumbers = 8 // the bytes before the offer's name: its number, and the name's length
)

// needed is what the toolkit does not do without: surfaces and memory for them, windows, and a seat, which has keyboard and pointer.
var needed = []string{"wl_compositor", "wl_shm", "xdg_wm_base", "wl_seat"}

// servesWayland reports whether a Wayland session answers at a socket, and has what is needed. The toolkit would wait for ever for a session that does
// not answer, and crash in one without a seat, such as a screen for other computers that none has joined.
func servesWayland(socket string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), displayPatience)
	defer cancel()
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "unix", socket)
	if err != nil {
		return false
	}
	defer conn.Close() //nolint:errcheck // nothing is left to be sent
	if conn.SetDeadline(time.Now().Add(displayPatience)) != nil {
		return false
	}
	ask := func(request, object uint32) []byte {
		message := binary.NativeEndian.AppendUint32(nil, waylandDisplay)
		message = binary.NativeEndian.AppendUint32(message, (messageHead+4)<<16|request)
		return binary.NativeEndian.AppendUint32(message, object)
	}
	if _, err := conn.Write(append(ask(1, waylandRegistry), ask(0, waylandListed)...)); err != nil {
		return false
	}
	lacks := slices.Clone(needed)
	for range mostOffers {
		object, text, err := waylandEvent(conn)
		switch {
		case err != nil || object == waylandDisplay: // a complaint
			return false
		case object == waylandListed:
			return len(lacks) == 0
		case object == waylandRegistry && len(text) > offerNumbers:
			name, _, _ := strings.Cut(string(text[offerNumbers:]), "\x00")
			lacks = slices.DeleteFunc(lacks, func(lacking string) bool { return lacking == name })
		}
	}
	return false
}

// waylandEvent reads an event: the object that it is of, and its numbers and texts.
func waylandEvent(from io.Reader) (object uint32, body []byte, err error) {
	head := make([]byte, messageHead)
	if _, err := io.ReadFull(from, head); err != nil {
		return 0, nil, err
	}
	size := binary.NativeEndian.Uint32(head[4:]) >> 16
	if size < messageHead || size > mostMessage {
		return 0, nil, io.ErrUnexpectedEOF
	}
	body = make([]byte, size-messageHead)
	_, err = io.ReadFull(from, body)
	return binary.NativeEndian.Uint32(head), body, err
}
