//go:build e2e && linux

// Package e2e drives the real program from outside, on a desktop of its own: a virtual X server, a window manager, a session bus, a file manager and
// a sound card that is recorded. It imports nothing of Assay, so that it knows no more than a person in front of the screen.
package e2e

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// patience is how long to wait for what has to happen at some time, on a small machine under load: it only ends what would hang.
const patience = time.Minute

// commandLimit is how long a call of xdotool or import may take; they answer within a second, or never.
const commandLimit = patience

// Desktop is a virtual screen with a home of its own. Close ends all programs that were started on it.
type Desktop struct {
	// Dir contains the home and what programs store; Shots is the folder for screenshots.
	Dir, Shots string

	environment []string
	display     string // of the X server
	running     []*Process
}

// StartDesktop starts the X server with a screen of width × height pixels, the session bus and the window manager, and waits until each is ready.
func StartDesktop(ctx context.Context, dir, shots string, width, height int) (desktop *Desktop, err error) {
	d := &Desktop{Dir: dir, Shots: shots}
	defer func() {
		if err != nil {
			err = errors.Join(err, d.Close())
		}
	}()
	if err := d.makeHome(); err != nil {
		return nil, err
	}
	display, err := d.startAnswering(ctx, "Xvfb",
		"-displayfd", "3", "-screen", "0", fmt.Sprintf("%dx%dx24", width, height), "-nolisten", "tcp", "-noreset")
	if err != nil {
		return nil, err
	}
	d.display = ":" + display
	d.environment = append(d.environment, "DISPLAY="+d.display)
	bus, err := d.startBus(ctx)
	if err != nil {
		return nil, err
	}
	d.environment = append(d.environment, "DBUS_SESSION_BUS_ADDRESS="+bus)
	if _, err := d.Start("openbox"); err != nil {
		return nil, err
	}
	err = Until(ctx, patience, "the window manager serves", func() (bool, error) {
		_, err := d.Run(ctx, "xdotool", "get_num_desktops")
		return err == nil, nil
	})
	return d, err
}

// busConfig prevents the session bus from starting programs: only those run that a test has started, and no other keychain or notifications.
const busConfig = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:tmpdir=%s</listen>
  <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
