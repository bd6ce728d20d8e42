package bundle_test

import (
	"archive/zip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"assay/client"
	"assay/client/assert"
	"assay/client/custody"
	"assay/client/i18n"
	"assay/client/report"
	"assay/client/report/bundle"
	"assay/client/submission"
	"assay/client/vault"
)

// wantFiles passes if a bundle has these files below a folder, and no other there.
func wantFiles(t *testing.T, all map[string]string, folder string, names ...string) {
	t.Helper()
	var got []string
	for name := range all {
		if strings.HasPrefix(name, folder) {
			got = append(got, strings.TrimPrefix(name, folder))
		}
	}
	slices.Sort(got)
	slices.Sort(names)
	assert.Equal(t, names, got)
}

func TestWhatIsInABundle(t *testing.T) {
	f := setup(t)
	f.typical()
	f.o.Media = report.MediaBoth
	path, written := f.write("case")
	all := contents(t, path)
	if written.Results != 2 || len(written.Lacks) > 0 {
		t.Errorf("%+v", written)
	}
	t.Run("reports, tag files and seal", func(t *testing.T) {
		for _, name := range []string{
			"bagit.txt", "bag-info.txt", "README.html", "VERIFY.txt", "manifest-sha256.txt", "tagmanifest-sha256.txt", "check_proof.py",
			"data/report.html", "data/report.pdf", "data/report.json", "data/ro-crate-metadata.json", "seal/tagmanifest-sha256.txt.sig", "seal/allowed_signers",
		} {
			if all[name] == "" {
				t.Errorf("there is no %s", name)
			}
		}
	})
	t.Run("the media, as received and as sent, under names for every system", func(t *testing.T) {
		wantFiles(t, all, bundle.MediaFolder, "1-received-Größe 100_ 🙂.png", "2-received-con.PNG", "2-sent-con.png")
		if all["data/media/2-sent-con.png"] != string(picture(41)) || all["data/media/2-received-con.PNG"] != string(picture(40)) {
			t.Error("they are others")
		}
		if !strings.Contains(all["data/report.json"], `"name":"Größe 100% 🙂.png"`) {
			t.Error("the report does not have the exact name")
		}
	})
	t.Run("the artifacts, of which none can be run", func(t *testing.T) {
		wantFiles(t, all, bundle.ArtifactsFolder, "1-aggregation.json", "1-explainability.html.txt", "1-heatmap-a-img.png", "1-thumbnail.png")
	})
	t.Run("the answers as kept, with their hashes as received", func(t *testing.T) {
		wantFiles(t, all, bundle.AnswersFolder, "1.json", "1.received-sha256", "2.json", "2.received-sha256")
		history, err := f.History(t.Context(), "one")
		if err != nil || sum([]byte(all["data/answers/1.json"])) != history[0].RawSHA256 {
			t.Errorf("%v: its hash is not the one on record", err)
		}
		entries, err := f.Custody(t.Context(), "one")
		assert.NoError(t, err)
		if sums := entries[len(entries)-1].Sums(); all["data/answers/1.received-sha256"] != sums.Received+"\n" || sums.Received == "" {
			t.Errorf("as received %q", all["data/answers/1.received-sha256"])
		}
	})
	t.Run("each entry of the custody log, with the bytes that were hashed, and proved", func(t *testing.T) {
		lines, proved := strings.Split(strings.TrimSpace(all[bundle.EntriesFile]), "\n"), 0
		for _, id := range f.ids {
			entries, err := f.Custody(t.Context(), id)
			assert.NoError(t, err)
			for _, e := range entries {
				name := fmt.Sprintf("%s%d", bundle.CustodyFolder, e.Seq)
				if all[name+".entry"] != string(e.Text()) {
					t.Errorf("entry %d has other bytes", e.Seq)
				}
				proof, err := custody.ParseInclusionProof([]byte(all[name+".tlog-proof"]))
				assert.NoError(t, err)
				log, key, err := f.CustodyKey(t.Context())
				assert.NoError(t, err)
				assert.NoError(t, proof.Verify(e.Text(), log, key))
				var listed custody.Entry
				assert.NoError(t, json.Unmarshal([]byte(lines[proved]), &listed))
				assert.Equal(t, e.Hash, listed.Hash)
				proved++
			}
		}
		if proved != 4 || len(lines) != 4 || !strings.HasPrefix(all[bundle.LogKeyFile], "assay/") {
			t.Errorf("%d entries, %d lines, log key %q", proved, len(lines), all[bundle.LogKeyFile])
		}
	})
	t.Run("its own description", func(t *testing.T) {
		info := all[bundle.InfoFile]
		size, files := 0, 0
		for name, content := range all {
			if strings.HasPrefix(name, "data/") {
				size, files = size+len(content), files+1
			}
		}
		for _, line := range []string{"Bagging-Date: 2026-11-22", fmt.Sprintf("Payload-Oxum: %d.%d", size, files), "Assay-Version: 1.2.3", "Assay-Bundle: 1"} {
			if !strings.Contains(info, line+"\n") {
				t.Errorf("no line %q in %q", line, info)
			}
		}
		if strings.Contains(info, "Sandbox") {
			t.Errorf("it calls itself the sandbox's: %q", info)
		}
	})
	t.Run("a crate that lists every other file of the payload", func(t *testing.T) {
		var crate struct {
			Graph []struct {
				ID    string                `json:"@id"`
				Parts []struct{ ID string } `json:"hasPart"`
			} `json:"@graph"`
		}
		assert.NoError(t, json.Unmarshal([]byte(all[bundle.CrateFile]), &crate))
		if len(crate.Graph) < 2 || crate.Graph[0].ID != "ro-crate-metadata.json" || crate.Graph[1].ID != "./" || len(crate.Graph[1].Parts) != strings.Count(all[bundle.ManifestFile], "\n")-1 {
			t.Errorf("%+v", crate)
		}
	})
	t.Run("nothing that is secret", func(t *testing.T) {
		for name, content := range all {
			if strings.Contains(content, "secretsecret") || strings.Contains(content, f.files) {
				t.Errorf("%s has the query of a signed link, or a path of this computer", name)
			}
		}
	})
}

