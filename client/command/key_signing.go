package command

import (
	"context"

	"github.com/spf13/cobra"

	"assay/client/i18n"
	"assay/client/keys"
	"assay/client/report/bundle"
	"assay/client/session"
)

// signingHelp is the long help of what `assay key` does with the signing key.
const signingHelp = `The desk's signing key seals evidence bundles (assay export --out NAME). It is made at first use and kept in the
keychain, for all services; --sandbox has its own. Tell the fingerprint to the people who get your bundles, in person or by phone: with it
they know who sealed them. If ASSAY_SIGNING_KEY is set, Assay uses that key (32 bytes in base64, as openssl rand -base64 32 prints them).`

// signingCommands are the subcommands of `assay key` for the signing key.
func signingCommands(f *session.Options) []*cobra.Command {
	command := func(use, short, long string, key func(*session.Service, context.Context) (keys.SigningKey, error), after i18n.Key) *cobra.Command {
		return &cobra.Command{
			Use: use, Short: short, Long: long + "\n" + signingHelp,
			Args: noKeyArgument,
			RunE: func(cmd *cobra.Command, _ []string) error {
				s, err := f.Service()
				if err != nil {
					return err
				}
				k, err := key(s, cmd.Context())
				if err != nil {
					return signingMisuse(err)
				}
				lines, err := signingLines(k)
				if err != nil {
					return err
				}
				if after != "" {
					lines = append(lines, i18n.T(after))
				}
				return printLines(cmd.OutOrStdout(), lines)
			},
		}
	}
	return []*cobra.Command{
		command("signing", "Show the fingerprint of the key that seals bundles", "Shows the signing key's fingerprint and public key, and the fingerprints of those before it.",
			(*session.Service).SigningKey, ""),
		command("rotate-signing", "Replace the key that seals bundles by another one", "Makes another signing key. Bundles sealed before stay valid, and are still known as yours.",
			(*session.Service).RotateSigningKey, "Tell the new fingerprint to the people who get your bundles. Earlier seals stay valid."),
	}
}

// signingLines are what a person may see of a signing key.
func signingLines(k keys.SigningKey) ([]string, error) {
	line, err := bundle.PublicLine(k.Public())
	if err != nil {
		return nil, err
	}
	var lines []string
	for i, public := range k.Own() {
		fingerprint, err := bundle.Fingerprint(public)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			lines = append(lines, i18n.F("earlier fingerprint: %s", fingerprint))
			continue
		}
		lines = append(lines, i18n.F("fingerprint: %s", fingerprint), i18n.F("public key: %s", line))
	}
	return lines, nil
}

// signingMisuse says what to do where no keychain is.
func signingMisuse(err error) error {
	if !keys.IsProblem(err, keys.Absent) {
		return err
	}
	return &session.Misuse{Sentence: i18n.Sentence(err) + " " + i18n.F("Or put a signing key into %s.", session.SigningKeyVariable)}
}
