package inbox

import (
	"cmp"

	"assay/client/i18n"
)

// Sort is an order of the inbox.
type Sort string

// The orders. Rows that are equal in one keep the order in which they were handed over, the latest first.
const (
	SortNewest     Sort = ""
	SortHumanFirst Sort = "human-first" // by Urgency
	SortName       Sort = "name"
	SortSize       Sort = "size" // the largest first
)

// Sorts lists them in the order in which they are offered.
func Sorts() []Sort { return []Sort{SortNewest, SortHumanFirst, SortName, SortSize} }

// Words is the order's name on screen.
func (s Sort) Words() string {
	switch s {
	case SortHumanFirst:
		return i18n.T("Needs a human first")
	case SortName:
		return i18n.T("By name")
	case SortSize:
		return i18n.T("Largest first")
	}
	return i18n.T("Newest first")
}

// compare orders two entries of a list; no two are equal.
func (s Sort) compare(a, b *listEntry) int {
	by := 0
	switch s {
	case SortHumanFirst:
		by = cmp.Compare(a.row.Urgency, b.row.Urgency)
	case SortName:
		by = cmp.Compare(a.name, b.name)
	case SortSize:
		by = cmp.Compare(b.row.Bytes, a.row.Bytes)
	}
	if by != 0 {
		return by
	}
	if by = b.row.Accepted.Compare(a.row.Accepted); by != 0 {
		return by
	}
	return cmp.Compare(a.accepted, b.accepted)
}