func TestWhichMediaAreInABundle(t *testing.T) {
	f := setup(t)
	f.typical()
	f.add("sensitive", "s.png", picture(50), func(s *submission.Submission) { s.Gate = submission.GateAsk })
	f.keep("request-sensitive", vault.Thumbnail, "", picture(51))
	f.keep("request-sensitive", vault.Aggregation, "", []byte(`{}`))
	for media, want := range map[report.Media][2][]string{
		"":                   {nil, {"1-aggregation.json", "1-explainability.html.txt", "1-heatmap-a-img.png", "1-thumbnail.png", "3-aggregation.json"}},
		report.MediaNone:     {nil, {"1-aggregation.json", "3-aggregation.json"}},
		report.MediaReceived: {{"1-received-Größe 100_ 🙂.png", "2-received-con.PNG", "3-received-s.png"}, {"1-aggregation.json", "1-explainability.html.txt", "1-heatmap-a-img.png", "1-thumbnail.png", "3-aggregation.json", "3-thumbnail.png"}},
		report.MediaSent:     {{"1-sent-Größe 100_ 🙂.png", "2-sent-con.png", "3-sent-s.png"}, {"1-aggregation.json", "1-explainability.html.txt", "1-heatmap-a-img.png", "1-thumbnail.png", "3-aggregation.json", "3-thumbnail.png"}},
	} {
		t.Run("media "+string(media), func(t *testing.T) {
			f.o.Media, f.o.Names = media, report.NamesReal
			path, _ := f.write("media-" + string(media))
			all := contents(t, path)
			wantFiles(t, all, bundle.MediaFolder, want[0]...)
			wantFiles(t, all, bundle.ArtifactsFolder, want[1]...)
		})
	}
}

