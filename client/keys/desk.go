package keys

import "context"

// deskAccounts begin the accounts of the passwords of desks, which no address of a service does.
const deskAccounts = "desk "

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
