package bundle_test

import (
	"os"
	"path/filepath"
	"testing"

	"assay/client/report/bundle"
)

// FuzzZip verifies zips that were changed anywhere: none but the whole one is intact, and none harms.
func FuzzZip(f *testing.F) {
	b := newBag(f).list().seal(f, ownKey)
	whole := b.zipped(f, "case/", 0)
	f.Add(whole)
	f.Add(b.zipped(f, "", 8))
	f.Add(b.zippedBut(f, nil, nil))
	f.Add(whole[:len(whole)/2])
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, zipped []byte) {
		path := filepath.Join(dir, "case.zip")
		if err := os.WriteFile(path, zipped, 0o600); err != nil {
			t.Fatal(err)
		}
		v, err := bundle.Verify(t.Context(), path, bundle.VerifyOptions{Signers: known(t)})
		// What is intact has all files, each as it was sealed, and nothing else.
		if err == nil && v.State == bundle.Intact && v.Files != len(b) {
			t.Errorf("%+v", v)
		}
		if err == nil && (v.State.Intact() && len(v.Findings) > 0 || v.State == "") {
			t.Errorf("%+v", v)
		}
		bundle.Is(path)
	})
}

// FuzzFiles verifies folders in which the files that are parsed have any content, listed and sealed as if they had been made so.
func FuzzFiles(f *testing.F) {
	names := []string{"data/report.json", "data/custody/entries.ndjson", "data/custody/3.entry", "data/custody/3.tlog-proof", "data/custody/log-key.txt", "bag-info.txt", "bagit.txt",
		"manifest-sha256.txt", "seal/tagmanifest-sha256.txt.sig", "seal/tagmanifest-sha256.txt.tsr", "seal/tsa-chain.pem"}
	whole := newBag(f).list().seal(f, ownKey)
	stamp := stamped(f, 1)
	for i, name := range names {
		f.Add(uint8(i), whole[name])
		f.Add(uint8(i), stamp[name])
	}
	f.Fuzz(func(t *testing.T, which uint8, content []byte) {
		b := newBag(t)
		name := names[int(which)%len(names)]
		b[name] = content
		b.list()
		if name == "manifest-sha256.txt" {
			b[name] = content
			b.relisted()
		}
		b.seal(t, ownKey)
		b[name] = content
		if _, stamps := b["seal/tsa-chain.pem"]; stamps {
			b["seal/tagmanifest-sha256.txt.tsr"] = stamp["seal/tagmanifest-sha256.txt.tsr"]
		}
		path := writeFile(t, "case.zip", b.zipped(t, "case/", 0))
		v, err := bundle.Verify(t.Context(), path, bundle.VerifyOptions{Signers: known(t)})
		if err == nil && v.State.Intact() && len(v.Findings) > 0 {
			t.Errorf("%+v", v)
		}
	})
}
