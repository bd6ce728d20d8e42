package bundle_test

import (
	"archive/zip"
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"

	"assay/client"
	"assay/client/assert"
	"assay/client/custody"
	"assay/client/report/bundle"
	"assay/client/submission"
)

var (
	ownKey   = ed25519.NewKeyFromSeed(bytes.Repeat([]byte{1}, ed25519.SeedSize))
	otherKey = ed25519.NewKeyFromSeed(bytes.Repeat([]byte{2}, ed25519.SeedSize))
	logKey   = ed25519.NewKeyFromSeed(bytes.Repeat([]byte{3}, ed25519.SeedSize))
	noon     = time.Date(2026, time.November, 22, 12, 0, 0, 0, time.UTC)
)

// public is a public key, as ssh writes it.
func public(t testing.TB, key ed25519.PrivateKey) string {
	t.Helper()
	line, err := bundle.PublicLine(key.Public().(ed25519.PublicKey))
	assert.NoError(t, err)
	return line
}

// bag is a bundle in the making, of which hostile ones are made, too. Its files are by their names; what is nil is left out.
type bag map[string][]byte

// sum is a SHA-256, in hex.
func sum(data []byte) string {
	made := sha256.Sum256(data)
	return hex.EncodeToString(made[:])
}

// newBag makes the content of a bundle of one result: everything but the manifests and the seal.
func newBag(t testing.TB) bag {
	t.Helper()
	b := bag{}
	photo, early, answer := []byte("\xff\xd8photo"), []byte(`{"requestId":"r-1","overallStatus":"FAKE","n":1}`), []byte(`{"requestId":"r-1","overallStatus":"FAKE"}`)
	b["data/media/1-received-photo.jpg"] = photo
	b["data/answers/1.json"], b["data/answers/1-1.json"] = answer, early
	b["data/answers/1.received-sha256"] = []byte(sum([]byte("received")) + "\n")
	b["data/report.html"], b["data/report.pdf"], b["data/ro-crate-metadata.json"] = []byte("<p>a report"), []byte("%PDF"), []byte("{}")
	b["data/report.json"] = fmt.Appendf(nil, `{"schema":"assay.report/1","results":[{"id":"s-1","sha256":%q,"answers":[{"sha256":%q},{"sha256":%q}],"receivedSha256":%q}]}`+"\n",
		sum(photo), sum(early), sum(answer), sum([]byte("received")))
	b["README.html"], b["VERIFY.txt"], b["check_proof.py"] = []byte("<p>read"), []byte("how to\n"), []byte("print()\n")
	b["bagit.txt"] = []byte(bundle.BagItText)
	b.addCustody(t, sum(answer))
	return b
}

// addCustody adds entries 2 and 3 of a custody log of five, with their proofs.
func (b bag) addCustody(t testing.TB, answer string) {
	t.Helper()
	var head custody.Head
	var tree custody.Tree
	var entries []custody.Entry
	var kept [][]custody.Hash
	for i := range 5 {
		sub, event, sums := submission.Submission{ID: "s-" + strconv.Itoa(i%2), Name: "photo <é>.jpg"}, custody.Accepted, custody.Sums{}
		if i == 2 {
			sub.ID, event, sums = "s-1", custody.Answered, custody.Sums{Kept: answer}
			sub.Result = &client.Result{RequestID: "r-1"}
		}
		e, err := head.Next(noon.Add(time.Duration(i)*time.Second), &sub, event, sums, "")
		assert.NoError(t, err)
		entries, head = append(entries, e), e.Head()
		kept = append(kept, tree.Append(e.Leaf()))
	}
	origin := "assay/0011223344556677"
	point := custody.Checkpoint{Origin: origin, Size: tree.Size(), Root: tree.Root(), At: noon}
	note, err := point.Sign(logKey)
	assert.NoError(t, err)
	key := logKey.Public().(ed25519.PublicKey)
	line, err := custody.VerifierKey(origin, key)
	assert.NoError(t, err)
	b["data/custody/log-key.txt"] = []byte(line + "\n")
	for _, e := range entries[1:3] {
		proof, err := custody.ProveInclusion(e.Seq-1, custody.SignedCheckpoint{Size: point.Size, Note: note, Key: key},
			func(leaf int64, level int) (custody.Hash, error) { return kept[leaf][level], nil })
		assert.NoError(t, err)
		b[fmt.Sprintf("data/custody/%d.entry", e.Seq)] = e.Text()
		b[fmt.Sprintf("data/custody/%d.tlog-proof", e.Seq)] = proof.Marshal()
		listed, err := json.Marshal(e)
		assert.NoError(t, err)
		b["data/custody/entries.ndjson"] = append(b["data/custody/entries.ndjson"], append(listed, '\n')...)
	}
}

