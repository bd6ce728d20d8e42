package session

import (
	"context"
	"crypto/ed25519"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"time"

	"assay/client/bounded"
	"assay/client/custody"
	"assay/client/durable"
	"assay/client/i18n"
	"assay/client/keys"
	"assay/client/logs"
	"assay/client/store"
)

// LogKeyVariable names, in the environment, the key by which custody logs are signed where no keychain is: 32 bytes in base64.
const LogKeyVariable = "ASSAY_LOG_KEY"

// environmentKey is the key for signing in a variable of the environment, or in the file that NAME_FILE names, nil for none. It is one of the secrets.
func environmentKey(variable string, secrets *logs.Secrets) (ed25519.PrivateKey, error) {
	given, err := environmentSecret(variable)
	if secrets.Add(given); err != nil || given == "" {
		return nil, err
	}
	key, ok := keys.ParseLogKey(given)
	if !ok || key.Last != "" {
		return nil, &Misuse{Sentence: variable + " can't be used: it is 32 bytes in base64, as openssl rand -base64 32 prints them."}
	}
	return key.Key, nil
}

// logKeys are where the key of a custody log is, by the log's name: in the environment, or in the keychain with what was signed last. The sandbox keeps its own
// beside the log.
type logKeys struct{ *Service }

// get is the key, as it is. An error is a *keys.Problem, Missing where there is none; a file's; or ctx's.
func (l logKeys) get(ctx context.Context, log string) (keys.LogKey, error) {
	switch {
	case l.logKey != nil:
		return keys.LogKey{Key: l.logKey}, nil
	case l.Sandbox:
		text, err := bounded.ReadFile(l.file(log), 1000)
		if errors.Is(err, fs.ErrNotExist) {
			return keys.LogKey{}, &keys.Problem{Cause: keys.Missing}
		}
		if err != nil {
			return keys.LogKey{}, err
		}
		key, ok := keys.ParseLogKey(string(text))
		if !ok {
			return keys.LogKey{}, &keys.Problem{Cause: keys.Refused}
		}
		return key, nil
	case l.Keys == nil:
		return keys.LogKey{}, &keys.Problem{Cause: keys.Absent}
	}
	return l.Keys.LogKey(ctx, log)
}

// need is get, and makes the key where there is none. It asks nobody to unlock a keychain, where that can be helped.
func (l logKeys) need(ctx context.Context, log string) (keys.LogKey, error) {
	if l.logKey == nil && !l.Sandbox && l.Keys != nil {
		return l.Keys.NeedLogKey(ctx, log)
	}
	key, err := l.get(ctx, log)
	if keys.IsProblem(err, keys.Missing) {
		key = keys.NewLogKey()
		err = l.keep(ctx, log, key)
	}
	return key, err
}

// keep keeps the key with what was signed last; the environment's is kept nowhere.
func (l logKeys) keep(ctx context.Context, log string, key keys.LogKey) error {
	switch {
	case l.logKey != nil:
		return nil
	case l.Sandbox:
		return durable.WriteFile(l.file(log), []byte(key.Secret()+"\n"), durable.Options{Temp: "log-key.new*"})
	}
	return l.Keys.KeepLogKey(ctx, log, key)
}

// file is the sandbox's; path.Base of a log's name is its random part.
func (l logKeys) file(log string) string {
	return filepath.Join(l.Folder, "log-"+filepath.Base(path.Base(log))+".key")
}

// Signer says whose key the last checkpoint of a log was signed with.
type Signer string

// The signers.
const (
	SignerOwn     Signer = "own"       // this computer's, or the one in the environment
	SignerOther   Signer = "other"     // another one
	SignerUnknown Signer = "not known" // this computer's can't be read
)

// LogCheck is what the check of a whole custody log has found.
type LogCheck struct {
	custody.Report
	Signer Signer `json:"signer,omitempty"` // "" where nothing is signed
	NoKey  string `json:"noKey,omitempty"`  // a sentence: why this computer's key can't be read
}

// CheckCustody checks the custody log in the service's records, and whose key signed it. A locked keychain asks the person.
func (s *Service) CheckCustody(ctx context.Context, records *store.Store) (check LogCheck, err error) {
	status, err := records.CustodyStatus(ctx)
	if err != nil {
		return check, err
	}
	key, keyErr := logKeys{s}.get(ctx, status.Origin)
	if err := ctx.Err(); err != nil {
		return check, err
	}
	anchor, err := custody.ParseAnchor(key.Last)
	if err != nil {
		keyErr = &keys.Problem{Cause: keys.Refused}
	}
	if check.Report, err = records.CheckCustody(ctx, anchor); err != nil {
		return check, err
	}
	known := keyErr == nil || keys.IsProblem(keyErr, keys.Missing)
	if !known {
		check.NoKey = i18n.Sentence(keyErr)
	}
	if check.Signed == nil {
		return check, nil
	}
	check.Signer = SignerUnknown
	if known {
		check.Signer = SignerOther
	}
	if key.Key != nil {
		if own, err := custody.VerifierKey(check.Origin, key.Key.Public().(ed25519.PublicKey)); err == nil && own == check.Signed.Key {
			check.Signer = SignerOwn
		}
	}
	return check, nil
}

// CheckCustody is Service.CheckCustody for the session's records.
func (s *Session) CheckCustody(ctx context.Context) (LogCheck, error) {
	return s.logKeys.CheckCustody(ctx, s.Store)
}

// signingPatience is how long the end of a session waits for the custody log to be signed: the next one signs what was left.
const signingPatience = 2 * time.Second

// signCustody signs a checkpoint of the custody log, where there is something that the last one does not cover: when a session has opened, for what an earlier
// one was killed over, and when it closes. Without a key nothing is signed, as assay verify --log says.
func (s *Session) signCustody(ctx context.Context) {
	status, err := s.Store.CustodyStatus(ctx)
	changed := err == nil && status.Broken > 0 && status.Signed == 0
	if err == nil && status.Entries != status.Signed {
		err = s.logKeys.sign(ctx, s.Store, status.Origin)
	}
	var rewritten *custody.Rewritten
	var noKey *keys.Problem
	switch {
	case errors.As(err, &rewritten):
		changed = true
		s.Log.Error("the custody log is not signed", "error", err)
	case errors.As(err, &noKey):
		s.Log.Info("the custody log is not signed", "error", err)
	case err != nil && ctx.Err() == nil:
		s.Log.Warn("the custody log is not signed", "error", err)
	}
	if changed {
		s.say(i18n.M("The custody log was changed outside Assay: assay verify --log says where."))
	}
}

// SignCustody signs the custody log in the service's records as it is now. An error is a *keys.Problem, a *custody.Rewritten, the records', or ctx's.
func (s *Service) SignCustody(ctx context.Context, records *store.Store) error {
	status, err := records.CustodyStatus(ctx)
	if err != nil || status.Entries == status.Signed || records.ReadOnly() != nil { // a newer Assay signs what it wrote
		return err
	}
	return logKeys{s}.sign(ctx, records, status.Origin)
}

// sign signs the log, and keeps with the key what it was then: a log that is set back is told by that, whatever stands in its records.
func (l logKeys) sign(ctx context.Context, records *store.Store, log string) error {
	key, err := l.need(ctx, log)
	if err != nil {
		return err
	}
	anchor, err := custody.ParseAnchor(key.Last)
	if err != nil {
		return &keys.Problem{Cause: keys.Refused}
	}
	if anchor, err = records.SignCustody(ctx, key.Key, anchor); err != nil || anchor.String() == key.Last {
		return err
	}
	key.Last = anchor.String()
	return l.keep(ctx, log, key)
}
