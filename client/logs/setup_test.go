package logs

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"strings"
	"testing"
)

// marker is a key that must be found nowhere.
const marker = "MaRkEr-9f/Q+x=\"%~ä&<"

// forms are the ways to look for it.
func forms() map[string]string {
	return map[string]string{
		"as it is": marker, "in an address": url.QueryEscape(marker), "in a path": url.PathEscape(marker),
		"in base64": base64.StdEncoding.EncodeToString([]byte(marker)), "in hex": hex.EncodeToString([]byte(marker)),
	}
}

// clean fails where a text has the marker, or what is left of it when others cut it.
func clean(t *testing.T, text string) {
	t.Helper()
	for how, form := range forms() {
		if strings.Contains(strings.ToLower(text), strings.ToLower(form)) {
			t.Errorf("%s: it is in %q", how, text)
		}
	}
	if strings.Contains(strings.ToLower(text), "marker") {
		t.Errorf("a part of it is in %q", text)
	}
}
