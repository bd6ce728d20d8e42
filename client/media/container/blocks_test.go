package container

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func sourceOf(t *testing.T, data string) *Source {
	return NewSource(t.Context(), strings.NewReader(data), int64(len(data)))
}

func be32(n int) string { return string(binary.BigEndian.AppendUint32(nil, uint32(n))) }

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
	frame := func(kind, content string) string { return kind + be32(len(content)) + "\x00\x00" + content }
	t.Run("frames up to the padding", func(t *testing.T) {
		s := sourceOf(t, "ID3\x03\x00\x00\x00\x00\x00\x20"+frame("TIT2", "a")+frame("TPE1", "bc")+strings.Repeat("\x00", 9)+"sound")
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
		return "OggS\x00" + string([]byte{flags}) + strings.Repeat("\x00", 8) + "\x07\x00\x00\x00" + strings.Repeat("\x00", 8) + string([]byte{byte(len(lacing))}) + lacing + content
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
