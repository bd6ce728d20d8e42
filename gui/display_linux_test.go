package gui

import (
	"encoding/binary"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/client/assert"
)

func TestChooseDisplay(t *testing.T) {
	for name, c := range map[string]struct {
		x11, wayland string // "", "answers" or "gone", Wayland also "silent" or "seatless"
		given, want  string // of the toolkit's variable, before and while the window is made
		problem      string
	}{
		"only X11":                                  {x11: "answers", want: onX11},
		"only Wayland":                              {wayland: "answers", want: onWayland},
		"both: the toolkit decides":                 {x11: "answers", wayland: "answers"},
		"an X server that is gone":                  {x11: "gone", wayland: "answers", want: onWayland},
		"a Wayland session that is gone":            {x11: "answers", wayland: "gone", want: onX11},
		"both, and the person wants X11":            {x11: "answers", wayland: "answers", given: onX11, want: onX11},
		"both, and the person wants Wayland":        {x11: "answers", wayland: "answers", given: onWayland, want: onWayland},
		"the person wants what is not there":        {x11: "answers", given: onWayland, problem: "There is no display here"},
		"the person wants what does not answer":     {x11: "answers", wayland: "gone", given: onWayland, problem: "does not answer"},
		"a word of which the toolkit knows no use":  {wayland: "answers", given: "mir", want: onWayland},
		"a Wayland session that does not answer":    {x11: "answers", wayland: "silent", want: onX11},
		"a Wayland session without a keyboard":      {x11: "answers", wayland: "seatless", want: onX11},
		"only a Wayland session without a keyboard": {wayland: "seatless", problem: "does not answer"},
		"none":                 {problem: "There is no display here"},
		"only X11, gone":       {x11: "gone", problem: "does not answer"},
		"only Wayland, gone":   {wayland: "gone", problem: "does not answer"},
		"both, and both gone":  {x11: "gone", wayland: "gone", problem: "does not answer"},
		"a display by no name": {x11: "no display", problem: "does not answer"},
	} {
		t.Run(name, func(t *testing.T) {
			folder, err := os.MkdirTemp("", "assay") //nolint:usetesting // short: the path of a socket has 108 bytes at most
			assert.NoError(t, err)
			t.Cleanup(func() { assert.NoError(t, os.RemoveAll(folder)) })
			serve := func(state, file string) string {
				if state == "" || state == "no display" {
					return state
				}
				if state != "gone" {
					server, err := net.Listen("unix", filepath.Join(folder, file)) //nolint:noctx // it waits for nothing
					assert.NoError(t, err)
					t.Cleanup(func() { assert.NoError(t, server.Close()) })
					go offer(server, map[string][]string{"answers": append([]string{"wl_output"}, needed...), "seatless": append([]string{"wl_seat_manager"}, needed[:len(needed)-1]...)}[state])
				}
				return file
			}
			x11 := serve(c.x11, "x:0")
			if x11 == "x:0" {
				x11 = filepath.Join(folder, x11)
			}
			t.Setenv("DISPLAY", x11)
			t.Setenv("XDG_RUNTIME_DIR", folder)
			t.Setenv("WAYLAND_DISPLAY", serve(c.wayland, "wayland-5"))
			t.Setenv(platformVariable, c.given)
			undo, problem := chooseDisplay()
			if c.problem != "" {
				if !strings.Contains(problem, c.problem) {
					t.Errorf("it says %q, want %q in it", problem, c.problem)
				}
				return
			}
			assert.Equal(t, "", problem)
			assert.Equal(t, c.want, os.Getenv(platformVariable))
			undo()
			assert.Equal(t, c.given, os.Getenv(platformVariable))
		})
	}
}

// offer answers clients of Wayland with the list of what a session offers; without one it takes calls and says nothing.
func offer(server net.Listener, names []string) {
	for {
		conn, err := server.Accept()
		if err != nil {
			return
		}
		defer conn.Close() //nolint:errcheck // the client knows
		if _, err := io.ReadFull(conn, make([]byte, 24)); err != nil || names == nil {
			continue
		}
		event := func(object uint32, body []byte) {
			head := binary.NativeEndian.AppendUint32(nil, object)
			_, _ = conn.Write(append(binary.NativeEndian.AppendUint32(head, uint32(messageHead+len(body))<<16), body...)) //nolint:gosec // short; the client may be gone
		}
		for i, name := range names {
			body := binary.NativeEndian.AppendUint32(nil, uint32(i+1))                          //nolint:gosec // few
			body = append(binary.NativeEndian.AppendUint32(body, uint32(len(name)+1)), name...) //nolint:gosec // short
			body = append(body, make([]byte, 4-len(name)%4)...)
			event(waylandRegistry, binary.NativeEndian.AppendUint32(body, 1))
		}
		event(waylandListed, make([]byte, 4))
	}
}
