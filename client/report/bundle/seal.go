package bundle

import (
	"bytes"
	"crypto/ed25519"
	"fmt"

	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"

	"assay/client/plain"
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

// longestSignature is larger than a signature by an Ed25519 key is, in bytes.
const longestSignature = 4 << 10

// checkSeal checks the seal, if there is one: a signature over the tag manifest by the key that allowed_signers has.
func (v *verifier) checkSeal() {
	text, sealed := v.kept[SignatureFile]
	allowed, named := v.kept[AllowedSignersFile]
	if !sealed {
		if named {
			v.add(finding(FileMissing, SignatureFile))
		}
		return
	}
	key, ok := signerOf(text, v.kept[TagManifestFile])
	if !ok {
		v.add(finding(SealChanged, SignatureFile))
		return
	}
	if want, err := allowedSigners(key); err != nil || string(allowed) != want {
		v.add(finding(SealChanged, AllowedSignersFile))
		return
	}
	line, err := PublicLine(key)
	fingerprint, err2 := Fingerprint(key)
	if err != nil || err2 != nil {
		v.add(finding(SealChanged, AllowedSignersFile))
		return
	}
	v.Seal = &Seal{Key: line, Fingerprint: fingerprint}
	for _, known := range v.options.Signers {
		if known.Key == line && (v.Seal.Signer.IsZero() || known.Own) {
			v.Seal.Signer, v.Seal.Own = plain.From(known.Name), v.Seal.Own || known.Own
		}
	}
}

// signerOf is the key of a signature, if it is one over this tag manifest. It accepts no other spelling than ssh-keygen's.
func signerOf(text, tagManifest []byte) (ed25519.PublicKey, bool) {
	if len(text) > longestSignature || len(tagManifest) == 0 {
		return nil, false
	}
	s, err := sshsig.Unarmor(text)
	if err != nil || !bytes.Equal(sshsig.Armor(s), text) || s.PublicKey == nil || s.PublicKey.Type() != ssh.KeyAlgoED25519 ||
		s.Namespace != SealNamespace || sshsig.Verify(bytes.NewReader(tagManifest), s, s.PublicKey, s.HashAlgorithm, SealNamespace) != nil {
		return nil, false
	}
	public, ok := s.PublicKey.(ssh.CryptoPublicKey)
	if !ok {
		return nil, false
	}
	key, ok := public.CryptoPublicKey().(ed25519.PublicKey)
	return key, ok
}

// ParseKey reads a public key as ssh writes it, with or without a comment: the first line of a text that has one. It returns the key as PublicLine makes it.
func ParseKey(text []byte) (line, fingerprint string, ok bool) {
	if len(text) > longestHead {
		return "", "", false
	}
	public, _, _, _, err := ssh.ParseAuthorizedKey(text) //nolint:dogsled // comment, options and rest say nothing
	if err != nil || public.Type() != ssh.KeyAlgoED25519 {
		return "", "", false
	}
	return string(bytes.TrimSpace(ssh.MarshalAuthorizedKey(public))), ssh.FingerprintSHA256(public), true
}
