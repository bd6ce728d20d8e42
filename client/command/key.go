package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"assay/client"
	"assay/client/bounded"
	"assay/client/i18n"
	"assay/client/keys"
	"assay/client/session"
)

// keyHelp is the long help of `assay key`.
const keyHelp = `Keeps the key of a service in this computer's keychain: the Secret Service on Linux, the Keychain on macOS, the
Credential Manager on Windows. Each service's address has its own; name it with --server or ASSAY_SERVER.

Where ASSAY_API_KEY is set, that key is used, for this run, and kept nowhere. It serves where there is no keychain; so
does the key in the file that ASSAY_API_KEY_FILE names.`

const neverAnArgument = "The key is never given as an argument: other programs and the shell's history would see it. " +
	"Call assay key set without it, and type or paste it when asked, or pipe it in."

func newKey(f *session.Options) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "key set|status|clear|signing|rotate-signing",
		Short: "Save a service's key in this computer's keychain; show the key that seals bundles",
		Long:  keyHelp,
		// Arguments are refused in RunE, and not repeated there: one may be the key.
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return &session.Misuse{Sentence: "Say what to do with the key: assay key set, status or clear; or assay key signing or rotate-signing, for the key that seals bundles."}
			}
			return &session.Misuse{Sentence: "assay key takes set, status, clear, signing or rotate-signing. " + neverAnArgument}
		},
	}
	cmd.SetFlagErrorFunc(func(*cobra.Command, error) error {
		return &session.Misuse{Sentence: "assay key does not have one of these flags: see assay key --help. " + neverAnArgument}
	})
	cmd.AddCommand(
		&cobra.Command{
			Use:   "set",
			Short: "Save a key, instead of any other, read from the terminal or from standard input",
			Long: "Asks for the key without showing it, or reads it from standard input if that is not a terminal, and saves it in the keychain.\n" +
				"It does not try the key: scan and list tell whether the service accepts it. An open window uses it at once, other commands from their next start on.",
			Args: noKeyArgument,
			RunE: withKeychain(f, setKey),
		},
		&cobra.Command{
			Use:   "status",
			Short: "Say whether there is a key, and where; never the key itself",
			Long: "Says which key is used for the service, and whether one is saved in the keychain; never the key or a part of it.\n" +
				"Exit status: 0 there is a key, 1 there is no key.",
			Args: noKeyArgument,
			RunE: withKeychain(f, keyStatus),
		},
		&cobra.Command{
			Use:   "clear",
			Short: "Remove the key from the keychain",
			Args:  noKeyArgument,
			RunE:  withKeychain(f, clearKey),
		},
	)
	cmd.AddCommand(signingCommands(f)...)
	return cmd
}

// noKeyArgument refuses arguments without repeating them.
func noKeyArgument(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return &session.Misuse{Sentence: neverAnArgument}
	}
	return nil
}

// keyCall is a call of a subcommand of `assay key`.
type keyCall struct {
	*cobra.Command
	*session.Base
	keychain *keys.Keychain
	address  string // of the service
}

// tellPatience is how long a window may take to read the keychain, which may ask the person.
const tellPatience = 10 * time.Second

// keyWork is the work of such a subcommand.
type keyWork func(keyCall) error

// withKeychain does the work for the service that the flags name, and words its errors.
func withKeychain(f *session.Options, work keyWork) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, _ []string) error {
		if f.Sandbox {
			return &session.Misuse{Sentence: "The sandbox makes its own key: name a service with --server instead."}
		}
		b, err := f.Begin()
		if err != nil {
			return err
		}
		named := b.Config.Settings().Service.Address // it is kept in the settings also while the sandbox is used
		if named == "" {
			return &session.Misuse{Sentence: "No service is named. Each service has its own key, so give --server (or ASSAY_SERVER), or set one up in Assay's window."}
		}
		c, err := client.New(client.Options{BaseURL: named})
		if err != nil {
			return &session.Misuse{Sentence: i18n.Sentence(err)}
		}
		defer c.Close()
		return session.KeyMisuse(work(keyCall{Command: cmd, Base: b, keychain: f.Keychain(), address: c.Address()}))
	}
}

