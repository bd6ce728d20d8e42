package picture

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image/png"
	"strings"
	"testing"

	"assay/client/assert"
	"assay/client/media/picture/picturetest"
)

// pngTexts reads the iTXt chunks of a PNG, and checks every chunk's sum.
func pngTexts(t *testing.T, file []byte) (texts map[string]string, names []string) {
	t.Helper()
	texts = map[string]string{}
	for at := 8; at < len(file); {
		length := int(binary.BigEndian.Uint32(file[at:]))
		body := file[at+4 : at+8+length]
		if binary.BigEndian.Uint32(file[at+8+length:]) != crc32.ChecksumIEEE(body) {
			t.Errorf("chunk %s has a wrong sum", body[:4])
		}
		names = append(names, string(body[:4]))
		if string(body[:4]) == "iTXt" {
			parts := strings.SplitN(string(body[4:]), "\x00", 6)
			if len(parts) != 6 || parts[1]+parts[2]+parts[3]+parts[4] != "" {
				t.Fatalf("fields %q", parts)
			}
			texts[parts[0]] = parts[5]
		}
		at += 12 + length
	}
	return texts, names
}

func TestEncodePNG(t *testing.T) {
	t.Run("keeps the pixels, and the texts in it", func(t *testing.T) {
		texts := map[string]string{"Title": "写真.jpg", "Model": "rd-cedar-img", "SHA-256": strings.Repeat("ab", 32)}
		var file bytes.Buffer
		assert.NoError(t, EncodePNG(t.Context(), &file, picturetest.Numbered(90, 40), texts))
		got, names := pngTexts(t, file.Bytes())
		assert.Equal(t, texts, got)
		if names[0] != "IHDR" || names[len(names)-1] != "IEND" {
			t.Errorf("chunks %v", names)
		}
		back, err := png.Decode(&file)
		if err != nil || !picturetest.Same(back, picturetest.Numbered(90, 40)) {
			t.Errorf("error %v, or other pixels", err)
		}
	})
	t.Run("texts that a PNG cannot hold are mended", func(t *testing.T) {
		var file bytes.Buffer
		assert.NoError(t, EncodePNG(t.Context(), &file, picturetest.Numbered(2, 2), map[string]string{"Title": "a\x00b\xffc"}))
		if got, _ := pngTexts(t, file.Bytes()); got["Title"] != "a\ufffdb\ufffdc" {
			t.Errorf("got %q", got)
		}
	})
	t.Run("what is no keyword is an error", func(t *testing.T) {
		for _, keyword := range []string{"", " a", "a ", "写真", "a\x00b", strings.Repeat("a", 80)} {
			if err := EncodePNG(t.Context(), &bytes.Buffer{}, picturetest.Numbered(2, 2), map[string]string{keyword: "x"}); err == nil {
				t.Errorf("%q is taken", keyword)
			}
		}
	})
	t.Run("an ended context, or a writer that fails, ends it", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := EncodePNG(ctx, &bytes.Buffer{}, picturetest.Numbered(2, 2), nil); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
		var whole bytes.Buffer
		assert.NoError(t, EncodePNG(t.Context(), &whole, picturetest.Numbered(9, 9), map[string]string{"Title": "x"}))
		for room := range whole.Len() {
			if err := EncodePNG(t.Context(), &tightWriter{room}, picturetest.Numbered(9, 9), map[string]string{"Title": "x"}); !errors.Is(err, errTight) {
				t.Errorf("with room for %d bytes: error %v", room, err)
			}
		}
	})
}

var errTight = errors.New("no room")

// tightWriter takes so many bytes and no more.
type tightWriter struct{ room int }

func (w *tightWriter) Write(p []byte) (int, error) {
	n := min(w.room, len(p))
	w.room -= n
	if n < len(p) {
		return n, errTight
	}
	return n, nil
}
