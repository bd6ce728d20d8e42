package keys

import "github.com/zalando/go-keyring"

// System is the system's own keychain.
func System() Backend { return system{} }

type system struct{}

func (system) Set(service, account, secret string) error {
	if err := ready(); err != nil {
		return err
	}
	return keyring.Set(service, account, secret)
}

func (system) Get(service, account string) (string, error) {
	if err := ready(); err != nil {
		return "", err
	}
	return keyring.Get(service, account)
}

func (system) Delete(service, account string) error {
	if err := ready(); err != nil {
		return err
	}
	return keyring.Delete(service, account)
}
