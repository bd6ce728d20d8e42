package i18n_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"assay/client/assert"
	"assay/client/i18n"
)

var writeTo = flag.String("write", "", "the folder into which TestExtract writes what is to be translated")

// TestExtract writes, into the folder of -write, said/AREA.txt: every text in the order of the source, with its place; and for each
// language LANGUAGE/AREA.json: the texts that are not translated yet, to be filled in and added to assets/lang. It does nothing without
// the flag.
func TestExtract(t *testing.T) {
	if *writeTo == "" {
		t.Skip("only with -args -write FOLDER")
	}
	s := sourceOf(t)
	said := texts(s.used)
	var lists []string
	for _, area := range areas {
		var order []used // of the area's own texts, each where it is said first
		for _, u := range s.used {
			if own := said[u.key]; own.area == area && own.at == u.at {
				order = append(order, own)
			}
		}
		var list bytes.Buffer
		file := ""
		for _, u := range order {
			if u.at.Filename != file {
				file = u.at.Filename
				fmt.Fprintf(&list, "\n## %s\n", file)
			}
			fmt.Fprintf(&list, "%5d  %q\n", u.at.Line, u.key)
			if u.plural {
				fmt.Fprintf(&list, "  one: %q\n", u.one)
			}
		}
		write(t, filepath.Join("said", area+".txt"), list.Bytes())
		line := fmt.Sprintf("%-9s %4d", area, len(order))
		for _, name := range i18n.All()[1:] {
			have := readTranslations(name.Code)
			missing := slices.DeleteFunc(slices.Clone(order), func(u used) bool { _, ok := have.entries[u.key]; return ok })
			write(t, filepath.Join(name.Code, area+".json"), toFill(t, missing))
			line += fmt.Sprintf("  %s %4d", name.Code, len(missing))
		}
		lists = append(lists, line)
	}
	t.Logf("texts, and those missing:")
	for _, line := range lists {
		t.Log(line)
	}
}

// toFill is a file for translations, in the order of the source.
func toFill(t *testing.T, missing []used) []byte {
	t.Helper()
	var out bytes.Buffer
	out.WriteString("{")
	for i, u := range missing {
		if i > 0 {
			out.WriteString(",")
		}
		key := quoted(t, u.key)
		if u.plural {
			fmt.Fprintf(&out, "\n  %s: {\"one\": \"\", \"other\": \"\"}", key)
		} else {
			fmt.Fprintf(&out, "\n  %s: \"\"", key)
		}
	}
	out.WriteString("\n}\n")
	return out.Bytes()
}

// quoted is a text as JSON, its < and > as they are.
func quoted(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	assert.NoError(t, e.Encode(text))
	return string(bytes.TrimSpace(out.Bytes()))
}

func write(t *testing.T, name string, content []byte) {
	t.Helper()
	name = filepath.Join(*writeTo, name)
	assert.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
	assert.NoError(t, os.WriteFile(name, content, 0o600))
}
