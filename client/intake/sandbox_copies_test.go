package intake_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"image"
	"image/color"
	"image/jpeg"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/client/assert"
	"assay/client/copies"
	"assay/client/intake"
	"assay/client/store"
	"assay/client/submission"
)

// What a photo says of the person who took it; none of it may reach the service.
const (
	photoName   = "JaneDoeAtHome"
	photoAuthor = "AUTHOR-Jane-Doe"
	photoSerial = "SERIAL-0815-4711"
	photoPlace  = "52,30.976N"
	photoEnd    = "TRAILER-with-another-picture"
)

// photo is a JPEG file that says all of that, in several places.
func photo(t *testing.T) string {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, 96, 96))
	seed := uint32(7)
	for i := range 96 * 96 {
		seed = seed*1664525 + 1013904223
		img.Set(i%96, i/96, color.RGBA{R: uint8(seed >> 24), G: uint8(seed >> 16), B: uint8(seed >> 8), A: 255})
	}
	var plain bytes.Buffer
	assert.NoError(t, jpeg.Encode(&plain, img, nil))
	packet := `http://ns.adobe.com/xap/1.0/` + "\x00" + `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">` +
		`<rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:aux="http://ns.adobe.com/exif/1.0/aux/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"` +
		` exif:GPSLatitude="` + photoPlace + `" exif:GPSLongitude="13,22.66E" aux:SerialNumber="` + photoSerial + `" photoshop:Credit="` + photoAuthor + `"/></rdf:RDF></x:xmpmeta>`
	segment := func(marker byte, content string) []byte {
		head := []byte{0xff, marker, 0, 0}
		binary.BigEndian.PutUint16(head[2:], uint16(len(content)+2))
		return append(head, content...)
	}
	file := slices.Concat(plain.Bytes()[:2], segment(0xe1, packet), segment(0xfe, photoAuthor), plain.Bytes()[2:], []byte(photoEnd))
	path := filepath.Join(t.TempDir(), photoName+".jpg")
	assert.NoError(t, os.WriteFile(path, file, 0o600))
	return path
}

// planted is which of what the photo says stands in some bytes.
func planted(data []byte) (found []string) {
	for _, said := range []string{photoName, photoAuthor, photoSerial, photoPlace, photoEnd} {
		if bytes.Contains(data, []byte(said)) {
			found = append(found, said)
		}
	}
	return found
}

// everyFile calls each with what is in the files of a folder.
func everyFile(t *testing.T, folder string, each func(path string, data []byte)) {
	t.Helper()
	within := os.DirFS(folder)
	assert.NoError(t, fs.WalkDir(within, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(within, path)
		each(path, data)
		return err
	}))
}

// S12: what leaves is a copy that says nothing, and the custody log holds the hashes of both.
func TestACopyWithoutMetadataAtTheService(t *testing.T) {
	copied := filepath.Join(t.TempDir(), "copies")
	s := setupSandbox(t, plan{params: func(p *intake.Params) {
		p.Copier = copies.In(copied)
		p.Gate = always(submission.GateAsk)
	}})
	file := photo(t)
	original, err := os.ReadFile(file)
	assert.NoError(t, err)
	if found := planted(original); len(found) != 4 {
		t.Fatalf("the photo says only %v", found)
	}
	ids := s.drop(file)
	s.untilEach(ids, submission.Held)
	s.Approve(withoutMetadata, ids...)
	got := s.untilEach(ids, submission.Done)
	s.stop()

	sent := false
	everyFile(t, s.records, func(path string, data []byte) {
		found := planted(data)
		assert.True(t, len(found) <= 0, "the service was told %v, in %s", found, filepath.Base(path))
		sum := sha256.Sum256(data)
		sent = sent || hex.EncodeToString(sum[:]) == got.Copy.SHA256
	})
	assert.True(t, sent, "the service does not have the bytes that are said to have been sent")
	disk, err := store.Open(t.Context(), s.folder, store.Options{})
	assert.NoError(t, err)
	defer func() { assert.NoError(t, disk.Close()) }()
	assert.NoError(t, disk.VerifyCustody(t.Context()))
	log, err := disk.Custody(t.Context(), ids[0])
	assert.NoError(t, err)
	sum := sha256.Sum256(original)
	var allowed bool
	for _, entry := range log {
		if entry.Event != "allowed to leave without metadata" {
			continue
		}
		allowed = true
		var known map[string]any
		assert.NoError(t, json.Unmarshal(entry.Facts, &known))
		assert.True(t, known["sha256"] == hex.EncodeToString(sum[:]) && known["sentSha256"] == got.Copy.SHA256 && known["sentName"] == got.SendName,
			"the custody log says %v", known)
		removed, _ := known["removed"].(string)
		assert.True(t, strings.Contains(removed, "position") && strings.Contains(removed, "serial") && strings.Contains(removed, "author"),
			"the custody log says that %q was removed", removed)
	}
	assert.True(t, allowed, "the custody log does not say that it was allowed: %+v", log)
	everyFile(t, copied, func(path string, _ []byte) { t.Errorf("%s is left", path) })
}
