package facts_test

import (
	"bytes"
	"strings"
	"testing"
)

func TestFLACInOgg(t *testing.T) {
	page := func(flags byte, number int, packets ...string) string {
		lacing := ""
		for _, packet := range packets {
			lacing += strings.Repeat("\xff", len(packet)/255) + string([]byte{byte(len(packet) % 255)})
		}
		return "OggS\x00" + string([]byte{flags}) + strings.Repeat("\x00", 8) + "\x07\x00\x00\x00" + le32(number) + "\x00\x00\x00\x00" + string([]byte{byte(len(lacing))}) + lacing + strings.Join(packets, "")
	}
	block := func(kind byte, content string) string { return string([]byte{kind}) + be32(len(content))[1:] + content }
	const first = "\x7fFLAC\x01\x00\x00\x01fLaC\x00\x00\x00\x22"
	stream := func(blocks ...string) []byte {
		return []byte(page(2, 0, first+strings.Repeat("\x07", 34)) + page(0, 1, blocks...) + page(4, 2, "\xff\xf8 sound and more sound"))
	}
	long := vorbisComments("COMMENT="+strings.Repeat("x", 400), "ARTIST=Jane Doe")
	for name, c := range map[string]struct {
		data       []byte
		incomplete bool
	}{
		"comments that are the last block":          {stream(block(0x84, vorbisComments("ARTIST=Jane Doe"))), false},
		"comments with padding behind them":         {stream(block(4, vorbisComments("ARTIST=Jane Doe")), block(0x81, strings.Repeat("\x00", 100))), false},
		"comments longer than 255 bytes":            {stream(block(0x84, long)), false},
		"comments behind other blocks":              {stream(block(3, strings.Repeat("\x00", 18)), block(0x84, vorbisComments("ARTIST=Jane Doe"))), false},
		"comments whose length claims more":         {stream("\x84\x01\x00\x00" + vorbisComments("ARTIST=Jane Doe")), true},
		"comments, and sound where blocks ought to": {stream(block(4, vorbisComments("ARTIST=Jane Doe"))), true},
	} {
		t.Run(name, func(t *testing.T) {
			if f := read(t, c.data, "a.ogg"); !hasField(f, "Vorbis artist", "Jane Doe") || f.Incomplete != c.incomplete {
				t.Errorf("incomplete %v, says:\n%s", f.Incomplete, values(f))
			}
		})
	}
	t.Run("a program's own data and a picture behind the comments", func(t *testing.T) {
		f := read(t, stream(block(4, vorbisComments("ARTIST=Jane Doe")), block(6, "picture"), block(0x82, "riffBerlin")), "a.ogg")
		if !f.Thumbnail || !hasField(f, "FLAC data of", "riff") || f.Incomplete {
			t.Errorf("incomplete %v, thumbnail %v, says:\n%s", f.Incomplete, f.Thumbnail, values(f))
		}
	})
	t.Run("comments of a stream behind another one", func(t *testing.T) {
		plain := []byte(page(2, 0, "OpusHead\x01\x02\x38\x01\x80\xbb\x00\x00\x00\x00\x00") + page(0, 1, "OpusTags"+vorbisComments()) + page(4, 2, "sound"))
		for name, data := range map[string][]byte{
			"with its number":          append(bytes.Clone(plain), stream(block(0x84, vorbisComments("ARTIST=Jane Doe")))...),
			"with a number of its own": append(bytes.ReplaceAll(plain, []byte("\x07\x00\x00\x00"), []byte("\x08\x00\x00\x00")), stream(block(0x84, vorbisComments("ARTIST=Jane Doe")))...),
		} {
			if f := read(t, data, "a.ogg"); !hasField(f, "Vorbis artist", "Jane Doe") || f.Incomplete {
				t.Errorf("%s: incomplete %v, says:\n%s", name, f.Incomplete, values(f))
			}
		}
	})
}
