package keys

import (
	"context"
	"net/url"
	"strings"
	"unicode"

	"assay/client/i18n"
)

// proxyAccounts begin the accounts of proxies' passwords, which no address of a service does.
const proxyAccounts = "proxy "

// ProxyPassword is the password of a proxy, or "". The proxy is as client.Options.ProxyURL has it; its host and its port count. It
// never blocks.
func (r *Ring) ProxyPassword(proxy string) string { return r.serving(proxyAccount(proxy)) }

// ProxyStatus says how it stands with that password.
func (r *Ring) ProxyStatus(proxy string) Status { return r.status(proxyAccount(proxy)) }

// LoadProxyPassword is Load.
func (r *Ring) LoadProxyPassword(ctx context.Context, proxy string) error {
	return r.load(ctx, proxyAccount(proxy), unchanged)
}

// SetProxyPassword is Set. Nothing is trimmed but the end of the line.
func (r *Ring) SetProxyPassword(ctx context.Context, proxy, password string) error {
	password, err := cleanPassword(password)
	if err != nil {
		return err
	}
	return r.set(ctx, proxyAccount(proxy), password)
}

// KeepProxyPasswordForThisRun is KeepForThisRun.
func (r *Ring) KeepProxyPasswordForThisRun(proxy, password string) error {
	password, err := cleanPassword(password)
	if err != nil {
		return err
	}
	r.keepForThisRun(proxyAccount(proxy), password)
	return nil
}

// ClearProxyPassword is Clear.
func (r *Ring) ClearProxyPassword(ctx context.Context, proxy string) error {
	return r.clear(ctx, proxyAccount(proxy))
}

// proxyAccount names host and port, without user and password.
func proxyAccount(proxy string) string {
	u, err := url.Parse(strings.TrimSpace(proxy))
	if err != nil || u.Hostname() == "" {
		return proxyAccounts // of no proxy: what can't be read may hold a password
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	if port == "" {
		port = "1080" // of SOCKS
	}
	return proxyAccounts + strings.ToLower(u.Hostname()) + ":" + port
}

func unchanged(secret string) string { return secret }

// cleanOf is how what another program may have put into an account is cleaned.
func cleanOf(account string) func(string) string {
	if strings.HasPrefix(account, proxyAccounts) {
		return unchanged
	}
	return trimmed
}

// cleanPassword refuses what no proxy can be sent.
func cleanPassword(given string) (string, error) {
	password := strings.TrimRight(given, "\r\n")
	switch {
	case password == "":
		return "", &Unusable{i18n.T("There is no password: what was given is empty.")}
	case len(password) > longest:
		return "", &Unusable{i18n.F("That is too long for a password: it has more than %s letters.", i18n.Count(longest))}
	case strings.ContainsFunc(password, unicode.IsControl):
		return "", &Unusable{i18n.T("There is a letter in it that no password can have: type it again.")}
	}
	return password, nil
}
