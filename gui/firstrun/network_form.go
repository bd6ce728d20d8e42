package firstrun

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client/i18n"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// networkForm asks how a service is reached. It is folded until it is opened, or something in it is wrong.
type networkForm struct {
	form     *Form
	fold     *kit.Button
	card     *kit.Card // the content
	content  *fyne.Container
	proxy    *kit.Field
	password *kit.SecretField
	file     *FilePicker
}

func newNetworkForm(f *Form, draft NetworkDraft) *networkForm {
	n := &networkForm{form: f}
	n.proxy = kit.NewField("http://proxy.example.org:3128", nil)
	n.proxy.SetText(draft.Proxy)
	n.password = kit.NewSecretField("", nil)
	n.password.SetText(draft.ProxyPassword)
	n.file = NewFilePicker(f.ChooseFile, func(string) { f.typed() })
	n.file.Show(draft.Certificates)
	n.content = container.New(kit.Column{Gap: 4 * look.Space, Grow: -1},
		kit.NewGroup(kit.NewLabelled(i18n.T("Proxy"), n.proxy, kit.NewHint(ProxyHint()), nil), f.notices[SetupProxy]),
		kit.NewGroup(kit.NewLabelled(i18n.T("Password for the proxy"), n.password, kit.NewHint(i18n.T("Only if the proxy asks for one. Assay keeps it in the keychain.")), nil), f.notices[SetupProxyLogin]),
		kit.NewGroup(kit.NewLabelled(i18n.T("Certificate file"), n.file.Root, kit.NewHint(CertificateHint()), nil), f.notices[SetupCertificates]))
	n.card = kit.NewCard(n.content)
	n.card.SetPadding(5 * look.Space)
	n.fold = kit.NewButton(kit.Bare, i18n.T("Proxy and certificates…"), nil, func() { n.folded(n.content.Visible()) })
	n.folded(draft == NetworkDraft{})
	n.proxy.OnChanged = func(string) { f.typed() }
	typed := n.password.OnChanged
	n.password.OnChanged = func(text string) {
		typed(text)
		f.typed()
	}
	return n
}

// ProxyHint says what may be given as a proxy.
func ProxyHint() string {
	return i18n.T("Leave this empty to use the proxy set in this computer's environment. A user name goes in front: http://name@proxy.example.org:3128.")
}

// CertificateHint says what further certificates are for.
func CertificateHint() string {
	return i18n.T("A PEM file to trust besides the system's certificates. Companies that inspect their traffic have one: ask the IT desk.")
}

// folded hides the fields, or shows them.
func (n *networkForm) folded(away bool) {
	kit.SetVisible(n.content, !away)
	kit.SetVisible(n.card, !away)
	n.fold.SetIcon(look.IconChevronDown)
	if away {
		n.fold.SetIcon(look.IconChevronRight)
	}
	n.form.Changed()
}

func (n *networkForm) unfold() {
	if !n.content.Visible() {
		n.folded(false)
	}
}

func (n *networkForm) draft() NetworkDraft {
	return NetworkDraft{Proxy: n.proxy.Text, ProxyPassword: n.password.Secret(), Certificates: n.file.path}
}

func (n *networkForm) enable(available bool) {
	kit.SetEnabled(n.proxy, available)
	kit.SetEnabled(n.password, available)
	n.file.Enable(available)
}

// FilePicker shows the chosen file, with buttons to choose another or none.
type FilePicker struct {
	Root    *fyne.Container
	path    string
	Changed func(path string)
	words   *kit.Paragraph
	ways    *fyne.Container
	choose  *kit.Button
	remove  *kit.Button
}

// NewFilePicker makes it without a file. choose opens the dialog; changed is called with the person's choice, "" for no file.
func NewFilePicker(choose func(chosen func(path string)), changed func(path string)) *FilePicker {
	r := &FilePicker{Changed: changed}
	r.words = kit.NewParagraph("", kit.TextStyle{})
	r.choose = kit.NewButton(kit.Plain, i18n.T("Choose a file…"), nil, func() { choose(r.chosen) })
	r.remove = kit.NewButton(kit.Bare, i18n.T("Remove"), nil, func() { r.chosen("") })
	r.ways = container.New(&kit.Flow{Gap: 2 * look.Space, Line: look.Space}, r.choose, r.remove)
	r.Root = container.New(kit.Column{Gap: look.Space, Grow: -1}, r.words, r.ways)
	r.Show("")
	return r
}

func (r *FilePicker) chosen(path string) {
	if path == r.path {
		return
	}
	r.Show(path)
	r.Changed(path)
}

// Show shows a path that was not chosen here, "" for none.
func (r *FilePicker) Show(path string) {
	r.path = path
	r.words.SetText(present.PlainPath(path))
	kit.SetVisible(r.words, path != "")
	kit.SetVisible(r.remove, path != "")
	kit.Relayout(r.ways)
}

// Enable makes the choice available or unavailable.
func (r *FilePicker) Enable(available bool) {
	kit.SetEnabled(r.choose, available)
	kit.SetEnabled(r.remove, available)
}
