//go:build e2e && linux

package e2e

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"assay/client/assert"
)

// The screen whose pixels are read, larger than Assay's window.
const (
	benchScreen = "1400x900x24"
	benchFile   = "Xvfb_screen0"
)

// benchDesktop is a desktop whose X server keeps the screen's pixels in a file: reading there tells what is painted without
// another program's start, and without a request to the server that is being measured.
func benchDesktop(b testing.TB) (*Desktop, *framebuffer) {
	b.Helper()
	d := &Desktop{Dir: b.TempDir(), Shots: b.TempDir()}
	b.Cleanup(func() {
		if err := d.Close(); err != nil {
			b.Error(err)
		}
	})
	assert.NoError(b, d.makeHome())
	display, err := d.startAnswering(b.Context(), "Xvfb", "-displayfd", "3", "-screen", "0", benchScreen, "-fbdir", d.Dir, "-nolisten", "tcp", "-noreset")
	assert.NoError(b, err)
	d.display = ":" + display
	d.environment = append(d.environment, "DISPLAY="+d.display)
	bus, err := d.startAnswering(b.Context(), "dbus-daemon", "--session", "--nofork", "--print-address=3")
	assert.NoError(b, err)
	d.environment = append(d.environment, "DBUS_SESSION_BUS_ADDRESS="+bus)
	if _, err := d.Start("openbox"); err != nil {
		b.Fatal(err)
	}
	benchUntil(b, "the window manager serves", func() bool {
		_, err := d.Run(b.Context(), "xdotool", "get_num_desktops")
		return err == nil
	})
	return d, openFramebuffer(b, filepath.Join(d.Dir, benchFile))
}

// framebuffer is the file with the screen's pixels, in the format of xwd.
type framebuffer struct {
	file               *os.File
	start, row, height int64 // bytes up to the first pixel, bytes of a row, rows
}

func openFramebuffer(b testing.TB, path string) *framebuffer {
	b.Helper()
	file, err := os.Open(path)
	assert.NoError(b, err)
	b.Cleanup(func() { _ = file.Close() })
	header := make([]byte, 100)
	if _, err := file.ReadAt(header, 0); err != nil {
		b.Fatal(err)
	}
	field := func(n int) int64 { return int64(binary.BigEndian.Uint32(header[4*n:])) }
	const headerSize, heightField, rowField, colours, colourSize = 0, 5, 12, 19, 12
	return &framebuffer{file: file, start: field(headerSize) + field(colours)*colourSize, row: field(rowField), height: field(heightField)}
}

// sampledRows is how far the rows that are looked at are apart: closer than the height of a line of text.
const sampledRows = 12

// sample reads some rows of the screen.
func (f *framebuffer) sample(b testing.TB) []byte {
	b.Helper()
	var rows []byte
	for y := int64(0); y < f.height; y += sampledRows {
		row := make([]byte, f.row)
		if _, err := f.file.ReadAt(row, f.start+y*f.row); err != nil {
			b.Fatal(err)
		}
		rows = append(rows, row...)
	}
	return rows
}

// alike is the share, 0 to 1, of the pixels that are the same.
func alike(x, y []byte) float64 {
	same := 0
	for i := 0; i < len(x); i += 4 {
		if [4]byte(x[i:i+4]) == [4]byte(y[i:i+4]) {
			same++
		}
	}
	return float64(same) / float64(len(x)/4)
}

// differs reports whether one of the pixels from a column on is another one.
func (f *framebuffer) differs(x, y []byte, column int64) bool {
	for start := int64(0); start < int64(len(x)); start += f.row {
		if !bytes.Equal(x[start+4*column:start+f.row], y[start+4*column:start+f.row]) {
			return true
		}
	}
	return false
}

// benchUntil asks every 2 ms until the answer is yes, up to a minute.
func benchUntil(b testing.TB, what string, asked func() bool) {
	b.Helper()
	ticker := time.NewTicker(2 * time.Millisecond)
	defer ticker.Stop()
	deadline := time.Now().Add(time.Minute)
	for ; !asked(); <-ticker.C {
		if time.Now().After(deadline) {
			b.Fatalf("waited in vain until %s", what)
		}
	}
}

// still waits until the screen has not changed for some time, and returns it.
func still(b testing.TB, screen *framebuffer, rest time.Duration) []byte {
	b.Helper()
	last, since := screen.sample(b), time.Now()
	benchUntil(b, "the screen is still", func() bool {
		if now := screen.sample(b); screen.differs(now, last, 0) {
			last, since = now, time.Now()
		}
		return time.Since(since) > rest
	})
	return last
}

// hand presses keys without another program's start for each: one that is running reads them.
type hand struct {
	b     testing.TB
	stdin io.Writer
}

func newHand(b testing.TB, desktop *Desktop) *hand {
	b.Helper()
	command := exec.CommandContext(b.Context(), "xdotool", "-")
	command.Env = desktop.environment
	stdin, err := command.StdinPipe()
	assert.NoError(b, err)
	assert.NoError(b, command.Start())
	b.Cleanup(func() {
		_ = stdin.Close()
		_ = command.Wait()
	})
	return &hand{b: b, stdin: stdin}
}

func (h *hand) key(name string) {
	h.b.Helper()
	_, err := fmt.Fprintln(h.stdin, "key --delay 0 "+name)
	assert.NoError(h.b, err)
}
