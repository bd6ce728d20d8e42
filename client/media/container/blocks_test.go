package container

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"assay/client/media/mediatest"

	"github.com/google/go-cmp/cmp"
)

func sourceOf(t *testing.T, data string) *Source {
	return NewSource(t.Context(), strings.NewReader(data), int64(len(data)))
}

var be32 = mediatest.BE32

// found are the blocks that a walker visits, as their kinds and contents.
func found(s *Source, blocks *[]string) func(Block) bool {
	return func(b Block) bool {
		*blocks = append(*blocks, b.Kind+" "+string(s.Bytes(b.Content, 1000)))
		return true
	}
}

func TestSource(t *testing.T) {
	t.Run("what is beyond the end is not given", func(t *testing.T) {
		s := sourceOf(t, "0123456789")
		if got := s.Bytes(Between(7, 20), 100); string(got) != "789" {
			t.Errorf("%q", got)
		}
		if _, ok := s.Head(8, 3); ok {
			t.Error("three of two bytes")
		}
		if got := s.Bytes(Between(2, 9), 3); string(got) != "234" {
			t.Errorf("%q", got)
		}
	})
	t.Run("a span is fed whole", func(t *testing.T) {
		long := strings.Repeat("0123456789", 100_000)
		var fed bytes.Buffer
		if s := sourceOf(t, long); !s.Feed(&fed, Between(5, int64(len(long)-5))) || fed.String() != long[5:len(long)-5] {
			t.Errorf("%d bytes", fed.Len())
		}
	})
	t.Run("a span that ends behind the file is not whole", func(t *testing.T) {
		if s := sourceOf(t, "0123456789"); s.Feed(io.Discard, Between(5, 11)) || s.Err() != nil {
			t.Errorf("error %v", s.Err())
		}
	})
	t.Run("the end of ctx ends all reading", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s := NewSource(ctx, strings.NewReader("0123456789"), 10)
		cancel()
		if got := s.Bytes(s.Whole(), 10); len(got) > 0 || !errors.Is(s.Err(), context.Canceled) {
			t.Errorf("%q, %v", got, s.Err())
		}
	})
	t.Run("what can't be written ends it", func(t *testing.T) {
		_, w := io.Pipe()
		_ = w.CloseWithError(io.ErrClosedPipe)
		if s := sourceOf(t, "0123456789"); s.Feed(w, s.Whole()) || !errors.Is(s.Err(), io.ErrClosedPipe) {
			t.Errorf("error %v", s.Err())
		}
	})
}

func TestBoxes(t *testing.T) {
	for name, c := range map[string]struct {
		data  string
		want  []string
		whole bool
	}{
		"plain ones":              {be32(10) + "abcd12" + be32(8) + "efgh", []string{"abcd 12", "efgh "}, true},
		"a long one":              {be32(1) + "abcd" + be32(0) + be32(18) + "12", []string{"abcd 12"}, true},
		"one to the end":          {be32(0) + "abcd1234", []string{"abcd 1234"}, true},
		"one that is cut short":   {be32(8) + "abcd" + be32(20) + "efgh12", []string{"abcd "}, false},
		"one shorter than a head": {be32(7) + "abcd", nil, false},
		"one of an absurd length": {be32(1) + "abcd" + strings.Repeat("\xff", 8), nil, false},
		"bytes behind the last":   {be32(8) + "abcd" + "123", []string{"abcd "}, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := sourceOf(t, c.data)
			var got []string
			if whole := s.Boxes(s.Whole(), found(s, &got)); whole != c.whole || !cmp.Equal(got, c.want) {
				t.Errorf("%q, whole %v", got, whole)
			}
		})
	}
}

func TestJPEGParts(t *testing.T) {
	const comment = "\xff\xfe\x00\x04hi"
	for name, c := range map[string]struct {
		data  string
		want  []string
		end   int64
		whole bool
	}{
		"segments and a scan":        {"\xff\xd8" + comment + "\xff\xda\x00\x02data\xff\xd9", []string{"\xfe hi", "\xda \x00\x02data"}, 18, true},
		"what stands behind it":      {"\xff\xd8" + comment + "\xff\xd9more", []string{"\xfe hi"}, 10, true},
		"stuffed zeros, restarts":    {"\xff\xd8\xff\xda\x00\x02\xff\x00\xff\xd7\xff\xd9", []string{"\xda \x00\x02\xff\x00\xff\xd7"}, 12, true},
		"no end":                     {"\xff\xd8\xff\xda\x00\x02data", nil, 2, false},
		"an end cut in two":          {"\xff\xd8\xff\xda\x00\x02data\xff", nil, 2, false},
		"a segment that is too long": {"\xff\xd8\xff\xfe\x00\x40hi", nil, 2, false},
		"what is no marker":          {"\xff\xd8" + comment + "junk", []string{"\xfe hi"}, 8, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := sourceOf(t, c.data)
			var got []string
			if end, whole := s.JPEGParts(found(s, &got)); whole != c.whole || end != c.end || !cmp.Equal(got, c.want) {
				t.Errorf("%q, end %d, whole %v", got, end, whole)
			}
		})
	}
}

