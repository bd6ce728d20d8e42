package mediatest

import (
	"bytes"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"assay/client/assert"
)

// Drawing is a picture of a few colours.
func Drawing() *image.Paletted {
	m := image.NewPaletted(image.Rect(0, 0, 60, 40), color.Palette{color.Black, color.White, color.RGBA{R: 200, A: 255}, color.RGBA{B: 180, A: 255}})
	for i := range m.Pix {
		m.Pix[i] = uint8(i*i/7) % 4
	}
	return m
}

// JPEG encodes a picture; quality is Go's, from 1 to 100.
func JPEG(t testing.TB, m image.Image, quality int) []byte {
	t.Helper()
	var b bytes.Buffer
	assert.NoError(t, jpeg.Encode(&b, m, &jpeg.Options{Quality: quality}))
	return b.Bytes()
}

// PNG encodes a picture.
func PNG(t testing.TB, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	assert.NoError(t, png.Encode(&b, m))
	return b.Bytes()
}

// GIF encodes a picture, or several as a moving one.
func GIF(t testing.TB, frames ...*image.Paletted) []byte {
	t.Helper()
	all := &gif.GIF{Image: frames, Delay: make([]int, len(frames)), Config: image.Config{ColorModel: frames[0].Palette, Width: frames[0].Rect.Dx(), Height: frames[0].Rect.Dy()}}
	for i := range frames {
		all.Delay[i] = 10 * i
	}
	var b bytes.Buffer
	assert.NoError(t, gif.EncodeAll(&b, all))
	return b.Bytes()
}

// Read returns the content of a file.
func Read(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	assert.NoError(t, err)
	return data
}

// Saved writes a file into a folder of the test, and returns its path.
func Saved(t testing.TB, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	assert.NoError(t, os.WriteFile(path, data, 0o600))
	return path
}

// Program returns the path of a program that a test needs. If it is not installed, the test is skipped, except in CI, which installs it.
func Program(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("CI is set, so %s must be installed: %v", name, err)
		}
		t.Skipf("%s is not installed here: .ci/install media does it", name)
	}
	return path
}

// FFmpeg runs ffmpeg, and returns its output.
func FFmpeg(t testing.TB, arguments ...string) string {
	t.Helper()
	var out, said bytes.Buffer
	command := exec.CommandContext(t.Context(), Program(t, "ffmpeg"), append([]string{"-v", "error", "-nostdin"}, arguments...)...) // #nosec G204 -- a test's own arguments
	command.Stdout, command.Stderr = &out, &said
	if err := command.Run(); err != nil {
		t.Fatalf("ffmpeg %v: %v\n%s", arguments, err, &said)
	}
	return out.String()
}

// Made has ffmpeg make a file with a name in a folder of the test, and returns its path.
func Made(t testing.TB, name string, arguments ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	FFmpeg(t, append(arguments, "-y", "file:"+path)...)
	return path
}
