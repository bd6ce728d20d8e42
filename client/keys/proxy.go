package keys

import (
	"context"
	"net/url"
	"strings"
	"unicode"

	"assay/client/i18n"
)

// proxyAccounts is the prefix of the accounts of proxies' passwords; no service's address begins with it.
const proxyAccounts = "proxy "

// ProxyPassword is the password of a proxy, or "". proxy has the form of client.Options.ProxyURL; only its host and port count. It never blocks.
func (r *Ring) ProxyPassword(proxy string) string { return r.serving(proxyAccount(proxy)) }

// ProxyStatus is the status of that password.
func (r *Ring) ProxyStatus(proxy string) Status { return r.status(proxyAccount(proxy)) }

// LoadProxyPassword is Load for a proxy's password.
func (r *Ring) LoadProxyPassword(ctx context.Context, proxy string) error {
	return r.load(ctx, proxyAccount(proxy), unchanged)
}

// SetProxyPassword is Set for a proxy's password. Only a line end is trimmed.
func (r *Ring) SetProxyPassword(ctx context.Context, proxy, password string) error {
	password, err := cleanPassword(password)
	if err != nil {
		return err
	}
	return r.set(ctx, proxyAccount(proxy), password)
}

// KeepProxyPasswordForThisRun is KeepForThisRun for a proxy's password.
func (r *Ring) KeepProxyPasswordForThisRun(proxy, password string) error {
	password, err := cleanPassword(password)
	if err != nil {
		return err
	}
	r.keepForThisRun(proxyAccount(proxy), password)
	return nil
}

// ClearProxyPassword is Clear for a proxy's password.
func (r *Ring) ClearProxyPassword(ctx context.Context, proxy string) error {
	return r.clear(ctx, proxyAccount(proxy))
}

// proxyAccount is made of host and port, without user and password.
func proxyAccount(proxy string) string {
	u, err := url.Parse(strings.TrimSpace(proxy))
	if err != nil || u.Hostname() == "" {
		return proxyAccounts // of no proxy: a text that can't be parsed may hold a password
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	if port == "" {
		port = "1080" // the default of SOCKS
	}
	return proxyAccounts + strings.ToLower(u.Hostname()) + ":" + port
}

func unchanged(secret string) string { return secret }

// cleanOf returns the function that cleans an account's secret, which another program may have written.
func cleanOf(account string) func(string) string {
	if strings.HasPrefix(account, proxyAccounts) {
		return unchanged
	}
	return trimmed
}

// cleanPassword fails for a password that can't be sent to a proxy.
func cleanPassword(given string) (string, error) {
	password := strings.TrimRight(given, "\r\n")
	switch {
	case password == "":
		return "", &Unusable{i18n.T("The password is empty.")}
	case len(password) > longest:
		return "", &Unusable{i18n.F("That is too long for a password: it has more than %s characters.", i18n.Count(longest))}
	case strings.ContainsFunc(password, unicode.IsControl):
		return "", &Unusable{i18n.T("It contains a character that no password can have. Type it again.")}
	}
	return password, nil
}
