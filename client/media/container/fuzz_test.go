package container

import (
	"bytes"
	"testing"
)

// FuzzWalkers holds that whatever a file holds, each walker ends, and gives parts that lie within the file, in order and apart from each
// other; and that what breaks off is told.
func FuzzWalkers(f *testing.F) {
	for _, seed := range []string{
		"\xff\xd8\xff\xfe\x00\x04hi\xff\xda\x00\x02data\xff\xd9", PNGSignature + "\x00\x00\x00\x02tEXthi1234\x00\x00\x00\x00IEND1234", "GIF89a\x01\x00\x01\x00\x00\x00\x00!\xfe\x02hi\x00;",
		"RIFF\x0e\x00\x00\x00WAVEdata\x02\x00\x00\x00hi", "\x00\x00\x00\x0aftyphi\x00\x00\x00\x08moov", "fLaC\x80\x00\x00\x02hi\xff\xf8", "OggS\x00\x02" + string(make([]byte, 20)) + "\x01\x02hi",
		"ID3\x03\x00\x80\x00\x00\x00\x0cTPE1\x00\x00\x00\x02\x00\x00hi", "ID3\x04\x00\x00\x00\x00\x00\x0cTPE1\x00\x00\x00\x02\x00\x00hiTAG",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		size := int64(len(data))
		for name, walk := range map[string]func(s *Source, visit func(Block) bool){
			"JPEG segments": func(s *Source, visit func(Block) bool) { s.JPEGSegments(2, visit) },
			"JPEG parts":    func(s *Source, visit func(Block) bool) { s.JPEGParts(visit) },
			"PNG":           func(s *Source, visit func(Block) bool) { s.PNGChunks(visit) },
			"GIF":           func(s *Source, visit func(Block) bool) { s.GIFParts(visit) },
			"RIFF":          func(s *Source, visit func(Block) bool) { s.RIFFChunks(visit) },
			"boxes":         func(s *Source, visit func(Block) bool) { s.Boxes(s.Whole(), visit) },
			"FLAC":          func(s *Source, visit func(Block) bool) { s.FLACBlocks(s.BehindID3(), visit) },
			"ID3": func(s *Source, visit func(Block) bool) {
				if tag, ok := s.ID3At(0); ok {
					s.ID3Frames(tag, visit)
					s.Unsynchronised(tag)
				}
			},
			"Ogg": func(s *Source, visit func(Block) bool) {
				s.OggPages(func(p Page) bool {
					p.Pieces()
					return visit(Block{"", p.Whole, p.Content})
				})
			},
		} {
			s := NewSource(t.Context(), bytes.NewReader(data), size)
			at := int64(0)
			walk(s, func(b Block) bool {
				if b.Whole.Start < at || b.Whole.End > size || b.Whole.Length() <= 0 || b.Content.Start < b.Whole.Start || b.Content.End > b.Whole.End {
					t.Errorf("%s: %+v behind %d of %d", name, b, at, size)
				}
				at = b.Whole.End
				return true
			})
			if s.Err() != nil {
				t.Errorf("%s: %v", name, s.Err())
			}
		}
		s := NewSource(t.Context(), bytes.NewReader(data), size)
		if samples, _ := s.FLACSamples(s.Whole()); samples < 0 {
			t.Errorf("%d samples", samples)
		}
		if _, end := s.TagsBehind(0); end < 0 || end > size {
			t.Errorf("the recording ends at %d of %d", end, size)
		}
		_, _ = s.Format(), s.OggCodec()
		if next := s.NextJPEGMarker(0); next >= size {
			t.Errorf("a marker at %d of %d", next, size)
		}
	})
}
