package i18n

import "strings"

// Best chooses among All: what is wanted, where that is one of them, else the first of the system's locales (such as "pt-BR",
// "de_AT.UTF-8" or "C") that is, else English. The region is the first that the system names for this language.
func Best(wanted string, system []string) (language, region string) {
	if code, own := parts(wanted); known(code) {
		language, region = code, own
	}
	for _, locale := range system {
		code, own := parts(locale)
		if language == "" && known(code) {
			language = code
		}
		if region == "" && code == language {
			region = own
		}
	}
	if language == "" {
		return "en", ""
	}
	return language, region
}

// parts takes a locale's name apart. The region is "" where none is named.
func parts(locale string) (language, region string) {
	if at := strings.IndexAny(locale, ".@"); at >= 0 {
		locale = locale[:at]
	}
	all := strings.FieldsFunc(locale, func(r rune) bool { return r == '-' || r == '_' })
	if len(all) == 0 {
		return "", ""
	}
	for _, part := range all[1:] {
		if len(part) == 2 || len(part) == 3 && part[0] >= '0' && part[0] <= '9' { // not the script, as in zh-Hant-TW
			region = strings.ToUpper(part)
			break
		}
	}
	return strings.ToLower(all[0]), region
}
