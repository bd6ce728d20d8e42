package present

import (
	"slices"
	"time"

	"assay/client/i18n"
	"assay/client/plain"
	"assay/client/store"
	"assay/client/submission"
	"assay/client/verdict"
)

// Checked is what colleagues have said of a content, for where a person decides whether it is sent.
type Checked struct {
	By        string // whose answer it is: the latest that can be taken over, or else the latest
	Others    int    // how many other colleagues have one
	At        time.Time
	Words     verdict.Words
	Release   string
	Judgement string       // what the newsroom judged of it, in words; "" for nothing
	Case      Case         // that it was shared in
	Usable    bool         // it can be taken over
	Asked     i18n.Message // the submission's Problem that asks for the same
}

// nameMost is how many characters of a colleague's name are shown.
const nameMost = 32

// Person is a colleague's name, safe to show in a line.
func Person(name string) string { return plain.From(name).Folded().Clip(nameMost).String() }

// CheckedOf makes it of what colleagues have shared, the latest first. ok is false where there is nothing.
func CheckedOf(all []store.Checked) (c Checked, ok bool) {
	if len(all) == 0 {
		return c, false
	}
	one := all[max(0, slices.IndexFunc(all, func(o store.Checked) bool { return o.ID != "" }))]
	c = Checked{By: Person(one.By), At: one.At, Words: wordsOf(one.Status), Release: plain.From(one.Release).Folded().Clip(nameMost).String(),
		Case: Case{ID: one.Case, Title: plain.From(one.Title).Folded().String()}, Usable: one.ID != "", Asked: submission.CheckedBy(one.By, one.ID != "")}
	if one.Judgement != "" {
		c.Judgement = i18n.F("Judged by %s: %s", Person(one.JudgementBy), verdict.Label(one.Judgement))
	}
	names := map[string]bool{one.By: true}
	for _, o := range all {
		names[o.By] = true
	}
	c.Others = len(names) - 1
	return c, true
}

// Headline says in a line who has checked it, when, and what the service said.
func (c Checked) Headline(now time.Time) string {
	at := i18n.DayTime(c.At, now)
	if c.Others > 0 {
		return i18n.N(c.Others, "Checked by %[2]s and %[1]s other, %[3]s: %[4]s", "Checked by %[2]s and %[1]s others, %[3]s: %[4]s", c.By, at, c.Words.Short)
	}
	return i18n.F("Checked by %s, %s: %s", c.By, at, c.Words.Short)
}

// Detail says what taking it over means, which must not be cut off in a narrow row, and what else is known of it.
func (c Checked) Detail() string {
	release, then := "", i18n.T("Only the verdict was shared")
	if c.Release != "" {
		release = i18n.F("release %s", c.Release)
	}
	if c.Usable {
		then = i18n.T("Using this answer sends nothing")
	}
	return Joined(then, c.Judgement, i18n.T("same content, by its SHA-256"), release)
}

// AnswerOf says whose answer a submission has, and when they had it.
func AnswerOf(by submission.Colleague, now time.Time) string {
	return i18n.F("%s's answer, %s", Person(by.Name), i18n.DayTime(by.At, now))
}