func TestWhatABundleLacksIsNamed(t *testing.T) {
	f := setup(t)
	f.add("gone", "gone.png", picture(1), nil)
	f.add("other size", "size.png", picture(2), nil)
	f.add("other bytes", "bytes.png", picture(3), nil)
	f.add("in the vault", "vault.png", picture(4), nil)
	f.keep("request-in the vault", vault.Original, "", picture(4))
	f.add("link", "video.example/watch", nil, func(s *submission.Submission) { s.Path, s.Link, s.SHA256 = "", "https://video.example/watch", "" })
	f.keep("request-link", vault.Original, "", picture(5))
	assert.NoError(t, os.Remove(filepath.Join(f.files, "gone")))
	assert.NoError(t, os.WriteFile(filepath.Join(f.files, "other size"), []byte("x"), 0o600))
	other := picture(3)
	other[len(other)-1] ^= 1
	assert.NoError(t, os.WriteFile(filepath.Join(f.files, "other bytes"), other, 0o600))
	assert.NoError(t, os.Remove(filepath.Join(f.files, "in the vault")))
	f.o.Media = report.MediaBoth
	for _, name := range []string{"folder", "file.zip"} {
		path, written := f.write(name)
		read := contents
		if strings.HasSuffix(name, ".zip") {
			read = unzipped
		}
		all := read(t, path)
		wantFiles(t, all, bundle.MediaFolder, "4-received-vault.png")
		wantFiles(t, all, bundle.ArtifactsFolder, "5-original.png")
		for i, part := range []string{"Result 1, gone.png: the file", "Result 2, size.png: the file", "Result 3, bytes.png: the file", "Result 5, video.example/watch: it was added as a link"} {
			if len(written.Lacks) != 4 || !strings.HasPrefix(written.Lacks[i], part) || !strings.Contains(all["data/left-out.txt"], written.Lacks[i]+"\n") ||
				!strings.Contains(all["README.html"], written.Lacks[i]) {
				t.Errorf("%q is not named: %q", part, written.Lacks)
			}
		}
	}
}

// unzipped are the files of a bundle in one file.
func unzipped(t testing.TB, path string) map[string]string {
	t.Helper()
	r, err := zip.OpenReader(path)
	assert.NoError(t, err)
	defer r.Close() //nolint:errcheck // only read from
	all := map[string]string{}
	for _, file := range r.File {
		in, err := file.Open()
		assert.NoError(t, err)
		content, err := io.ReadAll(in)
		assert.NoError(t, errors.Join(err, in.Close()))
		top, name, _ := strings.Cut(file.Name, "/")
		all[name] = string(content)
		if _, twice := all[top]; twice {
			t.Errorf("%s is a file, too", top)
		}
	}
	return all
}

func TestTheSameBundleHasTheSameBytes(t *testing.T) {
	f := setup(t)
	f.typical()
	f.o.Media = report.MediaBoth
	first, _ := f.write("case.assay")
	f.folder = t.TempDir()
	second, _ := f.write("case.assay")
	if a, b := contents(t, first), contents(t, second); !maps.Equal(a, b) {
		for name := range a {
			if a[name] != b[name] {
				t.Errorf("%s differs: %q, %q", name, a[name][:min(300, len(a[name]))], b[name][:min(300, len(b[name]))])
			}
		}
	}
	one, _ := f.write("case.zip")
	before, err := os.ReadFile(one)
	assert.NoError(t, err)
	f.o.Replace = true
	f.write("case.zip")
	after, err := os.ReadFile(one)
	if err != nil || string(before) != string(after) {
		t.Error("two files differ", err)
	}
	if a, b := contents(t, first), unzipped(t, one); !slices.Equal(slices.Sorted(maps.Keys(a)), slices.Sorted(maps.Keys(b))) {
		t.Error("the file holds something else than the folder")
	}
}

