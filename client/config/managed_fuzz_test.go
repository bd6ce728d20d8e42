package config

import (
	"strings"
	"testing"
)

// FuzzManaged holds that whatever the administrators' file holds, Assay starts with settings that can be, that what is locked can't be changed
// and keeps its value, and that a person's own changes stay beside it.
func FuzzManaged(f *testing.F) {
	for _, seed := range []string{
		`{"settings": {"network": {"proxy": "http://proxy.example:3128"}, "uploads": 3}, "locked": ["network.proxy", "gates"]}`, `{"settings": null, "locked": null}`, `{}`, `null`, `{"locked": ["", ".", "uploads"]}`,
		`{"settings": {"uploads": 1e99}, "locked": ["uploads"]}`, `{"settings": {"uploads": 5, "Uploads": 6}}`, "\ufeff{\"settings\": {\"gates\": {\"files\": \"\"}}, \"locked\": [\"gates.files\"]}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		dir := personal(t, `{"uploads": 2, "appearance": {"theme": "dark"}}`)
		managed := managedBy(t, string(text))
		c := open(t, dir, managed)
		before := c.Settings()
		for _, leaf := range leaves() {
			if why := check(leaf.key, leaf.of(&before)); why != "" {
				t.Errorf("%s holds what it can't be: %s", leaf.key, why)
			}
		}
		for _, notice := range c.Notices() {
			if strings.TrimSpace(notice) == "" {
				t.Error("a notice says nothing")
			}
		}
		other := before.Uploads%MaxUploads + 1
		err := c.Change(func(s *Settings) { s.Uploads = other })
		if locked := c.Origin("uploads") == Locked; locked != isFixed(err, "uploads", Locked) || !locked && err != nil {
			t.Fatalf("locked: %v, the change gives %v", locked, err)
		} else if locked {
			other = before.Uploads
		}
		if got := open(t, dir, managed).Settings().Uploads; got != other {
			t.Errorf("%d uploads after the next start, want %d", got, other)
		}
	})
}
