package keys

import "context"

const (
	// deskAccounts begin the accounts of the passwords of desks, which no address of a service does.
	deskAccounts = "desk "
	// deskFilesAccounts begin those of the keys of stores where a desk's files are kept.
	deskFilesAccounts = deskAccounts + "files "
)

// DeskPassword is the password for a desk's address, which has none in it. An error is a *Problem, Missing where there is none, or ctx's. A locked
// keychain asks the person to unlock it.
func (r *Ring) DeskPassword(ctx context.Context, desk string) (string, error) {
	return r.keychain.get(ctx, r.keychain.patience, deskAccounts+desk, unchanged)
}

// SetDeskPassword keeps it. An error is a *Problem, an *Unusable, or ctx's.
func (r *Ring) SetDeskPassword(ctx context.Context, desk, password string) error {
	password, err := cleanPassword(password)
	if err != nil {
		return err
	}
	return r.keychain.set(ctx, r.keychain.patience, deskAccounts+desk, password)
}

// ClearDeskPassword removes it. An error is a *Problem, Missing where there was none, or ctx's.
func (r *Ring) ClearDeskPassword(ctx context.Context, desk string) error {
	return r.keychain.remove(ctx, r.keychain.patience, deskAccounts+desk)
}

// DeskFilesKey is the key of the store where a desk's files are kept, by its address. Errors are those of DeskPassword.
func (r *Ring) DeskFilesKey(ctx context.Context, store string) (string, error) {
	return r.keychain.get(ctx, r.keychain.patience, deskFilesAccounts+store, unchanged)
}

// SetDeskFilesKey keeps it. Errors are those of SetDeskPassword.
func (r *Ring) SetDeskFilesKey(ctx context.Context, store, key string) error {
	key, err := cleanPassword(key)
	if err != nil {
		return err
	}
	return r.keychain.set(ctx, r.keychain.patience, deskFilesAccounts+store, key)
}

// ClearDeskFilesKey removes it. Errors are those of ClearDeskPassword.
func (r *Ring) ClearDeskFilesKey(ctx context.Context, store string) error {
	return r.keychain.remove(ctx, r.keychain.patience, deskFilesAccounts+store)
}
