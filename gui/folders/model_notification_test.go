package folders_test

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

	"assay/client"
	clientfolders "assay/client/folders"
	"assay/client/i18n"
	"assay/client/verdict"
	"assay/gui/folders"
	"assay/gui/present"
)

func TestBatchNotification(t *testing.T) {
	for _, c := range []struct {
		name  string
		batch clientfolders.Batch
		want  string
	}{
		{"nothing came of it", clientfolders.Batch{}, ""},
		{"it all stays here", clientfolders.Batch{Arrived: 5}, ""},
		{"one file", clientfolders.Batch{Arrived: 1, Answered: 1, Fake: 1}, "1 file checked: likely manipulated."},
		{"several", clientfolders.Batch{Arrived: 15, Held: 3, Answered: 12, Fake: 2, Suspicious: 1, Authentic: 9},
			"12 files checked: 2 likely manipulated, 1 suspicious, 9 no sign found. 3 wait for your decision."},
		{"all that there can be", clientfolders.Batch{Arrived: 1236, Held: 1, Answered: 1234, Fake: 1, Suspicious: 1, Authentic: 1, Other: 1231, Failed: 1},
			"1,234 files checked: 1 likely manipulated, 1 suspicious, 1 no sign found, 1,231 without a verdict. 1 could not be checked. 1 waits for your decision."},
		{"one that contradicts itself", clientfolders.Batch{Arrived: 2, Answered: 2, Contradictory: 1, Authentic: 1}, "2 files checked: 1 contradictory, 1 no sign found."},
		{"only decisions", clientfolders.Batch{Arrived: 3, Held: 3}, "3 files wait for your decision."},
		{"one decision", clientfolders.Batch{Arrived: 1, Held: 1}, "1 file waits for your decision."},
		{"only failures", clientfolders.Batch{Arrived: 3, Held: 1, Failed: 2}, "2 files could not be checked. 1 waits for your decision."},
	} {
		t.Run(c.name, func(t *testing.T) {
			title, text := folders.BatchNotification(c.batch, false)
			if text != c.want || (title == "Assay") != (c.want != "") {
				t.Errorf("%q: %q", title, text)
			}
		})
	}
	t.Run("counts by the words that the lists have", func(t *testing.T) {
		_, text := folders.BatchNotification(clientfolders.Batch{Answered: 6, Fake: 2, Suspicious: 2, Authentic: 2}, false)
		for _, s := range []client.Status{client.Fake, client.Suspicious, client.Authentic} {
			if words := verdict.Say(s).Short; !strings.Contains(text, strings.ToLower(words)) {
				t.Errorf("%q is not in %q", words, text)
			}
		}
	})
	t.Run("of the sandbox says so, where there is an answer", func(t *testing.T) {
		if _, text := folders.BatchNotification(clientfolders.Batch{Answered: 1, Authentic: 1}, true); !strings.HasSuffix(text, present.SandboxNote) {
			t.Errorf("it says %q", text)
		}
		if _, text := folders.BatchNotification(clientfolders.Batch{Held: 1}, true); strings.Contains(text, "Sandbox") {
			t.Errorf("it says %q", text)
		}
	})
	t.Run("is made of numbers alone, so that no name, link or word of the service can get in", func(t *testing.T) {
		batch := reflect.TypeFor[clientfolders.Batch]()
		for i := range batch.NumField() {
			if f := batch.Field(i); f.Type.Kind() != reflect.Int {
				t.Errorf("%s is a %s", f.Name, f.Type)
			}
		}
	})
	t.Run("holds nothing that ends a shell's string, in any language", func(t *testing.T) {
		t.Cleanup(func() { _ = i18n.Use("en", "") })
		for _, language := range i18n.All() {
			if err := i18n.Use(language.Code, ""); err != nil {
				t.Fatal(err)
			}
			for _, batch := range []clientfolders.Batch{{Answered: 2, Fake: 1, Other: 1, Failed: 1, Held: 1}, {Answered: 1, Suspicious: 1, Failed: 2, Held: 2}, {Failed: 1}, {Held: 1}, {Failed: 2}, {Held: 2}, {Answered: 1}} {
				if title, text := folders.BatchNotification(batch, true); strings.ContainsAny(title+text, "\"$`\\<>&|;\n") {
					t.Errorf("%s: %q, %q", language.Code, title, text)
				}
			}
		}
	})
	t.Run("holds nothing that a shell reads otherwise", func(t *testing.T) {
		plain := regexp.MustCompile(`^[A-Za-z0-9 .,:]+$`)
		title, text := folders.BatchNotification(clientfolders.Batch{Arrived: 9999, Held: 1111, Answered: 8000, Fake: 2000, Suspicious: 2000, Authentic: 2000, Other: 2000, Failed: 888}, true)
		if !plain.MatchString(title) || !plain.MatchString(text) {
			t.Errorf("%q, %q", title, text)
		}
	})
}
