package settings

import (
	"context"
	"errors"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"assay/client/desk/postgres"
	"assay/client/i18n"
	"assay/gui/firstrun"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// deskForm asks for a desk's address, the member's name and password, and certificates, and joins the desk.
type deskForm struct {
	page   *page
	joined func(kept bool) // called once the desk was joined
	parts  postgres.Parts  // as it was filled in by the settings, by a file, or by the membership
	fixed  bool            // the server can't be changed
	filled string          // the proposed address that was filled in last

	root     *fyne.Container
	server   *kit.Field
	login    *kit.Field
	password *kit.SecretField
	filesKey *kit.SecretField
	store    fyne.CanvasObject       // asks for filesKey, where the address names a store for files
	files    [3]*firstrun.FilePicker // authority, own certificate, its key
	paths    [3]string
	more     *kit.Button
	rest     *fyne.Container // the certificates
	join     *kit.Button
	file     *kit.Button
	lacks    [3]*kit.Paragraph // what is wrong in the first three fields
	said     *kit.Notice
	cancel   func() // ends the attempt under way; nil: there is none
}

func newDeskForm(p *page, joined func(kept bool)) *deskForm {
	f := &deskForm{page: p, joined: joined}
	f.server = kit.NewField("postgres://desk.example/assay", func(string) { f.showStore() })
	f.login = kit.NewField("ines", nil)
	f.password = kit.NewSecretField("", nil)
	f.filesKey = kit.NewSecretField("ACCESS:SECRET", nil)
	f.store = kit.NewLabelled(i18n.T("Key for the desk's files"), f.filesKey, kit.NewHint(i18n.T("As your IT gave it: access key, colon, secret key. If this computer has it already, leave this empty.")), nil)
	f.store.Hide()
	f.server.OnSubmitted = func(string) { p.settings.focus(f.login) }
	f.login.OnSubmitted = func(string) { p.settings.focus(f.password) }
	f.password.OnSubmitted = func(string) { f.begin() }
	f.filesKey.OnSubmitted = func(string) { f.begin() }
	f.join = kit.NewButton(kit.Primary, i18n.T("Join the desk"), nil, f.begin)
	f.file = kit.NewButton(kit.Plain, i18n.T("Fill in from a file…"), nil, func() { p.settings.Desk.ChooseFile(f.readFile) })
	f.more = kit.NewButton(kit.Bare, i18n.T("Certificates…"), nil, func() { f.unfold(!f.rest.Visible()) })
	f.rest = container.New(kit.Column{Gap: 4 * look.Space, Grow: -1})
	for i, words := range [][2]string{
		{i18n.T("Certificate authority"), i18n.T("The PEM file by which the desk's server proves who it is, if the system does not know it.")},
		{i18n.T("Your certificate"), i18n.T("Only if your IT gave you one: its PEM file, and that of its key.")},
		{i18n.T("Key of your certificate"), ""},
	} {
		f.files[i] = firstrun.NewFilePicker(p.settings.ChooseFile, func(path string) {
			f.paths[i] = path
			p.layOut()
		})
		var hint fyne.CanvasObject
		if words[1] != "" {
			hint = kit.NewHint(words[1])
		}
		f.rest.Add(kit.NewLabelled(words[0], f.files[i].Root, hint, nil))
	}
	f.said = kit.NewNotice(look.IconWarning, "", "", nil)
	f.said.Hide()
	for i := range f.lacks {
		f.lacks[i] = kit.NewRefusal()
	}
	f.root = container.New(kit.Column{Gap: 4 * look.Space, Grow: -1},
		kit.NewLabelled(i18n.T("Address"), f.server, nil, f.lacks[0]),
		kit.NewLabelled(i18n.T("Your name at the desk"), f.login, kit.NewHint(i18n.T("If the address has it already, leave this empty.")), f.lacks[1]),
		kit.NewLabelled(i18n.T("Password"), f.password, kit.NewHint(i18n.T("Assay keeps it in this computer's keychain.")), f.lacks[2]),
		f.store,
		kit.NewGroup(container.New(&kit.Flow{}, f.more), f.rest),
		container.New(&kit.ButtonRows{}, f.join, f.file), f.said)
	f.unfold(false)
	return f
}

func (f *deskForm) unfold(open bool) {
	kit.SetVisible(f.rest, open)
	f.more.SetIcon(look.IconChevronRight)
	if open {
		f.more.SetIcon(look.IconChevronDown)
	}
	f.page.layOut()
}

// showStore asks for the key of a store where the address names one.
func (f *deskForm) showStore() {
	if wanted := postgres.PartsOf(f.server.Text).StoresFiles(); wanted != f.store.Visible() {
		kit.SetVisible(f.store, wanted)
		f.page.layOut()
	}
}

// fillIn shows an address's parts in the fields, unless they were filled in from the same before: what the person has typed since stays.
func (f *deskForm) fillIn(parts postgres.Parts, fixed bool) {
	if f.fixed = fixed; parts != f.parts {
		f.parts = parts
		f.server.SetText(parts.Server)
		f.login.SetText(parts.Login)
		f.paths = [3]string{parts.Authority, parts.Certificate, parts.Key}
		for i, path := range f.paths {
			f.files[i].Show(path)
		}
		if f.paths != [3]string{} {
			f.unfold(true)
		}
	}
	f.enable()
}

// propose fills in the address that the settings propose, "" for none. Unless it is fixed, that is done once.
func (f *deskForm) propose(address string, fixed bool) {
	if fixed || address != f.filled {
		f.filled = address
		f.fillIn(postgres.PartsOf(address), fixed)
		return
	}
	f.fixed = false
	f.enable()
}

func (f *deskForm) enable() {
	idle := f.cancel == nil
	kit.SetEnabled(f.server, idle && !f.fixed)
	kit.SetEnabled(f.login, idle && (!f.fixed || f.parts.Login == ""))
	kit.SetEnabled(f.password, idle)
	kit.SetEnabled(f.filesKey, idle)
	for _, file := range f.files {
		file.Enable(idle)
	}
	kit.SetEnabled(f.join, idle)
	kit.SetEnabled(f.file, idle)
	kit.SetVisible(f.file, !f.fixed)
}

// readFile fills in what a file of IT's says.
func (f *deskForm) readFile(path string) {
	f.page.run(func(ctx context.Context) func() {
		parts, err := f.page.settings.Desk.ReadFile(ctx, path)
		return func() {
			if err != nil {
				title, sentence := JoinWords(err)
				f.say(look.IconWarning, title, sentence)
				return
			}
			if parts.Login == "" {
				parts.Login = f.login.Text
			}
			f.clear()
			f.fillIn(parts, false)
			f.page.settings.focus(f.firstEmpty())
		}
	})
}

// firstEmpty is what is to be typed next.
func (f *deskForm) firstEmpty() fyne.Focusable {
	if f.login.Text == "" {
		return f.login
	}
	return f.password
}

// begin joins the desk.
func (f *deskForm) begin() {
	if f.cancel != nil {
		return
	}
	at, err := postgres.Parts{Server: f.server.Text, Login: f.login.Text, Authority: f.paths[0], Certificate: f.paths[1], Key: f.paths[2]}.Address()
	var wrong [3]string
	switch {
	case f.server.Text == "":
		wrong[0] = i18n.T("Fill in the desk's address first. It looks like postgres://desk.example/assay.")
	case errors.Is(err, postgres.ErrNoLogin):
		wrong[1] = i18n.T("Fill in the name that your IT gave you for the desk.")
	case err != nil:
		wrong[0] = present.Problem(err)
	case f.password.Secret() == "":
		wrong[2] = i18n.T("Fill in the password that your IT gave you for the desk.")
	}
	if f.refuse(wrong) {
		return
	}
	password, filesKey := f.password.Secret(), ""
	if f.store.Visible() {
		filesKey = f.filesKey.Secret()
	}
	f.say(look.IconHourglass, "", i18n.T("Connecting to the desk…"))
	f.said.SetAction(i18n.T("Stop"), f.stop)
	f.cancel = f.page.run(func(ctx context.Context) func() {
		kept, err := f.page.settings.Desk.Join(ctx, at, password, filesKey)
		return func() {
			f.cancel = nil
			f.enable()
			if err != nil {
				title, sentence := JoinWords(err)
				f.say(look.IconWarning, title, sentence)
				return
			}
			f.clear()
			f.joined(kept)
		}
	})
	f.enable()
}

func (f *deskForm) clearSecrets() {
	f.password.Clear()
	f.filesKey.Clear()
}

// stop ends an attempt.
func (f *deskForm) stop() {
	if f.cancel != nil {
		f.cancel()
		f.cancel = nil
	}
	f.clear()
	f.enable()
}

// refuse shows under the fields what is to be put right before anything is tried, and goes to the first of those.
func (f *deskForm) refuse(wrong [3]string) (stop bool) {
	f.clear()
	for i, sentence := range wrong {
		kit.Refuse(f.lacks[i], sentence)
		if sentence != "" && !stop {
			stop = true
			f.page.settings.focus([]fyne.Focusable{f.server, f.login, f.password}[i])
		}
	}
	f.page.layOut()
	return stop
}

func (f *deskForm) say(icon fyne.Resource, title, sentence string) {
	f.said.SetIcon(icon)
	f.said.SetTitle(title)
	f.said.SetText(sentence)
	f.said.SetAction("", nil)
	kit.SetVisible(f.said, true)
	f.page.layOut()
	kit.RevealIn(f.page.scroll, f.said)
}

func (f *deskForm) clear() {
	kit.SetVisible(f.said, false)
	f.page.layOut()
}

// typedKey handles Escape, which ends an attempt.
func (f *deskForm) typedKey(e *fyne.KeyEvent) (taken bool) {
	if e.Name != fyne.KeyEscape || f.cancel == nil {
		return false
	}
	f.stop()
	return true
}
