package command

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"assay/client/assert"
	"assay/client/session"
)

// terminal is one of the test's own: what it shows is collected, and it is typed into.
type terminal struct {
	t        *testing.T
	keyboard *os.File // and screen
	program  *os.File // the end that a program has

	mu     sync.Mutex
	screen bytes.Buffer
}

func newTerminal(t *testing.T) *terminal {
	t.Helper()
	keyboard, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no terminals here: %v", err)
	}
	t.Cleanup(func() { _ = keyboard.Close() })
	number, err := unix.IoctlGetInt(int(keyboard.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(keyboard.Fd()), unix.TIOCSPTLCK, 0)
	}
	assert.NoError(t, err)
	program, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	assert.NoError(t, err)
	t.Cleanup(func() { _ = program.Close() })
	term := &terminal{t: t, keyboard: keyboard, program: program}
	go func() {
		block := make([]byte, 1024)
		for {
			n, err := keyboard.Read(block)
			term.mu.Lock()
			term.screen.Write(block[:n])
			term.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return term
}

func (term *terminal) echoes() bool {
	term.t.Helper()
	state, err := unix.IoctlGetTermios(int(term.program.Fd()), unix.TCGETS)
	assert.NoError(term.t, err)
	return state.Lflag&unix.ECHO != 0
}

// until waits for it.
func (term *terminal) until(what string, is func() bool) {
	term.t.Helper()
	for deadline := time.Now().Add(patienceOfTerminals); !is(); <-time.After(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			term.t.Fatalf("%s: not in time; the screen shows %q", what, term.shows())
		}
	}
}

const patienceOfTerminals = time.Minute

func (term *terminal) shows() string {
	term.mu.Lock()
	defer term.mu.Unlock()
	return term.screen.String()
}

func TestTheKeyIsTypedUnseen(t *testing.T) {
	begin := func(t *testing.T) (d *fixture, term *terminal, ended <-chan int, stop func()) {
		t.Helper()
		d, term = setup(t), newTerminal(t)
		ctx, cancel := context.WithCancel(t.Context())
		t.Cleanup(cancel)
		codes := make(chan int, 1)
		go func() {
			codes <- Main(ctx, session.Options{KeyBackend: d}, []string{"key", "set", "--server", someService}, term.program, io.Discard, term.program, nil)
		}()
		term.until("the question, and no echo", func() bool { return strings.Contains(term.shows(), "Key for "+someService+": ") && !term.echoes() })
		return d, term, codes, cancel
	}
	t.Run("what is typed is kept and never shown", func(t *testing.T) {
		d, term, ended, _ := begin(t)
		if _, err := term.keyboard.WriteString(someKey + "\n"); err != nil {
			t.Fatal(err)
		}
		if code := <-ended; code != ExitAnswered || d.kept[someService] != someKey {
			t.Errorf("exit %d, kept %v", code, d.kept)
		}
		if !term.echoes() || strings.Contains(term.shows(), someKey[:6]) {
			t.Errorf("echoes: %v; the screen shows %q", term.echoes(), term.shows())
		}
	})
	t.Run("who stops it has a terminal that shows what is typed", func(t *testing.T) {
		d, term, ended, stop := begin(t)
		stop()
		if code := <-ended; code != ExitFailed || len(d.kept) != 0 || !term.echoes() {
			t.Errorf("exit %d, kept %v, echoes: %v", code, d.kept, term.echoes())
		}
	})
}