// list writes bag-info.txt, and the manifests of all files.
func (b bag) list() bag {
	size, files := 0, 0
	for name, content := range b {
		if strings.HasPrefix(name, "data/") {
			size, files = size+len(content), files+1
		}
	}
	if b["bag-info.txt"] == nil {
		b["bag-info.txt"] = fmt.Appendf(nil, "Bagging-Date: 2026-11-22\nPayload-Oxum: %d.%d\nExternal-Identifier: r-1\nAssay-Version: 1.0.0\nAssay-Bundle: 1\n", size, files)
	}
	var payload, tags bytes.Buffer
	line := func(to *bytes.Buffer, name string) {
		fmt.Fprintf(to, "%s  %s\n", sum(b[name]), strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(name))
	}
	for _, name := range b.names() {
		if strings.HasPrefix(name, "data/") {
			line(&payload, name)
		}
	}
	b["manifest-sha256.txt"] = payload.Bytes()
	for _, name := range b.names() {
		if !strings.HasPrefix(name, "data/") && !strings.HasPrefix(name, "seal/") && name != "tagmanifest-sha256.txt" {
			line(&tags, name)
		}
	}
	b["tagmanifest-sha256.txt"] = tags.Bytes()
	return b
}

// seal seals it with a key.
func (b bag) seal(t testing.TB, key ed25519.PrivateKey) bag {
	t.Helper()
	signer, err := ssh.NewSignerFromKey(key)
	assert.NoError(t, err)
	signature, err := sshsig.Sign(bytes.NewReader(b["tagmanifest-sha256.txt"]), signer, sshsig.HashSHA512, "assay-bundle")
	assert.NoError(t, err)
	b["seal/tagmanifest-sha256.txt.sig"] = sshsig.Armor(signature)
	b["seal/allowed_signers"] = []byte(`desk namespaces="assay-bundle" ` + public(t, key) + "\n")
	return b
}

func (b bag) names() []string { return slices.Sorted(maps.Keys(b)) }

// folder writes it as a folder.
func (b bag) folder(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "case.assay")
	for name, content := range b {
		path := filepath.Join(dir, filepath.FromSlash(name))
		assert.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		assert.NoError(t, os.WriteFile(path, content, 0o600))
	}
	return dir
}

// zip writes it as a zip, as the writer of bundles does.
func (b bag) zip(t testing.TB) string {
	t.Helper()
	return writeFile(t, "case.zip", b.zipped(t, "case/", zip.Store))
}

func (b bag) zipped(t testing.TB, top string, method uint16) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, name := range b.names() {
		h := &zip.FileHeader{Name: top + name, Method: method, Modified: time.Date(1980, time.January, 1, 0, 0, 0, 0, time.UTC)}
		h.SetMode(0o644)
		entry, err := w.CreateHeader(h)
		assert.NoError(t, err)
		_, err = entry.Write(b[name])
		assert.NoError(t, err)
	}
	assert.NoError(t, w.Close())
	return out.Bytes()
}

func writeFile(t testing.TB, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	assert.NoError(t, os.WriteFile(path, content, 0o600))
	return path
}

// known are the signers that the tests know.
func known(t testing.TB) []bundle.Signer {
	return []bundle.Signer{{Name: "the desk in Lisbon", Key: public(t, ownKey)}}
}

// verify verifies a bundle, which must be possible.
func verify(t testing.TB, path string) *bundle.Verification {
	t.Helper()
	v, err := bundle.Verify(t.Context(), path, bundle.VerifyOptions{Signers: known(t)})
	assert.NoError(t, err)
	return v
}

// changes are the findings of a verification, a line each.
func changes(v *bundle.Verification) []string {
	var lines []string
	for _, f := range v.Findings {
		line := string(f.Change)
		if !f.Was.IsZero() {
			line += " " + f.Was.String() + " ->"
		}
		lines = append(lines, strings.TrimSpace(line+" "+f.Path.String()))
	}
	return lines
}
