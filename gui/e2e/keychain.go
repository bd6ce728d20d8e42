//go:build e2e && linux

package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Keychain is a real one, gnome-keyring, on the desktop.
type Keychain struct {
	*Process
	desktop *Desktop
}

// keychainPassword opens the desktop's keychain.
const keychainPassword = "correct horse"

// StartKeychain starts the keychain: open as after a log-in, or locked, with nobody there who could be asked for the password.
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
	err = Until(ctx, 20*time.Second, "the keychain serves", func() (bool, error) {
		answer, err := d.Run(ctx, "dbus-send", "--print-reply", "--dest=org.freedesktop.secrets", "/org/freedesktop/secrets/collection/login",
			"org.freedesktop.DBus.Properties.Get", "string:org.freedesktop.Secret.Collection", "string:Locked")
		return err == nil && strings.Contains(string(answer), want), nil
	})
	return k, err
}

// Key is what the keychain has for a service's address, as another program finds it; "" where it has none.
func (k *Keychain) Key(ctx context.Context, address string) string {
	key, err := k.desktop.Run(ctx, "secret-tool", "lookup", "service", "Assay", "username", address)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(key))
}