</busconfig>
`

func (d *Desktop) startBus(ctx context.Context) (address string, err error) {
	config := filepath.Join(d.Dir, "bus.conf")
	if err := os.WriteFile(config, fmt.Appendf(nil, busConfig, os.TempDir()), 0o600); err != nil {
		return "", fmt.Errorf("session bus: %w", err)
	}
	return d.startAnswering(ctx, "dbus-daemon", "--config-file="+config, "--nofork", "--nopidfile", "--print-address=3")
}

// makeHome makes the private folders and the environment that names them. Of the caller's environment it takes only the path and the folders
// of measurements.
func (d *Desktop) makeHome() error {
	folders := map[string]string{"HOME": "home", "XDG_CONFIG_HOME": "home/.config", "XDG_DATA_HOME": "home/.local/share",
		"XDG_CACHE_HOME": "home/.cache", "XDG_STATE_HOME": "home/.local/state", "XDG_RUNTIME_DIR": "run", "TMPDIR": "tmp"}
	for name, folder := range folders {
		path := filepath.Join(d.Dir, folder)
		if err := os.MkdirAll(path, 0o700); err != nil {
			return fmt.Errorf("private home: %w", err)
		}
		d.environment = append(d.environment, name+"="+path)
	}
	if err := os.MkdirAll(d.Shots, 0o750); err != nil {
		return fmt.Errorf("folder for screenshots: %w", err)
	}
	d.environment = append(d.environment, "PATH="+os.Getenv("PATH"), "LANG=C.UTF-8", "NO_AT_BRIDGE=1", "LIBGL_ALWAYS_SOFTWARE=1")
	for _, name := range []string{"GOCOVERDIR", "ASSAY_PROFILE"} { // where programs write what was covered, and what was measured
		if folder, set := os.LookupEnv(name); set {
			d.environment = append(d.environment, name+"="+folder)
		}
	}
	return nil
}

// startAnswering starts a server that writes a line with its address to file descriptor 3 when it is ready.
func (d *Desktop) startAnswering(ctx context.Context, name string, arguments ...string) (string, error) {
	answer, theirs, err := os.Pipe()
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	defer func() { _ = answer.Close() }()
	command := exec.Command(name, arguments...) //nolint:noctx // Process.Stop ends it, in order: a cancelled context would kill it before its clients
	command.ExtraFiles = []*os.File{theirs}
	process, err := startProcess(command, d.environment)
	_ = theirs.Close()
	if err != nil {
		return "", err
	}
	d.running = append(d.running, process)
	deadline, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	stop := context.AfterFunc(deadline, func() { _ = answer.Close() })
	defer stop()
	// The server keeps the pipe open, so read to the end of the line only.
	var line strings.Builder
	for one := make([]byte, 1); ; {
		if _, err := io.ReadFull(answer, one); err != nil {
			return "", fmt.Errorf("%s does not serve: %w: %s", name, err, process.Errors.String())
		}
		if one[0] == '\n' {
			return strings.TrimSpace(line.String()), nil
		}
		line.WriteByte(one[0])
	}
}

// Start starts a program on the desktop; extra variables are NAME=value.
func (d *Desktop) Start(name string, arguments ...string) (*Process, error) {
	return d.StartWith(nil, name, arguments...)
}

// StartWith is Start with variables, each NAME=value, which replace the desktop's own; an empty value unsets one.
func (d *Desktop) StartWith(variables []string, name string, arguments ...string) (*Process, error) {
	command := exec.Command(name, arguments...) //nolint:noctx // Process.Stop ends it, in order
	process, err := startProcess(command, overlay(d.environment, variables))
	if err != nil {
		return nil, err
	}
	d.running = append(d.running, process)
	return process, nil
}

// Run runs a short command on the desktop and returns its standard output.
func (d *Desktop) Run(ctx context.Context, name string, arguments ...string) ([]byte, error) {
	limited, cancel := context.WithTimeout(ctx, commandLimit)
	defer cancel()
	command := exec.CommandContext(limited, name, arguments...)
	command.Env = d.environment
	command.WaitDelay = time.Second
	var errorText bytes.Buffer
	command.Stderr = &errorText
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w: %s", name, strings.Join(arguments, " "), err, strings.TrimSpace(errorText.String()))
	}
	return out, nil
}

// Close ends all programs, the last first.
func (d *Desktop) Close() error {
	var all []error
	for _, process := range slices.Backward(d.running) {
		all = append(all, process.Stop())
	}
	d.running = nil
	return errors.Join(all...)
}

// overlay adds variables to an environment, replacing those of the same name.
func overlay(environment, variables []string) []string {
	merged := slices.Clone(environment)
	for _, variable := range variables {
		name, value, _ := strings.Cut(variable, "=")
		merged = slices.DeleteFunc(merged, func(old string) bool { return strings.HasPrefix(old, name+"=") })
		if value != "" {
			merged = append(merged, variable)
		}
	}
	return merged
}

// Until calls asked every 50 ms until it returns true or an error, or the limit is over.
func Until(ctx context.Context, limit time.Duration, what string, asked func() (bool, error)) error {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	ticker := time.NewTicker(50 * time.Millisecond)
	defer ticker.Stop()
	for {
		if yes, err := asked(); err != nil || yes {
			return err
		}
		select {
		case <-limited.Done():
			return fmt.Errorf("waited %s in vain until %s: %w", limit, what, limited.Err())
		case <-ticker.C:
		}
	}
}

// Copy puts the content of a file into the clipboard, in a form such as image/png, as a program does that goes on running. It takes a file to keep
// the content out of processes' arguments.
func (d *Desktop) Copy(ctx context.Context, form, file string) error {
	if _, err := d.Start("xclip", "-quiet", "-selection", "clipboard", "-t", form, "-i", file); err != nil {
		return err
	}
	return Until(ctx, patience, fmt.Sprintf("%s is in the clipboard", form), func() (bool, error) {
		there, err := d.Run(ctx, "xclip", "-o", "-selection", "clipboard", "-t", "TARGETS")
		return err == nil && len(there) > 0, nil
	})
}

// Keychain is a real keychain, gnome-keyring, on the desktop.
type Keychain struct {
	*Process
	desktop *Desktop
}

// keychainPassword unlocks the desktop's keychain.
const keychainPassword = "correct horse"

// StartKeychain starts the keychain: unlocked as after a log-in, or locked without a way to ask for the password.
func (d *Desktop) StartKeychain(ctx context.Context, open bool) (*Keychain, error) {
	file := filepath.Join(d.Dir, "keychain password")
	if err := os.WriteFile(file, []byte(keychainPassword), 0o600); err != nil {
		return nil, fmt.Errorf("keychain: %w", err)
	}
	line := "exec gnome-keyring-daemon --start --components=secrets --foreground"
	if open {
		line = `exec gnome-keyring-daemon --unlock --components=secrets --foreground < "$FILE"`
	}
	process, err := d.StartWith([]string{"FILE=" + file}, "sh", "-c", line)
	if err != nil {
		return nil, err
	}
	k := &Keychain{Process: process, desktop: d}
	want := map[bool]string{true: "boolean false", false: "boolean true"}[open]
	err = Until(ctx, patience, "the keychain serves", func() (bool, error) {
		answer, err := d.Run(ctx, "dbus-send", "--print-reply", "--dest=org.freedesktop.secrets", "/org/freedesktop/secrets/collection/login",
			"org.freedesktop.DBus.Properties.Get", "string:org.freedesktop.Secret.Collection", "string:Locked")
		return err == nil && strings.Contains(string(answer), want), nil
	})
	return k, err
}

// Key returns the key in the keychain for a service's URL, as another program finds it; "" if there is none.
func (k *Keychain) Key(ctx context.Context, address string) string {
	key, err := k.desktop.Run(ctx, "secret-tool", "lookup", "service", "Assay", "username", address)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(key))
}

// notificationSettings place notifications away from the windows, in the lower left corner of the screen.
const notificationSettings = `[global]
    origin = bottom-left
    width = 380
    height = 60
    offset = 8x8
    idle_threshold = 0
    sort = no
