package desktop

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"

	"assay/client/assert"
)

// plistStrings are the texts of a property list; whatever is no valid XML fails.
func plistStrings(t *testing.T, text string) []string {
	t.Helper()
	decoder := xml.NewDecoder(strings.NewReader(text))
	var texts []string
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return texts
		}
		assert.NoError(t, err)
		if begin, ok := token.(xml.StartElement); ok && begin.Name.Local == "string" {
			var content string
			assert.NoError(t, decoder.DecodeElement(&content, &begin))
			texts = append(texts, content)
		}
	}
}

// environ has each variable name a folder of the test's own, so that nothing of the person's is touched.
func environ(set map[string]string) func(string) string {
	return func(name string) string { return set[name] }
}

func done(t *testing.T, err error) {
	t.Helper()
	assert.NoError(t, err)
}

func isPrivate(t *testing.T, paths ...string) {
	t.Helper()
	for _, path := range paths {
		facts, err := os.Stat(path)
		assert.NoError(t, err)
		if runtime.GOOS != "windows" && facts.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %o", path, facts.Mode().Perm())
		}
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func refused(t *testing.T, err, why error) {
	t.Helper()
	var p *Problem
	if !errors.As(err, &p) || !errors.Is(err, why) || p.Sentence() == "" {
		t.Errorf("%v, want %v", err, why)
	}
}
