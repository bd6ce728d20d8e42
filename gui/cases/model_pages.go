package cases

import (
	"assay/client/i18n"
	"assay/client/store"
)

// Page is a page on the web on which a person can look for earlier copies or for fact-checks. It opens empty: nothing of a case is in its address.
type Page struct {
	Name string // a proper name
	URL  string
	Does i18n.Key
}

// Pages are those that are offered, in their order.
var Pages = []Page{
	{"Google Images", "https://images.google.com/", "Search by picture"},
	{"TinEye", "https://tineye.com/", "Search by picture"},
	{"Bing Visual Search", "https://www.bing.com/visualsearch", "Search by picture"},
	{"Yandex Images", "https://yandex.com/images/", "Search by picture"},
	{"Google Fact Check Explorer", "https://toolbox.google.com/factcheck/explorer", "Fact-checks, by words or picture"},
}

// outcomes are the checks under which the outcome of looking is noted.
var outcomes = []store.CheckKind{store.CheckEarlierCopy, store.CheckFactChecks}
