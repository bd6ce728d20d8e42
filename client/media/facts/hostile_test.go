package facts_test

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"assay/client/media/facts"
	"assay/client/media/mediatest"
)

// inEachOther are boxes of the given kinds, each in the one before, round a content.
func inEachOther(kinds []string, content string) string {
	size := 8*len(kinds) + len(content)
	var b strings.Builder
	for _, kind := range kinds {
		b.WriteString(be32(size) + kind)
		size -= 8
	}
	return b.String() + content
}

func hasField(f facts.Facts, key, value string) bool {
	return slices.ContainsFunc(f.Embedded, func(field facts.Field) bool { return field.Key == key && strings.Contains(field.Value, value) })
}

func TestBoxesOfAClipInBoxesOfTheirKind(t *testing.T) {
	const clip = "\x00\x00\x00\x10ftypisom\x00\x00\x00\x00"
	// A stack of a gigabyte, which Go allows, overflows at some 3 million: a program does not survive that.
	const depth = 3_000_000
	for _, kinds := range [][]string{{"moov"}, {"moov", "trak"}, {"moov", "trak", "mdia"}} {
		t.Run(strings.Join(kinds, " in "), func(t *testing.T) {
			f := read(t, []byte(clip+inEachOther(slices.Repeat(kinds, depth/len(kinds)), "")), "a.mp4")
			if !hasField(f, "MP4 data of moov", "bytes") {
				t.Errorf("says:\n%s", values(f))
			}
		})
	}
	t.Run("what stands in a misplaced track is named as a program's own data", func(t *testing.T) {
		f := read(t, []byte(clip+isoBox("moov", "")+isoBox("trak", isoBox("udta", "Jane Doe, Berlin"))), "a.mp4")
		if !hasField(f, "MP4 data of trak", "Jane Doe, Berlin") {
			t.Errorf("says:\n%s", values(f))
		}
	})
}

func TestTextsRoundZeros(t *testing.T) {
	png := func(chunk string) []byte { return insert(plainPNG(t), 33, chunk) }
	gif := func(comment string) []byte {
		return []byte(strings.TrimSuffix(string(plainGIF(t)), ";") + "!\xfe" + mediatest.GIFBlocks(comment) + ";")
	}
	wav := func(chunk string) []byte {
		return riff("WAVE", mediatest.WAVFormat, chunkOf("data", "sound!"), chunk)
	}
	clip := func(box string) []byte {
		return []byte(isoBox("ftyp", "isom\x00\x00\x00\x00") + isoBox("moov", isoBox("udta", box)))
	}
	id3v1 := func(title, comment string) []byte {
		return []byte("\xff\xfb\x90\x00" + zeros(413) + "TAG" + padded(title, 30) + padded("", 64) + padded(comment, 30) + "\xff")
	}
	spaces := strings.Repeat(" ", 9_000)
	for name, c := range map[string]struct {
		data       []byte
		key, value string
	}{
		"a PNG's text":                      {png(pngChunk("tEXt", "Author\x00\x00Jane Doe, Berlin")), "PNG author", "Jane Doe, Berlin"},
		"a PNG's packed text":               {png(pngChunk("zTXt", "Author\x00\x00"+deflated("\x00Jane Doe\x00\x00Berlin\x00"))), "PNG author", "Jane Doe / Berlin"},
		"a PNG's international text":        {png(pngChunk("iTXt", "Author\x00\x00\x00\x00\x00A.\x00Jane Doe")), "PNG author", "A. / Jane Doe"},
		"many of them":                      {png(pngChunk("tEXt", "Author\x00"+zeros(9_000)+"Jane Doe")), "PNG author", "Jane Doe"},
		"many spaces":                       {png(pngChunk("tEXt", "Author\x00"+spaces+"Jane Doe")), "PNG author", "Jane Doe"},
		"many spaces inside":                {png(pngChunk("tEXt", "Author\x00A."+spaces+"Jane Doe")), "PNG author", "A.…"},
		"a JPEG's comment":                  {insert(plainJPEG(t), 2, segment(0xfe, "\x00Jane Doe")), "JPEG comment", "Jane Doe"},
		"a GIF's comment":                   {gif("A.\x00Jane Doe"), "GIF comment", "A. / Jane Doe"},
		"IPTC":                              {insert(plainJPEG(t), 2, segment(0xed, "Photoshop 3.0\x00"+resource("\x04\x04", iptc(80, "\x00Jane Doe")))), "IPTC By-line", "Jane Doe"},
		"a WAV's list":                      {wav(chunkOf("LIST", "INFO"+chunkOf("IART", "\x00Jane Doe\x00"))), "WAV IART", "Jane Doe"},
		"a WAV's broadcast extension":       {wav(chunkOf("bext", padded("A.\x00Jane Doe", 602))), "WAV Description", "A. / Jane Doe"},
		"a clip's user data":                {clip(isoBox("\xa9ART", "\x00\x0b\x00\x00A.\x00Jane Doe")), "MP4 ©ART", "A. / Jane Doe"},
		"a clip's user data in UTF-16":      {clip(isoBox("auth", be32(0)+"\x15\xc7\xfe\xff\x00A\x00\x00\x00B")), "MP4 auth", "A / B"},
		"the notes of a place":              {clip(isoBox("loci", be32(0)+"\x15\xc7Pier\x00\x00"+be32(11<<16)+be32(48<<16)+be32(0)+"earth\x00Jane Doe\x00")), "MP4 loci", "Pier 48.000000, 11.000000 Jane Doe"},
		"the oldest kind of tag":            {id3v1("A.\x00Jane Doe", ""), "ID3v1 title", "A. / Jane Doe"},
		"that tag's comment before a track": {id3v1("", padded("Jane Doe", 29)+"\x07"), "ID3v1 comment", "Jane Doe"},
	} {
		t.Run(name, func(t *testing.T) {
			f := read(t, c.data, "a")
			if !slices.ContainsFunc(f.Embedded, func(field facts.Field) bool { return field.Key == c.key && field.Value == c.value }) || f.Incomplete {
				t.Errorf("incomplete %v, notes %q, says:\n%s", f.Incomplete, f.Notes, values(f))
			}
		})
	}
	tooMany := zeros(70_000)
	for name, data := range map[string][]byte{
		"a GIF's comment":             gif(tooMany + "Jane Doe"),
		"a WAV's list":                wav(chunkOf("LIST", "INFO"+chunkOf("IART", tooMany+"Jane Doe"))),
		"a WAV's broadcast extension": wav(chunkOf("bext", padded("A.", 602)+tooMany+"Jane Doe")),
		"a clip's user data":          clip(isoBox("auth", be32(0)+"\x15\xc7"+tooMany+"Jane Doe")),
		"a clip's list":               clip(isoBox("meta", be32(0)+isoBox("hdlr", "mdir")+isoBox("ilst", isoBox("\xa9ART", isoBox("data", be32(1)+be32(0)+tooMany+"Jane Doe"))))),
		"a frame of ID3":              []byte("ID3\x03\x00\x00\x02\x40\x00\x00" + padded(id3Frame("TPE1", "\x00"+zeros(4<<20)+"Jane Doe"), 2<<21|64<<14) + "\xff\xfb\x90\x00" + zeros(413)),
	} {
		t.Run("more of them than are read, in "+name, func(t *testing.T) {
			if f := read(t, data, "a"); !f.Incomplete {
				t.Errorf("says:\n%s", values(f))
			}
		})
	}
}