func TestBundleWithNeutralNames(t *testing.T) {
	f := setup(t)
	f.add("secret", "the minister.PNG", picture(60), func(s *submission.Submission) { s.Gate = submission.GateAsk })
	f.keep("request-secret", vault.Aggregation, "", []byte(`{"file": "the minister.PNG"}`))
	f.o.Media = report.MediaReceived
	path, written := f.write("neutral")
	all := contents(t, path)
	wantFiles(t, all, bundle.MediaFolder, "1-received-file.png")
	wantFiles(t, all, bundle.AnswersFolder)
	wantFiles(t, all, bundle.ArtifactsFolder)
	wantFiles(t, all, bundle.CustodyFolder, "entries.ndjson", "log-key.txt")
	for name, content := range all {
		if strings.Contains(content, "minister") {
			t.Errorf("%s has its name", name)
		}
	}
	if len(written.Lacks) != 2 || !strings.HasPrefix(written.Lacks[0], "Result 1: its answers") || !strings.HasPrefix(written.Lacks[1], "Result 1: its entries") {
		t.Errorf("%q", written.Lacks)
	}
}

func TestBundleInAnotherLanguage(t *testing.T) {
	f := setup(t)
	f.add("gone", "gone.png", picture(1), nil)
	assert.NoError(t, os.Remove(filepath.Join(f.files, "gone")))
	f.o.Media, f.o.Language = report.MediaReceived, "pt"
	path, _ := f.write("pt")
	all := contents(t, path)
	if !strings.HasPrefix(all["VERIFY.txt"], "Pacote de evidências\n") || !strings.Contains(all["README.html"], `<html lang="pt">`) ||
		!strings.Contains(all["data/report.html"], `<html lang="pt">`) || !strings.Contains(all["data/left-out.txt"], "o arquivo não está no pacote") {
		t.Error("it is not in Portuguese")
	}
	for _, name := range i18n.All() {
		if strings.Count(all["VERIFY.txt"], "=== "+name.Text+" ===") != 1 || strings.Count(all["README.html"], `<section id="`+name.Code+`" lang="`+name.Code+`">`) != 1 {
			t.Errorf("it is not in %s, too", name.Text)
		}
	}
}

func TestBundleOfTheSandboxSaysSo(t *testing.T) {
	f := setup(t)
	f.typical()
	from := f.source()
	from.Service = report.Service{Sandbox: true}
	path := filepath.Join(f.folder, "sandbox")
	_, err := bundle.Write(t.Context(), path, from, f.o)
	assert.NoError(t, err)
	all := contents(t, path)
	for _, name := range []string{"README.html", "VERIFY.txt", "bag-info.txt", "data/ro-crate-metadata.json", "data/report.html", "data/report.json"} {
		if !strings.Contains(strings.Join(strings.Fields(all[name]), " "), "Not a deepfake detector.") {
			t.Errorf("%s does not say so", name)
		}
	}
	if !strings.Contains(strings.Join(strings.Fields(all["VERIFY.txt"]), " "), "Kein Deepfake-Detektor.") {
		t.Error("it does not say so in German")
	}
}

func TestBundleWithoutASeal(t *testing.T) {
	f := setup(t)
	f.typical()
	f.o.Key = nil
	path, written := f.write("open")
	all := contents(t, path)
	wantFiles(t, all, bundle.SealFolder)
	if written.Fingerprint != "" || strings.Contains(all["VERIFY.txt"], "ssh-keygen") || !strings.Contains(all["VERIFY.txt"], "This bundle has no seal") {
		t.Errorf("%+v: %s", written, all["VERIFY.txt"])
	}
}

