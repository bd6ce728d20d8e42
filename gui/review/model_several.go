package review

import (
	"slices"
	"strings"

	"assay/client/i18n"
	"assay/client/media"
	filefacts "assay/client/media/facts"
	"assay/client/plain"
	"assay/client/submission"
	"assay/gui/present"
)

// shownMost is how many files a sheet lists.
const shownMost = 200

// several is the content for more than one submission.
func (l *Review) several(how Choice) SheetContent {
	n := len(l.subs)
	c := l.count()
	sheet := SheetContent{Title: i18n.F("Send all %s?", i18n.Count(n)), To: l.toSeveral(c),
		Plain: Option{Offered: true, Possible: true, Means: i18n.T("As they are, with everything that is in them.")}}
	if l.address == "" {
		sheet.Title = i18n.F("Check all %s in the sandbox?", i18n.Count(n))
	}
	if c.converted > 0 {
		sheet.Copied = i18n.N(c.converted, "The service does not take %s of these files as it is: a copy is made and analysed.", "The service does not take %s of these files as they are: copies are made and analysed.")
	}
	if c.bytes > 0 {
		sheet.Rows = append(sheet.Rows, Row{Label: i18n.T("Size"), AsItIs: media.SizeText(c.bytes), Wide: true})
	}
	for _, kind := range filefacts.Kinds() {
		if many := c.kinds[kind]; many > 0 {
			sheet.Finds = append(sheet.Finds, Line{Label: kind.Label(), Value: i18n.N(many, "in %s file", "in %s files")})
		}
	}
	if c.incomplete > 0 {
		sheet.Warning = i18n.N(c.incomplete, "%s file could not be read fully: it may hold more.", "%s files could not be read fully: they may hold more.")
	}
	sheet.FindsNote = c.note()
	for i, s := range l.subs {
		if i == shownMost {
			sheet.FilesMore = i18n.N(n-i, "and %s more", "and %s more")
			break
		}
		sheet.Files = append(sheet.Files, l.line(s, how))
	}
	if n > c.links {
		sheet.Neutral = Option{Offered: true, Possible: true}
	}
	if c.copies+c.unread+c.cannot > 0 {
		sheet.Copy = Option{Offered: true, Possible: c.copies > 0, Means: i18n.T("Takes out what identifies someone. Picture and sound stay.")}
		if c.cannot > 0 {
			sheet.Copy.Means = i18n.N(c.cannot, "Picture and sound stay. No copy can be made of %s file: it is not sent, and waits for your decision.",
				"Picture and sound stay. No copy can be made of %s files: they are not sent, and wait for your decision.")
		}
	}
	return sheet
}

// toSeveral says what would be sent where.
func (l *Review) toSeveral(c count) string {
	n, to := len(l.subs), l.address
	switch c.links {
	case 0:
		return i18n.N(n, "%[1]s file would go to %[2]s. Nothing has left this computer.", "%[1]s files would go to %[2]s. Nothing has left this computer.", to)
	case n:
		return i18n.N(n, "%[1]s link would go to %[2]s. Nothing has left this computer.", "%[1]s links would go to %[2]s. Nothing has left this computer.", to)
	}
	return i18n.N(n, "%[1]s file or link would go to %[2]s. Nothing has left this computer.", "%[1]s files and links would go to %[2]s. Nothing has left this computer.", to)
}

// count is what was found in several files.
type count struct {
	bytes             int64
	links, texts      int
	converted         int // sent as copies in another format
	read, unread, bad int // number of files that were read, not read so far, or unreadable
	clean, incomplete int // of those read: nothing identifies in them, or they could not be read fully
	copies, cannot    int // number of files of which a copy can be made, or not
	kinds             map[filefacts.Kind]int
}

func (l *Review) count() count {
	c := count{kinds: map[filefacts.Kind]int{}}
	for _, s := range l.subs {
		c.bytes += s.Size
		if s.Needs != submission.NeedsNothing {
			c.converted++
		}
		at, looked := l.looked[s.ID]
		switch {
		case s.Link != "":
			c.links++
			continue
		case l.isText(s):
			c.texts++
			continue
		case !looked:
			c.unread++
			continue
		case at.err != nil:
			c.bad++
			c.cannot++
			continue
		}
		c.read++
		kinds := kindsIn(at.facts)
		for _, kind := range kinds {
			c.kinds[kind]++
		}
		if at.facts.Incomplete {
			c.incomplete++
		} else if len(kinds) == 0 {
			c.clean++
		}
		if possible, _ := at.copyable(s); possible {
			c.copies++
		} else {
			c.cannot++
		}
	}
	return c
}

// kindsIn returns the kinds of what identifies somebody in a file, each once, in order.
func kindsIn(facts filefacts.Facts) []filefacts.Kind {
	var kinds []filefacts.Kind
	for _, f := range filefacts.Identifying(facts) {
		if !slices.Contains(kinds, f.Kind) {
			kinds = append(kinds, f.Kind)
		}
	}
	return kinds
}

// note says what is shown besides the kinds that were found.
func (c count) note() string {
	var sentences []string
	if c.clean > 0 {
		sentences = append(sentences, i18n.N(c.clean, "Nothing identifies in %s file, as far as Assay knows.", "Nothing identifies in %s files, as far as Assay knows."))
	}
	if c.bad > 0 {
		sentences = append(sentences, i18n.N(c.bad, "What %s file says about itself can't be shown.", "What %s files say about themselves can't be shown."))
	}
	if c.texts > 0 {
		sentences = append(sentences, i18n.N(c.texts, "%s text is sent as it is: Assay does not look for names in it.", "%s texts are sent as they are: Assay does not look for names in them."))
	}
	if c.links > 0 {
		sentences = append(sentences, i18n.T("The service fetches what links lead to. The people who run those sites may see the visit."))
	}
	return strings.Join(sentences, " ")
}

// line describes one of several: the name under which it is sent, and what identifies somebody in it.
func (l *Review) line(s submission.Submission, how Choice) string {
	if s.Link != "" {
		return plain.From(s.Link).String()
	}
	at, looked := l.looked[s.ID]
	found := ""
	switch {
	case l.isText(s):
	case !looked:
		found = i18n.T("not looked at yet")
	case at.err != nil:
		found = i18n.T("can't be read")
	default:
		var labels []string
		for _, kind := range kindsIn(at.facts) {
			labels = append(labels, kind.Label())
		}
		if at.facts.Incomplete {
			labels = append(labels, i18n.T("not read fully"))
		}
		found = strings.Join(labels, ", ")
	}
	return present.Joined(nameAsSent(s, how), media.SizeText(s.Size), found)
}