func TestID3(t *testing.T) {
	frame := mediatest.ID3Frame
	t.Run("frames up to the padding", func(t *testing.T) {
		s := sourceOf(t, "ID3\x03\x00\x00\x00\x00\x00\x20"+frame("TIT2", "a")+frame("TPE1", "bc")+mediatest.Zeros(9)+"sound")
		tag, ok := s.ID3At(0)
		var got []string
		s.ID3Frames(tag, found(s, &got))
		if want := []string{"TIT2 a", "TPE1 bc"}; !ok || !cmp.Equal(got, want) || s.BehindID3() != 42 {
			t.Errorf("%q, then %d", got, s.BehindID3())
		}
	})
	t.Run("an extended header stands before them, a footer behind", func(t *testing.T) {
		s := sourceOf(t, "ID3\x04\x00\x50\x00\x00\x00\x11"+be32(6)+"\x01\x00"+frame("TIT2", "a")+"3DI-------sound")
		tag, _ := s.ID3At(0)
		var got []string
		s.ID3Frames(tag, found(s, &got))
		if want := []string{"TIT2 a"}; !cmp.Equal(got, want) || s.BehindID3() != 37 {
			t.Errorf("%q, then %d", got, s.BehindID3())
		}
	})
	t.Run("what promises more than the file holds", func(t *testing.T) {
		s := sourceOf(t, "ID3\x03\x00\x00\x00\x00\x7f\x7f"+frame("TIT2", "a")+"TPE1"+be32(1000)+"\x00\x00b")
		tag, _ := s.ID3At(0)
		var got []string
		s.ID3Frames(tag, found(s, &got))
		if want := []string{"TIT2 a"}; !cmp.Equal(got, want) || s.BehindID3() != s.Size() {
			t.Errorf("%q, then %d of %d", got, s.BehindID3(), s.Size())
		}
	})
	t.Run("letters alone are no tag", func(t *testing.T) {
		if _, ok := sourceOf(t, "ID3\xff\x00\x00\x00\x00\x00\x10").ID3At(0); ok {
			t.Error("a tag")
		}
	})
}

func TestOggPages(t *testing.T) {
	page := func(flags byte, lacing, content string) string {
		return "OggS\x00" + string([]byte{flags}) + mediatest.Zeros(8) + "\x07\x00\x00\x00" + mediatest.Zeros(8) + string([]byte{byte(len(lacing))}) + lacing + content
	}
	long := strings.Repeat("x", 255)
	t.Run("packets over pages", func(t *testing.T) {
		s := sourceOf(t, page(2, "\x02\xff", "ab"+long)+page(1, "\x01\x03", "cdef"))
		var got []string
		whole := s.OggPages(func(p Page) bool {
			for _, piece := range p.Pieces() {
				text := string(s.Bytes(piece.Span, 3))
				if piece.Ends {
					text += "."
				}
				got = append(got, text)
			}
			return p.Serial == 7
		})
		if want := []string{"ab.", "xxx", "c.", "def."}; !whole || !cmp.Equal(got, want) {
			t.Errorf("%q, whole %v", got, whole)
		}
	})
	for name, data := range map[string]string{"a page that is cut short": page(2, "\x09", "ab"), "something behind it": page(2, "\x02", "ab") + "more"} {
		t.Run(name, func(t *testing.T) {
			if sourceOf(t, data).OggPages(func(Page) bool { return true }) {
				t.Error("it is whole")
			}
		})
	}
}

func TestPNGText(t *testing.T) {
	packed := mediatest.Deflated("words")
	for name, c := range map[string]struct {
		kind, content, keyword, text string
		ok, whole                    bool
	}{
		"plain":                       {"tEXt", "Author\x00words", "Author", "words", true, true},
		"packed":                      {"zTXt", "Author\x00\x00" + packed, "Author", "words", true, true},
		"international":               {"iTXt", "Author\x00\x00\x00en\x00Writer\x00words", "Author", "words", true, true},
		"international and packed":    {"iTXt", "Author\x00\x01\x00\x00\x00" + packed, "Author", "words", true, true},
		"no end of the keyword":       {"tEXt", "Author", "Author", "", false, true},
		"no method":                   {"zTXt", "Author\x00", "Author", "", false, true},
		"no end of the language":      {"iTXt", "Author\x00\x01\x00en", "Author", "", false, true},
		"packed, what is not":         {"zTXt", "Author\x00\x00words", "Author", "", true, false},
		"packed, of which half is":    {"zTXt", "Author\x00\x00" + packed[:len(packed)-5], "Author", "words", true, false},
		"packed, more than there may": {"zTXt", "Author\x00\x00" + mediatest.Deflated(strings.Repeat("w", 200)), "Author", strings.Repeat("w", 100), true, false},
	} {
		t.Run(name, func(t *testing.T) {
			room := int64(150)
			text, ok := ReadPNGText(c.kind, []byte(c.content))
			value, whole := text.Text(100, &room)
			if string(text.Keyword) != c.keyword || string(value) != c.text || ok != c.ok || whole != c.whole {
				t.Errorf("%q: %q, ok %v, whole %v", text.Keyword, value, ok, whole)
			}
		})
	}
	t.Run("no room is left for more", func(t *testing.T) {
		room := int64(7)
		for _, want := range []string{"words", "wo", ""} {
			if got, whole := Inflate([]byte(packed), 100, &room); string(got) != want || whole != (want == "words") {
				t.Errorf("%q, whole %v, want %q", got, whole, want)
			}
		}
	})
}

func TestWAVFormat(t *testing.T) {
	plain := mediatest.WAVFormat[8:]
	want := WAVFormat{Code: WAVIntegers, Channels: 1, Bits: 8, Rate: 8000, BytesPerSecond: 8000, Frame: 1}
	if got, ok := ReadWAVFormat([]byte(plain)); !ok || got != want {
		t.Errorf("%+v", got)
	}
	extended := "\xfe\xff" + plain[2:] + "\x16\x00\x08\x00\x04\x00\x00\x00\x03\x00"
	if got, ok := ReadWAVFormat([]byte(extended)); !ok || got.Code != WAVFloats {
		t.Errorf("extended: %+v", got)
	}
	if _, ok := ReadWAVFormat([]byte(plain[:15])); ok {
		t.Error("half of one is read")
	}
}
