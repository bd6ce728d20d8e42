package gui

import (
	"context"
	"slices"
	"strings"

	"assay/client/config"
	"assay/client/keys"
	"assay/client/media"
	"assay/client/report/bundle"
	"assay/gui/settings"
	"assay/gui/verify"
)

// newVerify makes the sheet that verifies bundles. Those that were handed over together are verified one after another.
func (a *app) newVerify() *verify.Sheet {
	return verify.New(verify.Params{
		Sheet:   a.sheet,
		Workers: a.lookers,
		OnUI:    a.onUI,
		Verify: func(ctx context.Context, path string, progress func(done, total int64)) (*bundle.Verification, error) {
			return bundle.Verify(ctx, path, bundle.VerifyOptions{Signers: a.knownSigners(ctx), Progress: progress})
		},
		Keep: func(_ context.Context, name, key string) error {
			return a.Config.Change(func(s *config.Settings) { s.Signers = append(s.Signers, config.Signer{Name: name, Key: key}) })
		},
		Copy:   a.App.Clipboard().SetContent,
		Closed: func() { a.onUI(a.verifyNext) },
	})
}

// knownSigners are those of the settings, and this person's own keys. It may wait for the keychain.
func (a *app) knownSigners(ctx context.Context) (signers []bundle.Signer) {
	if service := a.Service(); service != nil {
		own, err := service.OwnSigners(ctx)
		if err != nil && ctx.Err() == nil {
			a.Log.Info("the desk's own keys are not all known", "error", err)
		}
		for _, key := range own {
			if line, err := bundle.PublicLine(key); err == nil {
				signers = append(signers, bundle.Signer{Key: line, Own: true})
			}
		}
	}
	for _, s := range a.Config.Settings().Signers {
		signers = append(signers, bundle.Signer{Name: s.Name, Key: s.Key})
	}
	return signers
}

// verifyBundles verifies bundles, after those that wait already.
func (a *app) verifyBundles(paths []string) {
	a.bundles = append(a.bundles, paths...)
	a.verifyNext()
}

// verifyNext verifies the next bundle that waits, unless a sheet is open.
func (a *app) verifyNext() {
	if a.stopped || a.sheet.Open() || len(a.bundles) == 0 {
		return
	}
	next := a.bundles[0]
	a.bundles = a.bundles[1:]
	a.verify.Show(next)
}

// chosenEndings are the endings of files that can be chosen: media, and bundles.
func chosenEndings() []string {
	return append(slices.Concat(media.Supported(), media.Convertible()), strings.TrimPrefix(bundle.ZipEnding, "."))
}

// fingerprint is that of the key by which this person's bundles are sealed, settings.ErrNoSigningKey where there is none yet.
func (a *app) fingerprint(ctx context.Context) (string, error) {
	service := a.Service()
	if service == nil {
		return "", settings.ErrNoSigningKey
	}
	key, err := service.KnownSigningKey(ctx)
	if keys.IsProblem(err, keys.Missing) {
		return "", settings.ErrNoSigningKey
	}
	if err != nil {
		return "", err
	}
	return bundle.Fingerprint(key.Public())
}

// rotateKey replaces that key, and returns the new one's fingerprint.
func (a *app) rotateKey(ctx context.Context) (string, error) {
	key, err := a.Service().RotateSigningKey(ctx)
	if err != nil {
		return "", err
	}
	return bundle.Fingerprint(key.Public())
}
