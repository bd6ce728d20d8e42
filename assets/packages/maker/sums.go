package main

import (
	"bytes"
	"cmp"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/hiddeco/sshsig"
	"github.com/spf13/cobra"
	"golang.org/x/crypto/ssh"

	"assay/client/bounded"
	"assay/client/durable"
)

const (
	sumsFile    = "SHA256SUMS"
	sealFile    = "SHA256SUMS.sig"
	signersFile = "allowed_signers" // whose seals count, as ssh-keygen reads it

	// What ssh-keygen -Y verify is told: -n and -I.
	sealNamespace = "file"
	sealIdentity  = "assay-release"

	// The key's text, as ssh-keygen -t ed25519 writes it, or the path of a file that has it.
	keyVariable     = "ASSAY_RELEASE_KEY"
	keyFileVariable = "ASSAY_RELEASE_KEY_FILE"
	largestKeyFile  = 16 << 10
)

func newSums() *cobra.Command {
	var release bool
	cmd := &cobra.Command{
		Use: "sums [FOLDER]", Args: cobra.MaximumNArgs(1),
		Short: "write " + sumsFile + " of a folder's files, and seal it with the key of " + keyVariable + " or " + keyFileVariable + "; without a folder, only see that this can be done",
		RunE: func(cmd *cobra.Command, args []string) error {
			key, err := releaseKey()
			if err != nil {
				return err
			}
			if key == nil && release {
				return noKey()
			}
			if len(args) == 0 {
				return nil
			}
			for _, stale := range []string{sumsFile, sealFile, signersFile} {
				if err := os.RemoveAll(filepath.Join(args[0], stale)); err != nil {
					return err
				}
			}
			if key == nil {
				cmd.Println(sumsFile + " has no seal: " + keyVariable + " and " + keyFileVariable + " name no key")
			}
			return writeSums(args[0], key)
		},
	}
	cmd.Flags().BoolVar(&release, "release", false, "fail where there is no key")
	return cmd
}

func noKey() error {
	return fmt.Errorf("a release is sealed: set %s or %s to a key that ssh-keygen -t ed25519 made", keyVariable, keyFileVariable)
}

// writeSums writes the sums of all files in a folder, as sha256sum -c reads them, and their seal if there is a key.
func writeSums(folder string, key ed25519.PrivateKey) error {
	write := func(name string, content []byte) error {
		return durable.WriteFile(filepath.Join(folder, name), content, durable.Options{ForOthers: true})
	}
	if key != nil {
		signers, err := allowedSigners(key)
		if err != nil {
			return err
		}
		if err := write(signersFile, signers); err != nil {
			return err
		}
	}
	packages, others, err := released(folder)
	if err != nil {
		return err
	}
	sums := new(bytes.Buffer)
	for _, name := range sorted(packages, others) {
		sum, err := sha256Of(filepath.Join(folder, name))
		if err != nil {
			return err
		}
		_, _ = sums.WriteString(sum + "  " + name + "\n") // it never fails
	}
	if err := write(sumsFile, sums.Bytes()); err != nil || key == nil {
		return err
	}
	signer, err := ssh.NewSignerFromKey(key)
	if err != nil {
		return err
	}
	seal, err := sshsig.Sign(bytes.NewReader(sums.Bytes()), signer, sshsig.HashSHA512, sealNamespace)
	if err != nil {
		return fmt.Errorf("seal the sums: %w", err)
	}
	return write(sealFile, sshsig.Armor(seal))
}

// releaseKey is the key that seals releases, nil for none.
func releaseKey() (ed25519.PrivateKey, error) {
	text := []byte(os.Getenv(keyVariable))
	if path := os.Getenv(keyFileVariable); len(text) == 0 && path != "" {
		var err error
		if text, err = bounded.ReadFile(path, largestKeyFile); err != nil {
			return nil, fmt.Errorf("%s: %w", keyFileVariable, err)
		}
	}
	if len(text) == 0 {
		return nil, nil
	}
	from := cmp.Or(os.Getenv(keyFileVariable), keyVariable)
	text = append(bytes.TrimSpace(text), '\n') // secrets are pasted with and without it
	parsed, err := ssh.ParseRawPrivateKey(text)
	if missing := (*ssh.PassphraseMissingError)(nil); errors.As(err, &missing) {
		return nil, fmt.Errorf("%s: the key has a passphrase, which nobody can type here", from)
	}
	key, ok := parsed.(*ed25519.PrivateKey)
	if err != nil || !ok {
		// Neither the text nor what the parser says of it is repeated. Other types would sign differently each time, or are weak.
		return nil, fmt.Errorf("%s: that is no Ed25519 key as ssh-keygen -t ed25519 writes it", from)
	}
	return *key, nil
}

func allowedSigners(key ed25519.PrivateKey) ([]byte, error) {
	public, err := ssh.NewPublicKey(key.Public())
	if err != nil {
		return nil, err
	}
	line := strings.TrimSpace(string(ssh.MarshalAuthorizedKey(public)))
	return fmt.Appendf(nil, "%s namespaces=%q %s\n", sealIdentity, sealNamespace, line), nil
}

// fingerprint is that of the key's public half, as ssh-keygen -l prints it.
func fingerprint(key ed25519.PrivateKey) (string, error) {
	public, err := ssh.NewPublicKey(key.Public())
	if err != nil {
		return "", err
	}
	return ssh.FingerprintSHA256(public), nil
}

// sha256Of is a file's SHA-256 in hexadecimal digits.
func sha256Of(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close() //nolint:errcheck // only read from
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
