package config

import (
	"path/filepath"
	"testing"
)

// FuzzRead holds that no file stops Assay from starting, that a setting can be changed whatever stood there, and that it is there after
// the next start, together with all else that could be read.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		`{"version": 1, "uploads": 5, "appearance": {"theme": "dark", "scale": 1.5}}`, `{}`, `null`, `[]`, `{"uploads": "5"}`, `{"desktop": 7, "uploads": null}`,
		`{"version": "x", "network": {"proxy": "http://a:b@c:1"}}`, "\ufeff{}", `{"uploads": 1, "uploads": 2}`, `{"version": 1e400}`, `{"gates": {"files": "never", "": {}}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		dir := personal(t, string(text))
		c := open(t, dir)
		before := c.Settings()
		for _, leaf := range leaves() {
			if why := check(leaf.key, leaf.of(&before)); why != "" {
				t.Fatalf("%s holds what it can't be: %s", leaf.key, why)
			}
		}
		change(t, c, func(s *Settings) { s.Uploads = s.Uploads%MaxUploads + 1 })
		want := before
		want.Uploads = before.Uploads%MaxUploads + 1
		again := open(t, dir)
		if again.Settings() != want {
			t.Fatalf("%+v, want %+v", again.Settings(), want)
		}
		if damaged, _ := filepath.Glob(filepath.Join(dir, "settings-damaged-*-2.json")); damaged != nil {
			t.Fatal("what was written was damaged")
		}
	})
}
