package command

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/spf13/cobra"
	"github.com/vbauerster/mpb/v8/decor"

	"assay/client/i18n"
	"assay/client/report/bundle"
	"assay/client/session"
)

// verifyBundle verifies a bundle, and prints what it found. It needs neither a service nor its records.
func verifyBundle(cmd *cobra.Command, f *session.Options, path string, asJSON bool) error {
	b, err := f.Begin()
	if err != nil {
		return err
	}
	v, err := verified(cmd, b, path)
	if err != nil {
		return err
	}
	out := interruptible(cmd.Context(), cmd.OutOrStdout())
	if asJSON {
		data, err := json.Marshal(verifiedBundle{v.State.Intact(), v})
		if err != nil {
			return err
		}
		err = printJSONLine(out, data)
		if err != nil {
			return err
		}
	} else if err := printLines(out, bundleLines(v)); err != nil {
		return err
	}
	if !v.State.Intact() {
		return errSomeFailed
	}
	return nil
}

// verifiedBundle is what verify --json prints of a bundle.
type verifiedBundle struct {
	Intact bool `json:"intact"`
	*bundle.Verification
}

// verified verifies a bundle, with the known signers of the settings and this person's own keys. It shows the progress on a terminal.
func verified(cmd *cobra.Command, b *session.Base, path string) (*bundle.Verification, error) {
	ctx, said := cmd.Context(), cmd.ErrOrStderr()
	signers, missing := knownSigners(ctx, b)
	bar := newProgress(ctx, said, decor.CountersKibiByte("% .1f / % .1f"))
	v, err := bundle.Verify(ctx, path, bundle.VerifyOptions{Signers: signers, Progress: bar.show})
	bar.finish()
	if err != nil {
		var unread *bundle.ReadError
		if errors.As(err, &unread) && (unread.Problem == bundle.NotThere || unread.Problem == bundle.NoBundle) {
			return nil, &session.Misuse{Sentence: i18n.Sentence(err)}
		}
		return nil, err
	}
	if missing != nil && v.State == bundle.UnknownSigner {
		say(said, i18n.F("Assay can't say whether you sealed it yourself. %s", i18n.Sentence(missing)))
	}
	return v, nil
}

// knownSigners are those of the settings, and this person's own keys. The error is why some of these are missing.
func knownSigners(ctx context.Context, b *session.Base) (signers []bundle.Signer, missing error) {
	own, missing := b.OwnSigners(ctx)
	for _, key := range own {
		if line, err := bundle.PublicLine(key); err == nil {
			signers = append(signers, bundle.Signer{Key: line, Own: true})
		}
	}
	for _, s := range b.Config.Settings().Signers {
		signers = append(signers, bundle.Signer{Name: s.Name, Key: s.Key})
	}
	return signers, missing
}

// bundleLines are what a person reads of a verification.
func bundleLines(v *bundle.Verification) []string {
	lines := []string{v.Headline()}
	for _, f := range v.Findings {
		lines = append(lines, f.Sentence())
	}
	if more := v.MoreFindings(); more != "" {
		lines = append(lines, more)
	}
	for _, fact := range v.Facts() {
		lines = append(lines, i18n.F("%s: %s", fact[0], fact[1]))
	}
	if v.Seal != nil {
		lines = append(lines, i18n.F("Fingerprint of the key that sealed it: %s", v.Seal.Fingerprint))
	}
	return append(lines, v.Details()...)
}