func TestBundleWhoseLogIsNotSigned(t *testing.T) {
	f := setup(t)
	f.typical()
	for says, err := range map[string]error{"There is no keychain.": &report.Error{Text: "There is no keychain."}, "was changed outside Assay": &custody.Rewritten{Size: 3}} {
		f.o.SignLog, f.o.Replace = func(context.Context) error { return err }, true
		path, written := f.write("unsigned")
		wantFiles(t, contents(t, path), bundle.CustodyFolder, "1.entry", "2.entry", "3.entry", "4.entry", "entries.ndjson")
		if len(written.Lacks) != 1 || !strings.Contains(written.Lacks[0], says) {
			t.Errorf("%q", written.Lacks)
		}
	}
	f.o.SignLog = func(context.Context) error { return errors.New("it broke") }
	if _, err := bundle.Write(t.Context(), filepath.Join(f.folder, "broken"), f.source(), f.o); err == nil {
		t.Error("it was written")
	}
}

func TestWhatCannotBeWritten(t *testing.T) {
	f := setup(t)
	f.typical()
	write := func(ctx context.Context, path string) error {
		_, err := bundle.Write(ctx, path, f.source(), f.o)
		return err
	}
	want := func(t *testing.T, err error, part string) {
		t.Helper()
		var said *report.Error
		if !errors.As(err, &said) || !strings.Contains(said.Sentence(), part) {
			t.Errorf("it says %v, want %q", err, part)
		}
	}
	there, file, other := filepath.Join(f.folder, "there"), filepath.Join(f.folder, "there.zip"), filepath.Join(f.folder, "other")
	assert.NoError(t, os.Mkdir(there, 0o700))
	assert.NoError(t, os.WriteFile(filepath.Join(there, "bagit.txt"), []byte("mine"), 0o600))
	assert.NoError(t, os.WriteFile(file, []byte("mine"), 0o600))
	assert.NoError(t, os.Mkdir(other, 0o700))
	assert.NoError(t, os.WriteFile(filepath.Join(other, "letters.txt"), []byte("mine"), 0o600))
	for _, path := range []string{there, file, other} {
		err := write(t.Context(), path)
		want(t, err, "already exists")
		if !errors.Is(err, fs.ErrExist) {
			t.Error("a caller can't tell it")
		}
	}
	want(t, write(t.Context(), filepath.Join(f.folder, "nowhere", "bundle")), "There is no folder")
	want(t, write(t.Context(), filepath.Join(f.folder, "nowhere", "bundle.zip")), "There is no folder")
	if runtime.GOOS == "linux" { // only Linux has a folder in which not even root may make a file
		want(t, write(t.Context(), "/sys/bundle"), "may not write")
		want(t, write(t.Context(), "/sys/bundle.zip"), "may not write")
	}
	f.o.Replace = true
	want(t, write(t.Context(), other), "replaces only bundles")
	want(t, write(t.Context(), filepath.Join(f.files, "one")), "is a file")
	ctx, cancel := context.WithCancel(t.Context())
	f.o.Media = report.MediaBoth
	f.o.Progress = func(done, _ int64) {
		if done > 0 {
			cancel() // while files are copied
		}
	}
	for _, path := range []string{there, file, filepath.Join(f.folder, "new"), filepath.Join(f.folder, "new.zip")} {
		if err := write(ctx, path); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
	}
	all := contents(t, f.folder)
	assert.Equal(t, map[string]string{"there/bagit.txt": "mine", "there.zip": "mine", "other/letters.txt": "mine"}, all)
	f.o.Progress = nil
	assert.NoError(t, write(t.Context(), there))
	assert.NoError(t, write(t.Context(), file))
	if all := contents(t, f.folder); all["there/bagit.txt"] != bundle.BagItText || all["other/letters.txt"] != "mine" || strings.HasPrefix(all["there.zip"], "mine") {
		t.Error("they were not replaced")
	}
	if entries, err := os.ReadDir(f.folder); err != nil || len(entries) != 3 {
		t.Errorf("%v is left beside them: %v", entries, err)
	}
	t.Run("no such result", func(t *testing.T) {
		from := f.source()
		from.IDs = report.IDs("nobody")
		_, err := bundle.Write(t.Context(), filepath.Join(f.folder, "none"), from, f.o)
		want(t, err, "No result")
	})
}

