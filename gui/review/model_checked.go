package review

import (
	"time"

	"assay/client/i18n"
	"assay/client/verdict"
	"assay/gui/present"
)

// CheckedContent says which colleagues have checked what would be sent, or else what is nearly the same.
type CheckedContent struct {
	Mark     verdict.Mark
	Headline string // "" where nobody has
	Detail   string
	Case     present.Case // in which that was shared; for one submission
}

// CheckedBy sets what colleagues have said of a submission's content.
func (l *Review) CheckedBy(id string, c present.Checked) { l.checked[id] = c }

// NearTo sets what is nearly the same as a submission's content.
func (l *Review) NearTo(id string, n present.NearHint) { l.near[id] = n }

// Usable are those of the submissions asked about of which a colleague's answer can be used.
func (l *Review) Usable() (ids []string) {
	for _, s := range l.asked() {
		if l.checked[s.ID].Usable {
			ids = append(ids, s.ID)
		}
	}
	return ids
}

// addChecked sets what colleagues have said of what is asked about.
func (l *Review) addChecked(sheet *SheetContent) {
	n := 0
	var one present.Checked
	for _, s := range l.asked() {
		if c, ok := l.checked[s.ID]; ok {
			n++
			one = c
		}
	}
	usable := len(l.Usable())
	switch {
	case n == 0:
		if near := l.near[l.Current()]; near.Line != "" {
			sheet.Checked = CheckedContent{Mark: near.Mark, Headline: near.Line, Detail: i18n.T(present.NearNote), Case: present.Case{ID: near.Case}}
		}
		return
	case l.Current() == "":
		sheet.Checked = CheckedContent{Headline: i18n.N(n, "Colleagues have checked %s of these files", "Colleagues have checked %s of these files"),
			Detail: i18n.T("Their answers are at the desk. Using them sends nothing; the other files still wait for you.")}
		sheet.UseWords = i18n.N(usable, "Use the answer on %s file", "Use the answers on %s files")
	default:
		sheet.Checked = CheckedContent{Mark: one.Words.Mark, Headline: one.Headline(time.Now()), Detail: one.Detail(), Case: one.Case}
		sheet.UseWords = i18n.F("Use %s's answer", one.By)
		if l.subs[l.at].Problem.Equal(one.Asked) {
			sheet.Problem = ""
		}
	}
	sheet.Use = Option{Offered: usable > 0, Possible: true, Means: i18n.T("Sends nothing. It is shown as your colleague's answer.")}
}
