package session

import (
	"context"
	"crypto/ed25519"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"assay/client/bounded"
	"assay/client/custody"
	"assay/client/durable"
	"assay/client/i18n"
	"assay/client/keys"
	"assay/client/logs"
)

// LogKeyVariable names, in the environment, the key by which custody logs are signed where no keychain is: 32 bytes in base64.
const LogKeyVariable = "ASSAY_LOG_KEY"

// environmentLogKey is the key in LogKeyVariable, nil for none. It is one of the secrets.
func environmentLogKey(secrets *logs.Secrets) (ed25519.PrivateKey, error) {
	given := os.Getenv(LogKeyVariable)
	secrets.Add(given)
	if given == "" {
		return nil, nil
	}
	key, ok := keys.ParseLogKey(given)
	if !ok {
		return nil, &Misuse{Sentence: LogKeyVariable + " can't be used: it is 32 bytes in base64, as openssl rand -base64 32 prints them."}
	}
	return key, nil
}

// LogKey is the key by which the custody log of that name is signed: the environment's, or the keychain's. The sandbox keeps its own beside the log. An error
// is a *keys.Problem, Missing where there is none; a file's; or ctx's.
func (s *Service) LogKey(ctx context.Context, log string) (ed25519.PrivateKey, error) {
	switch {
	case s.logKey != nil:
		return s.logKey, nil
	case s.Sandbox:
		text, err := bounded.ReadFile(s.sandboxLogKey(), 1000)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, &keys.Problem{Cause: keys.Missing}
		}
		if err != nil {
			return nil, err
		}
		key, ok := keys.ParseLogKey(string(text))
		if !ok {
			return nil, &keys.Problem{Cause: keys.Refused}
		}
		return key, nil
	case s.Keys == nil:
		return nil, &keys.Problem{Cause: keys.Absent}
	}
	return s.Keys.LogKey(ctx, log)
}

func (s *Service) sandboxLogKey() string { return filepath.Join(s.Folder, "log.key") }

// needLogKey is LogKey, and makes the key where there is none. It asks nobody to unlock a keychain, where that can be helped.
func (s *Service) needLogKey(ctx context.Context, log string) (ed25519.PrivateKey, error) {
	switch {
	case s.logKey != nil || s.Keys == nil && !s.Sandbox:
		return s.LogKey(ctx, log)
	case !s.Sandbox:
		return s.Keys.NeedLogKey(ctx, log)
	}
	key, err := s.LogKey(ctx, log)
	if !keys.IsProblem(err, keys.Missing) {
		return key, err
	}
	key, text := keys.NewLogKey()
	return key, durable.WriteFile(s.sandboxLogKey(), []byte(text+"\n"), durable.Options{Temp: "log.key.new*"})
}

// signingPatience is how long the end of a session waits for the custody log to be signed: the next one signs what was left.
const signingPatience = 2 * time.Second

// signCustody signs a checkpoint of the custody log, where there is something that the last one does not cover: when a session has opened, for what an earlier
// one was killed over, and when it closes. Without a key nothing is signed, as assay verify --log says.
func (s *Session) signCustody(ctx context.Context) {
	status, err := s.Store.CustodyStatus(ctx)
	if err == nil && status.Broken > 0 && status.Signed == 0 {
		s.say(i18n.M("The custody log was changed outside Assay: assay verify --log says where."))
	}
	if err == nil && status.Entries != status.Signed {
		var key ed25519.PrivateKey
		if key, err = s.logKey(ctx, status.Origin); err == nil {
			err = s.Store.SignCustody(ctx, key)
		}
	}
	var rewritten *custody.Rewritten
	var noKey *keys.Problem
	switch {
	case errors.As(err, &rewritten):
		s.Log.Error("the custody log is not signed", "error", err)
		s.say(i18n.M("The custody log was changed outside Assay: assay verify --log says where."))
	case errors.As(err, &noKey):
		s.Log.Info("the custody log is not signed", "error", err)
	case err != nil && ctx.Err() == nil:
		s.Log.Warn("the custody log is not signed", "error", err)
	}
}
