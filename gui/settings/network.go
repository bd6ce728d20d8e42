package settings

import (
	"context"

	"fyne.io/fyne/v2/container"

	"assay/client/config"
	"assay/client/i18n"
	"assay/gui/firstrun"
	"assay/gui/kit"
	"assay/gui/look"
)

// networkPage asks how the service is reached.
type networkPage struct {
	*page
	proxy    *kit.Field
	proxyRow *row
	last     string // the proxy that was shown last
	password *kit.SecretField
	passRow  *row
	state    *kit.Paragraph // of the password
	keep     *kit.Button
	forget   *kit.Button
	result   *connectionNotice
}

func newNetworkPage(p *page) {
	n := &networkPage{page: p}
	n.proxy = kit.NewField("http://proxy.example.org:3128", nil)
	n.proxyRow = p.newRow(SettingProxy, i18n.T("Proxy"), firstrun.ProxyHint()+" "+i18n.T("Press Enter to save."), n.proxy,
		func(on bool) { kit.SetEnabled(n.proxy, on) }, n.showProxy)
	n.proxy.OnSubmitted = func(string) { n.applyProxy() }
	n.newPassword()
	file := firstrun.NewFilePicker(p.settings.ChooseFile, nil)
	files := p.newRow(SettingCertificates, i18n.T("Certificate file"), firstrun.CertificateHint(), file.Root, file.Enable,
		func(now config.Settings) { file.Show(now.Network.Certificates) })
	file.Changed = func(path string) { files.change(func(s *config.Settings) { s.Network.Certificates = path }) }
	p.card(n.proxyRow.root, n.passRow.root)
	p.card(files.root)
	n.result = newConnectionNotice(p)
	test := kit.NewButton(kit.Plain, i18n.T("Test the connection"), nil, func() { n.result.run(p.settings.Test) })
	p.card(kit.NewGroup(kit.NewHint(i18n.T("Changes apply to new connections. What is under way finishes as it began.")), container.New(&kit.Flow{}, test), n.result.notice))
	p.fills = append(p.fills, func() { kit.SetEnabled(test, !p.settings.Service().Sandbox) })
	n.proxy.OnFocusLost = n.applyProxy // after the card was made, which sets OnFocus
}

// newPassword makes the field for the proxy's password. A kept one is never shown.
func (n *networkPage) newPassword() {
	n.state = kit.NewParagraph("", kit.TextStyle{})
	n.password = kit.NewSecretField("", func(string) { n.showPassword() })
	n.password.OnSubmitted = func(string) { n.keepPassword(n.password.Secret()) }
	n.keep = kit.NewButton(kit.Plain, i18n.T("Save this password"), nil, func() { n.keepPassword(n.password.Secret()) })
	n.forget = kit.NewButton(kit.Plain, i18n.T("Remove the password"), nil, func() { n.keepPassword("") })
	n.passRow = n.newRow(SettingProxy, i18n.T("Password for the proxy"), i18n.T("Only if the proxy asks for one. Assay keeps it in the keychain."),
		container.New(kit.Column{Gap: 2 * look.Space, Grow: -1}, n.state, n.password,
			container.New(&kit.Flow{Gap: 2 * look.Space, Line: 2 * look.Space}, n.keep, n.forget)),
		func(bool) {}, func(config.Settings) { n.showPassword() })
}

// showProxy shows the proxy in use, unless one is being typed or the typed one is invalid.
func (n *networkPage) showProxy(now config.Settings) {
	if now.Network.Proxy != n.last || n.proxy.Text == "" {
		n.last = now.Network.Proxy
		n.proxy.SetText(n.last)
	}
}

// applyProxy applies what is typed, if it differs from the proxy in use.
func (n *networkPage) applyProxy() {
	typed := firstrun.NetworkDraft{Proxy: n.proxy.Text}
	proxy, password, err := typed.Parts()
	if err != nil {
		n.proxyRow.changed(err)
		return
	}
	if proxy == n.last && password == "" {
		n.proxyRow.changed(nil)
		return
	}
	n.settings.change(func(s *config.Settings) { s.Network.Proxy = proxy }, func(err error) {
		if err == nil {
			n.last = proxy
			n.proxy.SetText(proxy) // without the password
			if password != "" {
				n.keepPassword(password)
			}
		}
		n.proxyRow.changed(err)
	})
}

func (n *networkPage) keepPassword(password string) {
	proxy := n.settings.Settings().Network.Proxy
	n.run(func(ctx context.Context) func() {
		err := n.settings.SetProxyPassword(ctx, proxy, password)
		return func() {
			if err == nil {
				n.password.Clear()
			}
			n.passRow.changed(err)
			n.showPassword()
		}
	})
}

func (n *networkPage) showPassword() {
	proxy := n.settings.Settings().Network.Proxy
	words, kept := ProxyPasswordWords(proxy, n.settings.ProxyPassword(proxy))
	n.state.SetText(words)
	kit.SetEnabled(n.password, proxy != "")
	kit.SetEnabled(n.keep, proxy != "" && n.password.Secret() != "")
	kit.SetVisible(n.forget, kept)
}