`

// Notifications is a notification program on the desktop that records what it receives.
type Notifications struct {
	*Process
}

// StartNotifications starts it, and waits until it is ready on the session bus.
func (d *Desktop) StartNotifications(ctx context.Context) (*Notifications, error) {
	settings := filepath.Join(d.Dir, "dunstrc")
	if err := os.WriteFile(settings, []byte(notificationSettings), 0o600); err != nil {
		return nil, fmt.Errorf("notifications: %w", err)
	}
	process, err := d.Start("dunst", "-print", "-config", settings)
	if err != nil {
		return nil, err
	}
	// Waiting must not send it anything: the bus would start another program if this one is not ready.
	err = Until(ctx, patience, "notifications are taken", func() (bool, error) {
		answer, err := d.Run(ctx, "dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus",
			"org.freedesktop.DBus.NameHasOwner", "string:org.freedesktop.Notifications")
		return err == nil && strings.Contains(string(answer), "boolean true"), nil
	})
	return &Notifications{Process: process}, err
}

// Notification is a notification that was shown.
type Notification struct{ Program, Title, Text string }

// Shown returns the notifications so far, in order.
func (n *Notifications) Shown() []Notification {
	var shown []Notification
	var next Notification
	for _, line := range n.Output.Lines() {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		value = strings.TrimSuffix(strings.TrimPrefix(value, "'"), "'")
		switch name {
		case "appname":
			next = Notification{Program: value}
		case "summary":
			next.Title = value
		case "body":
			next.Text = value
		}
		if line == "}" { // not indented: the end of a notification
			shown = append(shown, next)
		}
	}
	return shown
}
