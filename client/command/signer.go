package command

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"assay/client/bounded"
	"assay/client/config"
	"assay/client/i18n"
	"assay/client/plain"
	"assay/client/report/bundle"
	"assay/client/session"
)

func newSigner(f *session.Options) *cobra.Command {
	var yes, asJSON bool
	cmd := &cobra.Command{
		Use:   "signer add|list|remove",
		Short: "Save the keys of people whose evidence bundles you know",
		Long: "Saves the public keys of people whose evidence bundles you know, with a name for each. assay verify then says who sealed a bundle.\n" +
			"A key proves whose it is only once you have compared its fingerprint with the one that its owner tells you, in another way than the bundle came by.",
		RunE: func(*cobra.Command, []string) error {
			return &session.Misuse{Sentence: "Say what to do with known signers: assay signer add, list or remove."}
		},
	}
	add := &cobra.Command{
		Use:   "add NAME KEY|FILE|BUNDLE",
		Short: "Save a signer's key under a name",
		Long: "Saves a public key under a name: the key itself (ssh-ed25519 …), a file that has it, or a bundle that was sealed with it. From a bundle,\n" +
			"it first shows the key's fingerprint, for you to compare; --yes says that you have.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return &session.Misuse{Sentence: "assay signer add takes a name, and a key, a file or a bundle."}
			}
			b, err := f.Begin()
			if err != nil {
				return err
			}
			return addSigner(cmd, b, args[0], args[1], yes)
		},
	}
	add.Flags().BoolVar(&yes, "yes", false, "the fingerprint was compared: do not ask")
	list := &cobra.Command{
		Use:   "list",
		Short: "List the known signers, and the fingerprints of their keys",
		Args:  noArguments("signer list"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			b, err := f.Begin()
			if err != nil {
				return err
			}
			return listSigners(cmd.OutOrStdout(), b.Config.Settings().Signers, asJSON)
		},
	}
	list.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per line")
	remove := &cobra.Command{
		Use:   "remove NAME",
		Short: "Forget a signer",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return &session.Misuse{Sentence: "assay signer remove takes a name, as assay signer list prints it."}
			}
			b, err := f.Begin()
			if err != nil {
				return err
			}
			isNamed := func(s config.Signer) bool { return s.Name == args[0] }
			if !slices.ContainsFunc(b.Config.Settings().Signers, isNamed) {
				return &session.Misuse{Sentence: i18n.F("There is no known signer called “%s”.", plain.From(args[0]))}
			}
			if err := b.Config.Change(func(s *config.Settings) { s.Signers = slices.DeleteFunc(s.Signers, isNamed) }); err != nil {
				return err
			}
			return printLine(cmd.OutOrStdout(), i18n.F("“%s” is not a known signer any more.", plain.From(args[0])))
		},
	}
	cmd.AddCommand(add, list, remove)
	return cmd
}

// addSigner keeps a key under a name.
func addSigner(cmd *cobra.Command, b *session.Base, name, given string, yes bool) error {
	line, fingerprint, fromBundle, err := keyOf(cmd, b, given)
	if err != nil {
		return err
	}
	if fromBundle && !yes {
		sure, err := confirm(cmd, []string{
			i18n.F("The bundle was sealed with the key %s.", fingerprint),
			i18n.T("Anyone can seal a bundle. Ask the person who gave it to you for the fingerprint of their key, and compare it. Ask in another way than the bundle came by."),
		}, i18n.F("Is it the key of “%s”? Type yes:", plain.From(name)))
		if err != nil {
			return err
		}
		if !sure {
			return printLine(cmd.OutOrStdout(), i18n.T("The key was not saved."))
		}
	}
	name = strings.TrimSpace(name)
	if err := b.Config.Change(func(s *config.Settings) { s.Signers = append(s.Signers, config.Signer{Name: name, Key: line}) }); err != nil {
		return err
	}
	return printLine(cmd.OutOrStdout(), i18n.F("“%s” is a known signer, with the key %s.", plain.From(name), fingerprint))
}

// mostKey is larger than a file with a public key, in bytes.
const mostKey = 64 << 10

// keyOf is the public key that was given: itself, in a file, or in a bundle.
func keyOf(cmd *cobra.Command, b *session.Base, given string) (line, fingerprint string, fromBundle bool, err error) {
	text := []byte(given)
	switch {
	case strings.HasPrefix(given, "ssh-"):
	case bundle.Is(given):
		v, err := verified(cmd, b, given)
		if err != nil {
			return "", "", true, err
		}
		if !v.State.Intact() || v.Seal == nil {
			return "", "", true, &session.Misuse{Sentence: v.Headline()}
		}
		return v.Seal.Key, v.Seal.Fingerprint, true, nil
	default:
		if text, err = bounded.ReadFile(given, mostKey); err != nil {
			return "", "", false, &session.Misuse{Sentence: i18n.F("%s is not a key, not a readable file and not a bundle.", plain.From(given))}
		}
	}
	line, fingerprint, ok := bundle.ParseKey(text)
	if !ok {
		return "", "", false, &session.Misuse{Sentence: i18n.T("This is not a signer's public key. A public key begins with ssh-ed25519.")}
	}
	return line, fingerprint, false, nil
}

// confirm asks the person in the terminal. Without one it is refused.
func confirm(cmd *cobra.Command, before []string, question string) (bool, error) {
	file, is := cmd.InOrStdin().(*os.File)
	if is && !term.IsTerminal(int(file.Fd())) { //nolint:gosec // a descriptor fits an int
		return false, &session.Misuse{Sentence: i18n.F("%s Compare the fingerprint, then confirm it with --yes.", before[0])}
	}
	for _, line := range before {
		say(cmd.ErrOrStderr(), line)
	}
	ask(cmd.ErrOrStderr(), question+" ")
	typed, err := readLine(cmd.Context(), cmd.InOrStdin())
	return strings.EqualFold(strings.TrimSpace(typed), "yes"), err
}

// readLine reads a line that a person types. Nothing can interrupt the goroutine that reads, so it may outlive ctx.
func readLine(ctx context.Context, in io.Reader) (string, error) {
	read := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(io.LimitReader(in, 1000)).ReadString('\n') // what was typed up to the end counts
		read <- line
	}()
	select {
	case line := <-read:
		return line, nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// listSigners prints the known signers.
func listSigners(w io.Writer, signers []config.Signer, asJSON bool) error {
	for _, s := range signers {
		_, fingerprint, _ := bundle.ParseKey([]byte(s.Key)) // the settings keep no other
		if asJSON {
			data, err := json.Marshal(map[string]string{"name": s.Name, "key": s.Key, "fingerprint": fingerprint})
			if err == nil {
				err = printJSONLine(w, data)
			}
			if err != nil {
				return err
			}
			continue
		}
		if err := printLine(w, i18n.F("%s: %s", plain.From(s.Name), fingerprint)); err != nil {
			return err
		}
	}
	if len(signers) == 0 && !asJSON {
		return printLine(w, i18n.T("There are no known signers."))
	}
	return nil
}
