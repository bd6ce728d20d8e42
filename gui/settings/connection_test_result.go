package settings

import (
	"context"

	"fyne.io/fyne/v2"

	"assay/client/i18n"
	"assay/gui/firstrun"
	"assay/gui/kit"
	"assay/gui/look"
	"assay/gui/present"
)

// connectionNotice says what came of asking the present service, or of another deed, in a notice.
type connectionNotice struct {
	page   *page
	notice *kit.Notice
	cancel func()
}

func newConnectionNotice(p *page) *connectionNotice {
	r := &connectionNotice{page: p, notice: kit.NewNotice(look.IconInfo, "", "", nil), cancel: func() {}}
	r.notice.Hide()
	return r
}

// run asks the service once.
func (r *connectionNotice) run(test func(ctx context.Context) error) {
	r.cancel()
	r.say(look.IconHourglass, "", i18n.T("Asking the service…"))
	r.notice.SetAction(i18n.T("Stop"), r.clear)
	r.cancel = r.page.run(func(ctx context.Context) func() {
		err := test(ctx)
		return func() {
			title, sentence := firstrun.TestWords(err)
			icon := look.IconCheck
			if err != nil {
				icon = look.IconWarning
			}
			r.say(icon, title, sentence)
		}
	})
}

// failed says why something failed; nil says nothing.
func (r *connectionNotice) failed(err error) {
	if err != nil {
		r.say(look.IconWarning, "", present.Problem(err))
	}
}

func (r *connectionNotice) say(icon fyne.Resource, title, sentence string) {
	r.notice.SetIcon(icon)
	r.notice.SetTitle(title)
	r.notice.SetText(sentence)
	r.notice.SetAction("", nil)
	kit.SetVisible(r.notice, true)
	r.page.layOut()
}

// clear stops asking, and takes away what was said.
func (r *connectionNotice) clear() {
	r.cancel()
	r.cancel = func() {}
	kit.SetVisible(r.notice, false)
	r.page.layOut()
}
