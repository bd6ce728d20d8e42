package cases

import (
	"assay/client/i18n"
	"assay/client/report"
	"assay/client/store"
)

// Page is a page on the web on which a person can look for earlier copies or for fact-checks. It opens empty: nothing of a case is in its address.
type Page struct {
	Name string // a proper name
	URL  string
	Does i18n.Key

	Facts bool // fact-checks are found there, not copies
}

// Pages are those that are offered, in their order.
var Pages = []Page{
	{"Google Images", "https://images.google.com/", "Search by picture", false},
	{"TinEye", "https://tineye.com/", "Search by picture", false},
	{"Bing Visual Search", "https://www.bing.com/visualsearch", "Search by picture", false},
	{"Yandex Images", "https://yandex.com/images/", "Search by picture", false},
	{"Google Fact Check Explorer", "https://toolbox.google.com/factcheck/explorer", "Fact-checks, by words or picture", true},
}

// outcomes are the checks under which the outcome of looking is noted.
var outcomes = []store.CheckKind{store.CheckEarlierCopy, store.CheckFactChecks}

func checkName(kind store.CheckKind) string { return report.CheckWords(kind) }
