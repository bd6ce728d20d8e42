package bundle

import (
	"bytes"
	"crypto/ed25519"
	"fmt"

	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"
)

// PublicLine is a public key as ssh writes it: "ssh-ed25519 AAAA…".
func PublicLine(key ed25519.PublicKey) (string, error) {
	public, err := ssh.NewPublicKey(key)
	if err != nil {
		return "", err
	}
	return string(bytes.TrimSpace(ssh.MarshalAuthorizedKey(public))), nil
}

// Fingerprint is a public key's fingerprint as ssh-keygen prints it: "SHA256:…".
func Fingerprint(key ed25519.PublicKey) (string, error) {
	public, err := ssh.NewPublicKey(key)
	if err != nil {
		return "", err
	}
	return ssh.FingerprintSHA256(public), nil
}

// signature makes the content of SignatureFile: an SSH signature over the tag manifest. The same key and manifest make the same signature.
func signature(tagManifest []byte, key ed25519.PrivateKey) ([]byte, error) {
	signer, err := ssh.NewSignerFromKey(key)
	if err != nil {
		return nil, err
	}
	s, err := sshsig.Sign(bytes.NewReader(tagManifest), signer, sshsig.HashSHA512, SealNamespace)
	if err != nil {
		return nil, fmt.Errorf("seal the bundle: %w", err)
	}
	return sshsig.Armor(s), nil
}

// allowedSigners is the content of AllowedSignersFile.
func allowedSigners(key ed25519.PublicKey) (string, error) {
	line, err := PublicLine(key)
	return fmt.Sprintf("%s namespaces=%q %s\n", SealIdentity, SealNamespace, line), err
}
