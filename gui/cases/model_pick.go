package cases

import (
	"strings"

	"assay/client/i18n"
)

// Target is a case that something can be put into, in the list that offers them. It can be compared.
type Target struct {
	ID     string // "" for a new case
	Title  string // of the case; of a new one as it was typed
	Words  string
	Detail string
}

// Targets are the open cases that a typed text finds, then a new one of this title, where no open case has it.
func Targets(all []Entry, typed string) (targets []Target) {
	typed = strings.Join(strings.Fields(typed), " ")
	same := false
	for _, e := range (Query{Text: typed}).Found(all) {
		same = same || strings.EqualFold(e.Title, oneLine(typed))
		targets = append(targets, Target{ID: e.ID, Title: e.Title, Words: e.Title, Detail: e.Detail})
	}
	if typed != "" && !same && len([]rune(typed)) <= LongestTitle {
		targets = append(targets, Target{Title: typed, Words: i18n.F("New case “%s”", oneLine(typed))})
	}
	return targets
}

// AddedText says how many submissions were put into a case; the others of all were in it before.
func AddedText(added, all int, title string) string {
	switch {
	case added == 0 && all == 1:
		return i18n.F("It is already in “%s”.", title)
	case added == 0:
		return i18n.F("All of them are already in “%s”.", title)
	case added < all:
		return i18n.N(added, "%s item was added to “%[2]s”. The others were already there.", "%s items were added to “%[2]s”. The others were already there.", title)
	}
	return i18n.N(added, "%s item was added to “%[2]s”.", "%s items were added to “%[2]s”.", title)
}

// TakenText says how many files were taken and put into the case, and what was left out.
func TakenText(taken int, out string) string {
	switch {
	case taken == 0 && out == "":
		return i18n.T("Nothing was added: there is no file in it.")
	case taken == 0:
		return i18n.F("Nothing was added. Left out: %s.", out)
	case out == "":
		return i18n.N(taken, "%s file was added to the case.", "%s files were added to the case.")
	}
	return i18n.N(taken, "%[1]s file was added to the case. Left out: %[2]s.", "%[1]s files were added to the case. Left out: %[2]s.", out)
}