// countedReader counts what is read of a file.
type countedReader struct {
	io.ReaderAt
	read int64
}

func (r *countedReader) ReadAt(p []byte, at int64) (int, error) {
	n, err := r.ReaderAt.ReadAt(p, at)
	r.read += int64(n)
	return n, err
}

func TestID3InAWAV(t *testing.T) {
	wav := func(chunks ...string) []byte {
		return riff("WAVE", append([]string{mediatest.WAVFormat, chunkOf("data", "sound!")}, chunks...)...)
	}
	tag := func(name string) string { return id3Tag(3, id3Frame("TPE1", "\x00"+name)) }
	// claiming is a tag whose header claims more than there is, so that it must be copied to take its zeros out.
	claiming := func(name string) string {
		return "ID3\x03\x00\x80\x07\x7f\x7f\x7f" + id3Frame("TPE1", "\x00"+name)
	}
	t.Run("is shown", func(t *testing.T) {
		if f := read(t, wav(chunkOf("id3 ", tag("Jane Doe"))), "a.wav"); !hasField(f, "ID3 TPE1", "Jane Doe") || f.Incomplete {
			t.Errorf("incomplete %v, says:\n%s", f.Incomplete, values(f))
		}
	})
	t.Run("is shown up to its chunk's end, and said to be incomplete, where it claims more", func(t *testing.T) {
		f := read(t, wav(chunkOf("id3 ", claiming("Jane Doe")), chunkOf("LIST", "INFO"+chunkOf("IART", "B. Name"))), "a.wav")
		if !hasField(f, "ID3 TPE1", "Jane Doe") || !hasField(f, "WAV IART", "B. Name") || strings.Count(values(f), "ID3 ") != 1 || !f.Incomplete {
			t.Errorf("incomplete %v, says:\n%s", f.Incomplete, values(f))
		}
	})
	t.Run("costs no more reading than a few times the file, however many there are and whatever they claim", func(t *testing.T) {
		data := wav(slices.Repeat([]string{chunkOf("id3 ", claiming("Jane Doe"))}, 2_000)...)
		r := &countedReader{ReaderAt: bytes.NewReader(data)}
		f, err := facts.Read(t.Context(), r, int64(len(data)), "a.wav")
		if err != nil || !hasField(f, "ID3 TPE1", "Jane Doe") || !f.Incomplete {
			t.Errorf("%v, incomplete %v, says:\n%s", err, f.Incomplete, values(f))
		}
		if most := int64(10 * len(data)); r.read > most {
			t.Errorf("%d bytes are read of a file of %d", r.read, len(data))
		}
	})
	t.Run("that is none is named as a program's own data", func(t *testing.T) {
		if f := read(t, wav(chunkOf("id3 ", "Jane Doe, Berlin")), "a.wav"); !hasField(f, "WAV data of id3", "Jane Doe, Berlin") {
			t.Errorf("says:\n%s", values(f))
		}
	})
	t.Run("with something behind it in its chunk is said to be incomplete", func(t *testing.T) {
		if f := read(t, wav(chunkOf("id3 ", tag("B. Name")+tag("Jane Doe"))), "a.wav"); !f.Incomplete {
			t.Errorf("says:\n%s", values(f))
		}
	})
}
