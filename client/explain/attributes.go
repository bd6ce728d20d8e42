package explain

import (
	"net/url"
	"strings"

	"golang.org/x/net/html"

	"assay/client/address"
)

// attributes are the first of an element's, by name.
type attributes map[string]string

const (
	mostAttributes = 32
	mostAttribute  = 4 << 10 // bytes of a value
)

func (a attributes) of(name string) string { return a[name] }

// read takes what an element has, in place of what is there. It counts what would have been run or loaded.
func (a attributes) read(z *html.Tokenizer, out *LeftOut) {
	clear(a)
	for n := 0; ; n++ {
		key, value, more := z.TagAttr()
		if len(key) > 2 && key[0] == 'o' && key[1] == 'n' {
			out.Scripts++
		} else if len(key) > 0 && len(a) < mostAttributes {
			a[string(key)] = string(value[:min(len(value), mostAttribute)])
		}
		if !more {
			return
		}
	}
}

// webAddress is where a link leads, to be read and never opened: without query, fragment and password; "" for what is not on the web.
func webAddress(href string) string {
	u, err := url.Parse(strings.TrimSpace(href))
	if err != nil {
		return ""
	}
	switch strings.ToLower(u.Scheme) {
	case "http", "https":
		if !address.HasHost(u) {
			return ""
		}
		u.RawQuery, u.Fragment, u.RawFragment, u.User, u.ForceQuery = "", "", "", nil, false
		return short(u.String())
	case "mailto":
		to, _, _ := strings.Cut(u.Opaque, "?")
		return short("mailto:" + to)
	}
	return ""
}

// runs reports whether following an address would run something, or open what is on this computer.
func runs(href string) bool {
	scheme, _, found := strings.Cut(href, ":")
	if !found {
		return false
	}
	switch strings.ToLower(strings.Join(strings.Fields(scheme), "")) {
	case "javascript", "vbscript", "data":
		return true
	}
	return false
}
