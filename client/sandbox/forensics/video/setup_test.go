package video

import (
	"assay/client/sandbox/forensics/forensicstest"
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"image"
	"os"
	"path/filepath"
	"testing"
)

// mp4Box is a box with its contents one behind the other.
func mp4Box(kind string, contents ...[]byte) []byte {
	body := bytes.Join(contents, nil)
	return append(append(binary.BigEndian.AppendUint32(nil, uint32(8+len(body))), kind...), body...)
}

// words32 is numbers of four bytes.
func words32(numbers ...uint32) []byte {
	var b []byte
	for _, n := range numbers {
		b = binary.BigEndian.AppendUint32(b, n)
	}
	return b
}

const (
	created  = 3_800_000_000 // 2024-05-31 in seconds since 1904
	modified = created + 86_400
)

// mp4Track is a track of 10 s in a scale of 1,000. matrix is the rotation, nil for none.
func mp4Track(handler string, entry []byte, matrix []uint32) []byte {
	if matrix == nil {
		matrix = []uint32{0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000}
	}
	return mp4Box("trak",
		mp4Box("tkhd", words32(3, created, modified, 1, 0, 10_000, 0, 0, 0, 0), words32(matrix...), words32(640<<16, 360<<16)),
		mp4Box("edts", mp4Box("elst", words32(0, 1, 10_000, 40, 0x10000))),
		mp4Box("mdia",
			mp4Box("mdhd", words32(0, created, modified, 1000, 10_000, 0x15c7_0000)), // "eng"
			mp4Box("hdlr", words32(0, 0), []byte(handler), words32(0, 0, 0), []byte("Core Media\x00")),
			mp4Box("minf", mp4Box("stbl",
				mp4Box("stsd", words32(0, 1), entry),
				mp4Box("stsz", words32(0, 0, 250), make([]byte, 1000)),
			)),
		),
	)
}

// pictureEntry describes H.264 of w × h pixels.
func pictureEntry(w, h uint16) []byte {
	size := binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(nil, w), h)
	name := append([]byte{13}, "Lavc60 libx26"...)
	return mp4Box("avc1", words32(0, 1), make([]byte, 16), size, words32(0x480000, 0x480000, 0), []byte{0, 1}, append(name, make([]byte, 18)...), []byte{0, 24, 0xff, 0xff})
}

// soundEntry describes AAC in stereo at 44.1 kHz.
func soundEntry() []byte {
	return mp4Box("mp4a", words32(0, 1, 0, 0, 2<<16|16, 0, 44_100<<16))
}

// fullMvhd is mvhd with the fields that follow, which go-mp4 wants too.
func fullMvhd() []byte {
	rest := append(words32(0x10000, 0x01000000, 0, 0), words32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)...)
	return mp4Box("mvhd", words32(0, created, modified, 1000, 10_000), rest, make([]byte, 24), words32(3))
}

// mp4Clip is a clip of a picture and a sound track, with more boxes in moov.
func mp4Clip(more ...[]byte) []byte {
	moov := append([][]byte{fullMvhd(), mp4Track("vide", pictureEntry(640, 360), nil), mp4Track("soun", soundEntry(), nil)}, more...)
	return bytes.Join([][]byte{
		mp4Box("ftyp", []byte("isom"), words32(512), []byte("isomiso2avc1mp41")),
		mp4Box("moov", moov...),
		mp4Box("mdat", make([]byte, 100)),
	}, nil)
}

// itunesText is udta with an item as iTunes, ffmpeg and others write it.
func itunesText(kind, text string) []byte {
	return mp4Box("udta", mp4Box("meta", words32(0),
		mp4Box("hdlr", words32(0, 0), []byte("mdirappl"), words32(0, 0), []byte{0}),
		mp4Box("ilst", mp4Box(kind, mp4Box("data", words32(1, 0), []byte(text)))),
	))
}

// quickTimeText is meta with an item under a name, as phones write it.
func quickTimeText(key, text string) []byte {
	return mp4Box("meta",
		mp4Box("hdlr", words32(0, 0), []byte("mdta"), words32(0, 0, 0), []byte{0}),
		mp4Box("keys", words32(0, 1), mp4Box("mdta", []byte(key))),
		mp4Box("ilst", mp4Box("\x00\x00\x00\x01", mp4Box("data", words32(1, 0), []byte(text)))),
	)
}

// uuidBox is a box of a type of its own, given in hexadecimal.
func uuidBox(t testing.TB, id string, contents ...[]byte) []byte {
	t.Helper()
	kind, err := hex.DecodeString(id)
	if err != nil {
		t.Fatal(err)
	}
	return mp4Box("uuid", append([][]byte{kind}, contents...)...)
}

// savedClip writes a clip into a folder of the test.
func savedClip(t testing.TB, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "clip.mp4")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// withoutFFmpeg is a computer on which ffmpeg is not installed.
var withoutFFmpeg = analyser{func() (string, error) { return "", ErrNoFFmpeg }}

// checkReport holds a report to what the package promises of every one.
func checkReport(t *testing.T, report *Report) {
	t.Helper()
	forensicstest.CheckModels(t, Models(), report.Models, report.Conclusions)
	if _, err := json.Marshal(report.Facts); err != nil {
		t.Errorf("facts: %v", err)
	}
	for _, s := range report.Scenes {
		if s.End <= s.Start || (s.Score == nil) != (s.Decision == "") {
			t.Errorf("scene %+v", s)
		}
	}
	if thumbnail, ok := report.Thumbnail.(*image.NRGBA); report.Thumbnail != nil && (!ok || max(thumbnail.Rect.Dx(), thumbnail.Rect.Dy()) > mostFrameSide) {
		t.Errorf("thumbnail %T", report.Thumbnail)
	}
}
