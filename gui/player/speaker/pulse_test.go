//go:build sound && linux

package speaker

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"assay/client/assert"
)

// pulse is a sound server of the test's own, whose only device throws away what it plays and can be listened to.
type pulse struct {
	t    *testing.T
	dir  string
	sink string
	env  []string
	pid  int
}

// alsaThroughPulse is the configuration by which programs that know ALSA alone play through it.
const alsaThroughPulse = `</usr/share/alsa/alsa.conf>
pcm.!default { type pulse }
ctl.!default { type pulse }
`

// need looks for a program that a test cannot do without. On the machines that decide what lands, it must be there.
func need(t *testing.T, programs ...string) {
	t.Helper()
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil {
			if os.Getenv("CI") != "" {
				t.Fatalf("CI is set, so %s must be installed: %v", program, err)
			}
			t.Skipf("%s is not installed here", program)
		}
	}
}

// startPulse starts a server that ends with the test, and points this process's ALSA at it.
func startPulse(t *testing.T) *pulse {
	t.Helper()
	need(t, "pulseaudio", "pactl", "parec")
	dir := t.TempDir()
	socket := filepath.Join(dir, "native")
	p := &pulse{t: t, dir: dir, sink: "assay"}
	p.env = append(os.Environ(), "HOME="+dir, "XDG_RUNTIME_DIR="+dir, "XDG_CONFIG_HOME="+dir, "PULSE_RUNTIME_PATH="+dir, "PULSE_STATE_PATH="+dir,
		"PULSE_SERVER=unix:"+socket, "DBUS_SESSION_BUS_ADDRESS=", "DISPLAY=")
	// #nosec G204 -- a test's own arguments
	server := exec.CommandContext(t.Context(), "pulseaudio", "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "--disallow-exit=no", "--log-target=stderr", "--log-level=error",
		"--load=module-native-protocol-unix auth-anonymous=1 socket="+socket,
		"--load=module-null-sink sink_name="+p.sink+" rate=48000 channels=2")
	server.Env = p.env
	var said strings.Builder
	server.Stderr = &said
	assert.NoError(t, server.Start())
	p.pid = server.Process.Pid
	gone := make(chan struct{})
	go func() { _ = server.Wait(); close(gone) }() // it is ended by a signal
	t.Cleanup(func() {
		_ = server.Process.Kill() // it may have ended
		<-gone
	})
	ctx, cancel := context.WithTimeout(t.Context(), 15*time.Second)
	defer cancel()
	for !p.answers(ctx) {
		select {
		case <-gone:
			t.Fatalf("pulseaudio ended: %s", said.String())
		case <-ctx.Done():
			t.Fatalf("pulseaudio does not answer: %s", said.String())
		case <-time.After(50 * time.Millisecond):
		}
	}
	conf := filepath.Join(dir, "alsa.conf")
	assert.NoError(t, os.WriteFile(conf, []byte(alsaThroughPulse), 0o600))
	t.Setenv("ALSA_CONFIG_PATH", conf)
	t.Setenv("PULSE_SERVER", "unix:"+socket)
	t.Setenv("HOME", dir)
	t.Setenv("XDG_RUNTIME_DIR", dir)
	return p
}

// freeze stops the server without ending it.
func (p *pulse) freeze() {
	p.t.Helper()
	assert.NoError(p.t, syscall.Kill(p.pid, syscall.SIGSTOP))
}

func (p *pulse) answers(ctx context.Context) bool {
	list := exec.CommandContext(ctx, "pactl", "list", "short", "sinks")
	list.Env = p.env
	out, err := list.Output()
	return err == nil && strings.Contains(string(out), p.sink)
}

// record hears what the sink plays while during runs: samples of 16 bits, left and right by turns, 48,000 each a second.
func (p *pulse) record(during func()) []byte {
	p.t.Helper()
	ctx, cancel := context.WithCancel(p.t.Context())
	defer cancel()
	rec := exec.CommandContext(ctx, "parec", "--latency-msec=20", "-d", p.sink+".monitor", "--raw", "--format=s16le", "--rate=48000", "--channels=2") // #nosec G204 -- as above
	rec.Env = p.env
	out, err := rec.StdoutPipe()
	assert.NoError(p.t, err)
	assert.NoError(p.t, rec.Start())
	reader := bufio.NewReader(out)
	if _, err := reader.Peek(4); err != nil { // it records
		p.t.Fatal(fmt.Errorf("parec: %w", err))
	}
	all := make(chan []byte)
	go func() {
		var heard []byte
		block := make([]byte, 4096)
		for {
			n, err := reader.Read(block)
			heard = append(heard, block[:n]...)
			if err != nil {
				all <- heard
				return
			}
		}
	}()
	during()
	cancel()
	heard := <-all
	_ = rec.Wait() // ended by us
	return heard
}