func TestProgress(t *testing.T) {
	f := setup(t)
	f.typical()
	f.o.Media = report.MediaBoth
	var last, total int64
	f.o.Progress = func(done, of int64) {
		if done < last || done > of {
			t.Errorf("%d of %d after %d", done, of, last)
		}
		last, total = done, of
	}
	f.write("progress")
	if last != total || total < int64(len(picture(10))) {
		t.Errorf("%d of %d", last, total)
	}
}

func TestTooManyResultsForAPDF(t *testing.T) {
	if testing.Short() {
		t.Skip("it is about sizes, and starts nothing that other tests do not")
	}
	f := setup(t)
	for i := range report.MostInPDF + 1 {
		f.add(fmt.Sprint("r", i), "a.txt", nil, func(s *submission.Submission) { s.Type = client.Text })
	}
	f.o.Media, f.o.Without = report.MediaNone, report.Parts
	path, written := f.write("many")
	all := contents(t, path)
	if all["data/report.pdf"] != "" || all["data/report.html"] == "" || len(written.Lacks) != 1 || !strings.Contains(written.Lacks[0], "at most 250 results") ||
		strings.Contains(all["README.html"], `href="data/report.pdf"`) {
		t.Errorf("%q", written.Lacks)
	}
	if proofs := strings.Count(all[bundle.ManifestFile], ".tlog-proof\n"); proofs != 2*written.Results || written.Results != report.MostInPDF+1 {
		t.Errorf("%d results, %d proofs", written.Results, proofs)
	}
}

func TestNamesForEverySystem(t *testing.T) {
	f := setup(t)
	long := strings.Repeat("ü", 125) + ".jpeg" // 255 bytes
	want := map[string]string{
		"CON": "CON", "a.png": "a.png", "A.PNG": "A.PNG", "trailing. . ": "trailing", "...": "", "a/b\\c:d*e?f\"g<h>i|j%k": "a_b_c_d_e_f_g_h_i_j_k",
		"two\nlines\x00": "two", "cafe\u0301.txt": "café.txt", "\u202egnp.exe": "", long: strings.Repeat("ü", 57) + ".jpeg", "no extension " + strings.Repeat("x", 300): "no extension " + strings.Repeat("x", 107),
	}
	var names []string
	for name := range want {
		names = append(names, name)
		f.add(fmt.Sprint("item", len(names)), name, picture(uint8(len(names))), nil)
	}
	f.o.Media = report.MediaReceived
	path, _ := f.write("names")
	all := contents(t, path)
	var document struct{ Results []struct{ Name string } }
	assert.NoError(t, json.Unmarshal([]byte(all["data/report.json"]), &document))
	for i, name := range names {
		start := fmt.Sprintf("%s%d-received-", bundle.MediaFolder, i+1)
		found := ""
		for file := range all {
			if strings.HasPrefix(file, start) {
				found = strings.TrimPrefix(file, start)
			}
		}
		if part := want[name]; part != "" && found != part && (name != "two\nlines\x00" || !strings.HasPrefix(found, part)) {
			t.Errorf("%q is named %q, want %q", name, found, part)
		}
		if len(found) > 130 || strings.ContainsAny(found, "<>:\"/\\|?*%\n\r\x00\u202e") || strings.HasSuffix(found, ".") || strings.HasSuffix(found, " ") {
			t.Errorf("%q is named %q", name, found)
		}
		if exact := document.Results[i].Name; exact != name && !strings.ContainsAny(name, "\n\u202e") { // hidden characters are shown as such
			t.Errorf("%q is %q in the report", name, exact)
		}
	}
	if v := verify(t, path); v.State != bundle.Intact {
		t.Errorf("%v", changes(v))
	}
}
