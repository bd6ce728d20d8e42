package session

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/client/assert"
	"assay/client/keys"
)

// start is the service of a start with these options, in a home of its own unless they name one.
func start(t *testing.T, o Options) *Service {
	t.Helper()
	if o.Home == "" {
		o.Home = t.TempDir()
	}
	o.LogLevel, o.Stderr, o.Say = "error", t.Output(), func(string) {}
	s, err := o.Service()
	assert.NoError(t, err)
	t.Cleanup(s.Keys.Close)
	return s
}

// absent is a computer without a keychain.
type absent struct{}

func (absent) Get(_, _ string) (string, error) { return "", &keys.Problem{Cause: keys.Absent} }
func (absent) Set(_, _, _ string) error        { return &keys.Problem{Cause: keys.Absent} }
func (absent) Delete(_, _ string) error        { return &keys.Problem{Cause: keys.Absent} }

func TestSigningKeyOfTheSandbox(t *testing.T) {
	home := t.TempDir()
	s := start(t, Options{Sandbox: true, Home: home, KeyBackend: absent{}})
	if own, err := s.OwnSigners(t.Context()); len(own) > 0 || !keys.IsProblem(err, keys.Absent) {
		t.Errorf("before there is one: %d, %v", len(own), err)
	}
	if _, err := s.KnownSigningKey(t.Context()); !keys.IsProblem(err, keys.Missing) {
		t.Errorf("one was made: %v", err)
	}
	first, err := s.SigningKey(t.Context())
	assert.NoError(t, err)
	if known, err := s.KnownSigningKey(t.Context()); err != nil || !known.Key.Equal(first.Key) {
		t.Errorf("another one is known: %v", err)
	}
	again, err := start(t, Options{Sandbox: true, Home: home, KeyBackend: absent{}}).SigningKey(t.Context())
	if err != nil || !again.Key.Equal(first.Key) {
		t.Errorf("the next start has another: %v", err)
	}
	second, err := s.RotateSigningKey(t.Context())
	if err != nil || second.Key.Equal(first.Key) {
		t.Errorf("it was not replaced: %v", err)
	}
	own, _ := s.OwnSigners(t.Context())
	if len(own) != 2 || !own[0].Equal(second.Public()) || !own[1].Equal(first.Public()) {
		t.Errorf("%d keys are its own", len(own))
	}
}

func TestSigningKeyOfTheEnvironment(t *testing.T) {
	secret := keys.NewSigningKey().Secret()
	file := filepath.Join(t.TempDir(), "signing")
	assert.NoError(t, os.WriteFile(file, []byte(secret+"\n"), 0o600))
	t.Setenv(SigningKeyVariable+"_FILE", file)
	s := start(t, Options{Server: "https://detector.example", KeyBackend: absent{}})
	if key, err := s.SigningKey(t.Context()); err != nil || key.Secret() != secret {
		t.Errorf("the key of the file is not used: %v", err)
	}
	t.Setenv(SigningKeyVariable+"_FILE", "")
	t.Setenv(SigningKeyVariable, secret)
	s = start(t, Options{Server: "https://detector.example", KeyBackend: absent{}})
	key, err := s.SigningKey(t.Context())
	if err != nil || key.Secret() != secret {
		t.Errorf("another key is used: %v", err)
	}
	if own, err := s.OwnSigners(t.Context()); err != nil || len(own) != 1 || !own[0].Equal(key.Public()) {
		t.Errorf("%d keys are its own, %v", len(own), err)
	}
	var misuse *Misuse
	if _, err := s.RotateSigningKey(t.Context()); !errors.As(err, &misuse) {
		t.Errorf("it was replaced: %v", err)
	}
	for _, wrong := range []string{"not base64", secret + " " + secret} {
		t.Setenv(SigningKeyVariable, wrong)
		_, err := (&Options{Sandbox: true, Home: t.TempDir(), LogLevel: "error", Stderr: t.Output()}).Service()
		if !errors.As(err, &misuse) || !strings.Contains(misuse.Sentence, SigningKeyVariable) || strings.Contains(misuse.Sentence, wrong) {
			t.Errorf("%v", err)
		}
	}
}

func TestNoSigningKeyWithoutAKeychain(t *testing.T) {
	s := start(t, Options{Server: "https://detector.example", KeyBackend: absent{}})
	if key, err := s.SigningKey(t.Context()); key.Key != nil || !keys.IsProblem(err, keys.Absent) {
		t.Errorf("%v", err)
	}
	if key, err := s.RotateSigningKey(t.Context()); key.Key != nil || !keys.IsProblem(err, keys.Absent) {
		t.Errorf("%v", err)
	}
}