func setKey(call keyCall) error {
	given, err := askKey(call.Context(), call.InOrStdin(), call.ErrOrStderr(), i18n.F("Key for %s:", call.address)+" ")
	if err != nil {
		return err
	}
	call.Secrets.Add(strings.TrimSpace(given))
	if err := call.keychain.Set(call.Context(), call.address, given); err != nil {
		return err
	}
	said := i18n.F("The key for %s is saved in this computer's keychain.", call.address)
	if call.tellWindow() {
		said += " " + i18n.T("The open window uses it from now on.")
	}
	return printLine(call.OutOrStdout(), said)
}

// tellWindow has an open window of this service read its key again, and reports whether there is one that did.
func (call keyCall) tellWindow() bool {
	ctx, cancel := context.WithTimeout(call.Context(), tellPatience)
	defer cancel()
	read := false
	err := session.OpKey.Call(ctx, session.DataFolder(call.Home, call.address, false), session.KeyJob{Address: call.address},
		func(a session.KeyAnswer) error { read = a.Read; return nil })
	if err != nil {
		call.Log.Debug("no window was told", "error", err)
	}
	return err == nil && read
}

func keyStatus(call keyCall) error {
	environment, err := session.EnvironmentKey()
	if err != nil {
		return err
	}
	kept, problem := call.keychain.Kept(call.Context(), call.address)
	if ended := call.Context().Err(); ended != nil {
		return ended
	}
	used := i18n.T("none")
	switch {
	case environment != "":
		used = i18n.T("the key in ASSAY_API_KEY, for this run only")
	case kept:
		used = i18n.T("the key in this computer's keychain")
	case keys.IsProblem(problem, keys.Locked), keys.IsProblem(problem, keys.Slow):
		used = i18n.T("none, until the keychain is unlocked")
	}
	if err := printLines(call.OutOrStdout(), []string{i18n.F("service: %s", call.address), i18n.F("used: %s", used),
		i18n.F("keychain: %s", keychainWords(kept, problem))}); err != nil {
		return err
	}
	if environment == "" && !kept {
		return errSomeFailed
	}
	return nil
}

// keychainWords say what is in the keychain.
func keychainWords(kept bool, err error) string {
	var p *keys.Problem
	switch {
	case errors.As(err, &p):
		return p.Sentence()
	case err != nil:
		return err.Error()
	case kept:
		return i18n.T("a key is saved for this service")
	}
	return i18n.T("no key is saved for this service")
}

func clearKey(call keyCall) error {
	err := call.keychain.Remove(call.Context(), call.address)
	said := i18n.F("The key for %s was removed from this computer's keychain.", call.address)
	if keys.IsProblem(err, keys.Missing) {
		said, err = i18n.F("No key was saved for %s.", call.address), nil
	}
	if err != nil {
		return err
	}
	call.tellWindow()
	return printLine(call.OutOrStdout(), said)
}

// mostInput is more than any key is long; the rest is not read.
const mostInput = 64 << 10

// askKey reads a key: from a terminal after a prompt, without showing it; from anything else until its end. Nothing can interrupt the goroutine that
// reads, so it may outlive ctx; by then the terminal shows typed text again.
func askKey(ctx context.Context, in io.Reader, prompts io.Writer, prompt string) (string, error) {
	type input struct {
		text []byte
		err  error
	}
	if err := ctx.Err(); err != nil {
		return "", err
	}
	read := make(chan input, 1)
	file, ok := in.(*os.File)
	if ok && term.IsTerminal(int(file.Fd())) { //nolint:gosec // a descriptor fits an int
		terminal := int(file.Fd()) //nolint:gosec // likewise
		before, err := term.GetState(terminal)
		if err != nil {
			return "", fmt.Errorf("ask the terminal: %w", err)
		}
		ask(prompts, prompt)
		defer func() {
			_ = term.Restore(terminal, before) // its state was read a moment ago
			_ = printLine(prompts, "")         // the end of the typed line was not shown
		}()
		go func() {
			text, err := term.ReadPassword(terminal)
			read <- input{text, err}
		}()
	} else {
		go func() {
			text, err := bounded.ReadUpTo(in, mostInput)
			read <- input{text, err}
		}()
	}
	select {
	case got := <-read:
		if got.err != nil && got.err != io.EOF { //nolint:errorlint // ReadPassword's own, never wrapped
			return "", fmt.Errorf("read the key: %w", got.err)
		}
		return string(got.text), nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}
