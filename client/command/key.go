package command

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"assay/client"
	"assay/client/keys"
)

// keyHelp is the long help of `assay key`.
const keyHelp = `Keeps the key of a service in this computer's keychain: the Secret Service on Linux, the Keychain on macOS, the
Credential Manager on Windows. Each service's address has its own; name it with --server or ASSAY_SERVER.

Where ASSAY_API_KEY is set, that key is used, for this run, and kept nowhere. It serves where there is no keychain.`

const neverAnArgument = "The key is never given as an argument: other programs and the shell's history would see it. " +
	"Call assay key set without it, and type or paste it when asked, or pipe it in."

func newKey(f *flags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "key set|status|clear",
		Short: "Keep a service's key in this computer's keychain",
		Long:  keyHelp,
		// What is wrong is never repeated here: it may be the key.
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return &Misuse{Sentence: "Say what to do with the key: assay key set, status or clear."}
			}
			return &Misuse{Sentence: "assay key takes set, status or clear. " + neverAnArgument}
		},
	}
	cmd.SetFlagErrorFunc(func(*cobra.Command, error) error {
		return &Misuse{Sentence: "There is a flag that assay key does not have: see assay key --help. " + neverAnArgument}
	})
	cmd.AddCommand(
		&cobra.Command{
			Use:   "set",
			Short: "Keep a key, in place of any other, read from the terminal or from standard input",
			Long: "Asks for the key without showing it, or reads it from standard input where that is no terminal, and keeps it in the keychain.\n" +
				"It is not tried out: scan and list tell whether the service accepts it. What runs already uses it from its next start on.",
			Args: noKeyArgument,
			RunE: f.withKeychain(setKey),
		},
		&cobra.Command{
			Use:   "status",
			Short: "Say whether there is a key, and where; never the key itself",
			Long: "Says which key is used for the service, and whether one is kept in the keychain; never the key or a part of it.\n" +
				"Exit status: 0 there is one to use, 1 there is none.",
			Args: noKeyArgument,
			RunE: f.withKeychain(keyStatus),
		},
		&cobra.Command{
			Use:   "clear",
			Short: "Remove the key from the keychain",
			Args:  noKeyArgument,
			RunE:  f.withKeychain(clearKey),
		},
	)
	return cmd
}

// noKeyArgument refuses arguments without repeating them.
func noKeyArgument(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return &Misuse{Sentence: neverAnArgument}
	}
	return nil
}

// keyWork is what a subcommand of `assay key` does with the keychain and the address of a service.
type keyWork func(cmd *cobra.Command, k *keys.Keychain, address string) error

// withKeychain does the work for the service that the flags name, and puts what stands in its way into words.
func (f *flags) withKeychain(work keyWork) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, _ []string) error {
		switch {
		case f.sandbox:
			return &Misuse{Sentence: "The sandbox makes its own key: name a service with --server instead."}
		case f.server == "":
			return &Misuse{Sentence: "No service is named: each has its own key, so give --server (or ASSAY_SERVER)."}
		}
		c, err := client.New(client.Options{BaseURL: f.server})
		if err != nil {
			return misuse(err)
		}
		defer c.Close()
		return keyTrouble(work(cmd, f.keychain(cmd.ErrOrStderr()), c.Address()))
	}
}

// keychain is this computer's, which says when it waits for the person.
func (f *flags) keychain(stderr io.Writer) *keys.Keychain {
	return keys.New(keys.Options{Backend: f.keyBackend, Waiting: func() {
		_, _ = fmt.Fprintln(stderr, "assay: waiting for the keychain: it may ask you to unlock it")
	}})
}

// onlyThisRun is how a key serves without a keychain.
const onlyThisRun = "Set ASSAY_API_KEY instead: the key is then used for this run, and kept nowhere."

// keyTrouble makes those errors Misuse that no other try would end.
func keyTrouble(err error) error {
	var unusable *keys.Unusable
	switch {
	case errors.As(err, &unusable):
		return &Misuse{Sentence: unusable.Sentence()}
	case keys.IsProblem(err, keys.Absent), keys.IsProblem(err, keys.TooLarge):
		var p *keys.Problem
		errors.As(err, &p)
		return &Misuse{Sentence: p.Sentence() + " " + onlyThisRun}
	}
	return err
}

func setKey(cmd *cobra.Command, k *keys.Keychain, address string) error {
	given, err := askKey(cmd.Context(), cmd.InOrStdin(), cmd.ErrOrStderr(), "Key for "+address+": ")
	if err != nil {
		return err
	}
	if err := k.Set(cmd.Context(), address, given); err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "The key for %s is kept in this computer's keychain. A window that is open uses it from its next start on.\n", address)
	return err
}

func keyStatus(cmd *cobra.Command, k *keys.Keychain, address string) error {
	environment, err := environmentKey()
	if err != nil {
		return err
	}
	kept, problem := k.Kept(cmd.Context(), address)
	if ended := cmd.Context().Err(); ended != nil {
		return ended
	}
	used := "none"
	switch {
	case environment != "":
		used = "the key in ASSAY_API_KEY, for this run alone"
	case kept:
		used = "the key in this computer's keychain"
	case keys.IsProblem(problem, keys.Locked), keys.IsProblem(problem, keys.Slow):
		used = "none, as long as the keychain does not open"
	}
	if _, err := fmt.Fprintf(cmd.OutOrStdout(), "service: %s\nused: %s\nkeychain: %s\n", address, used, keychainWords(kept, problem)); err != nil {
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
		return "a key is kept for this service"
	}
	return "no key is kept for this service"
}

func clearKey(cmd *cobra.Command, k *keys.Keychain, address string) error {
	err := k.Remove(cmd.Context(), address)
	said := "The key for " + address + " was removed from this computer's keychain."
	if keys.IsProblem(err, keys.Missing) {
		said, err = "No key was kept for "+address+".", nil
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(cmd.OutOrStdout(), said)
	return err
}

// readKey takes the key of a service elsewhere from the keychain, where the environment gave none: once for all sessions.
func (s *service) readKey(ctx context.Context) error {
	if s.key != "" {
		return nil
	}
	key, err := s.keychain.Get(ctx, s.client.Address())
	var p *keys.Problem
	if errors.As(err, &p) && p.Err != nil {
		s.log.Debug("the keychain's own words", "error", p.Err)
	}
	if keys.IsProblem(err, keys.Missing) {
		return &Misuse{Sentence: "The key is missing: keep it with assay key set --server " + s.client.Address() + ", or set ASSAY_API_KEY."}
	}
	s.key = key
	return keyTrouble(err)
}
