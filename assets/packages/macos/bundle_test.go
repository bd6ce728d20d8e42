//go:build unix

// Package macos is what Assay.app is made of. The script build lays it out; these tests have it do so around a stand-in for the binary.
package macos

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"image/png"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/client/assert"
	"assay/client/media"
)

const version = "1.2.3"

// bundle lays Assay.app out as the public workflow does, around a stand-in for the binary.
func bundle(t *testing.T) string {
	t.Helper()
	binaries, folder := t.TempDir(), t.TempDir()
	assert.NoError(t, os.Mkdir(filepath.Join(binaries, "darwin-arm64-updates"), 0o700))
	assert.NoError(t, os.WriteFile(filepath.Join(binaries, "darwin-arm64-updates", "assay"), []byte("stand-in"), 0o600))
	maker := filepath.Join(binaries, "maker")
	made, err := exec.CommandContext(t.Context(), "go", "build", "-o", maker, "../maker").CombinedOutput() //nolint:gosec // a path of this test
	assert.True(t, err == nil, "%v\n%s", err, made)
	if said, err := build(t, "ASSAY_BIN="+binaries, "ASSAY_BUNDLE="+folder, "ASSAY_MAKER="+maker); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	return filepath.Join(folder, "Assay.app")
}

func build(t *testing.T, environment ...string) (said string, err error) {
	t.Helper()
	command := exec.CommandContext(t.Context(), "./build")
	command.Env = append(os.Environ(), append(environment, "ASSAY_VERSION="+version)...)
	printed, err := command.CombinedOutput()
	return string(printed), err
}

// plist is a property list, read by Python's own reader.
func plist(t *testing.T, path string) (values map[string]any) {
	t.Helper()
	command := exec.CommandContext(t.Context(), "python3", "-c", "import json, plistlib, sys; json.dump(plistlib.load(sys.stdin.buffer), sys.stdout)")
	list, err := os.Open(path)
	assert.NoError(t, err)
	defer list.Close() //nolint:errcheck // only read from
	command.Stdin = list
	read, err := command.Output()
	assert.NoError(t, err)
	assert.NoError(t, json.Unmarshal(read, &values))
	return values
}

func TestTheBundle(t *testing.T) {
	app := bundle(t)
	t.Run("has each file in its place, and no other", func(t *testing.T) {
		var files []string
		assert.NoError(t, filepath.WalkDir(app, func(path string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() {
				name, _ := filepath.Rel(app, path)
				files = append(files, name)
			}
			return err
		}))
		want := []string{"Contents/Info.plist", "Contents/MacOS/assay", "Contents/PkgInfo", "Contents/Resources/LICENSE", "Contents/Resources/assay.icns"}
		if diff := cmp.Diff(want, files); diff != "" {
			t.Error(diff)
		}
		facts, err := os.Stat(filepath.Join(app, "Contents", "MacOS", "assay"))
		assert.NoError(t, err)
		assert.Equal(t, fs.FileMode(0o755), facts.Mode().Perm())
	})
	info := plist(t, filepath.Join(app, "Contents", "Info.plist"))
	t.Run("says which Assay it is, and what starts it", func(t *testing.T) {
		for key, want := range map[string]string{
			"CFBundleIdentifier": "news.assay.Assay", "CFBundleExecutable": "assay", "CFBundlePackageType": "APPL", "CFBundleIconFile": "assay",
			"CFBundleShortVersionString": version, "CFBundleVersion": version, "LSMinimumSystemVersion": "12.0",
		} {
			if info[key] != want {
				t.Errorf("%s: %v, want %s", key, info[key], want)
			}
		}
	})
	t.Run("opens what Assay takes, and never by a double click of its own", func(t *testing.T) {
		var extensions []string
		for _, kind := range info["CFBundleDocumentTypes"].([]any) {
			kind := kind.(map[string]any)
			if kind["LSHandlerRank"] != "Alternate" || kind["CFBundleTypeRole"] != "Viewer" {
				t.Errorf("%v would be opened by a double click, or changed", kind["CFBundleTypeName"])
			}
			for _, extension := range kind["CFBundleTypeExtensions"].([]any) {
				extensions = append(extensions, extension.(string))
			}
		}
		want := slices.Concat(media.Supported(), media.Convertible())
		slices.Sort(want)
		slices.Sort(extensions)
		if diff := cmp.Diff(want, extensions); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("is in Assay's languages", func(t *testing.T) {
		for _, language := range info["CFBundleLocalizations"].([]any) {
			if facts, err := os.Stat(filepath.Join("..", "..", "lang", language.(string))); language != "en" && (err != nil || !facts.IsDir()) {
				t.Errorf("%v: %v", language, err)
			}
		}
		folders, err := filepath.Glob(filepath.Join("..", "..", "lang", "??"))
		assert.NoError(t, err)
		assert.Equal(t, len(folders)+1, len(info["CFBundleLocalizations"].([]any)))
	})
	t.Run("loosens nothing of the hardened runtime", func(t *testing.T) {
		assert.Equal(t, 0, len(plist(t, "entitlements.plist")))
	})
	t.Run("has its icon in every size", func(t *testing.T) {
		icon, err := os.ReadFile(filepath.Join(app, "Contents", "Resources", "assay.icns"))
		assert.NoError(t, err)
		var sides []int
		if length := binary.BigEndian.Uint32(icon[4:]); string(icon[:4]) != "icns" || int(length) != len(icon) {
			t.Fatalf("%q of %d bytes, of which there are %d", icon[:4], length, len(icon))
		}
		for rest := icon[8:]; len(rest) > 0; rest = rest[binary.BigEndian.Uint32(rest[4:]):] {
			picture, err := png.Decode(bytes.NewReader(rest[8:binary.BigEndian.Uint32(rest[4:])]))
			assert.NoError(t, err)
			if _, _, _, alpha := picture.At(picture.Bounds().Dx()/2, picture.Bounds().Dy()/8).RGBA(); alpha != 0xffff {
				t.Errorf("%s is empty", rest[:4])
			}
			sides = append(sides, picture.Bounds().Dx())
		}
		if diff := cmp.Diff([]int{32, 64, 128, 256, 256, 512, 512, 1024}, sides); diff != "" {
			t.Error(diff)
		}
	})
}

func TestNothingIsMadeWithoutBinaries(t *testing.T) {
	if said, err := build(t, "ASSAY_BIN="+t.TempDir(), "ASSAY_OUT="+t.TempDir(), "ASSAY_MAKER=none"); err == nil || !strings.Contains(said, "there are no binaries") {
		t.Error(err, said)
	}
}
