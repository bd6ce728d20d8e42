package video

import (
	"encoding/hex"
	"encoding/json"
	"image"
	"testing"

	"assay/client/assert"
	"assay/client/media/mediatest"
	"assay/client/sandbox/forensics/forensicstest"
)

// The parts that clips are put together from.
var mp4Box, be16, be32, zeros = mediatest.Box, mediatest.BE16, mediatest.BE32, mediatest.Zeros

// words32 is numbers of four bytes.
func words32(numbers ...int) (words string) {
	for _, n := range numbers {
		words += be32(n)
	}
	return words
}

const (
	created  = 3_800_000_000 // 2024-05-31 in seconds since 1904
	modified = created + 86_400
)

// mp4Track is a track of 10 s in a scale of 1,000. matrix is the rotation, none for upright.
func mp4Track(handler, entry string, matrix ...int) string {
	if matrix == nil {
		matrix = []int{0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000}
	}
	return mp4Box("trak",
		mp4Box("tkhd", words32(3, created, modified, 1, 0, 10_000, 0, 0, 0, 0), words32(matrix...), words32(640<<16, 360<<16)),
		mp4Box("edts", mp4Box("elst", words32(0, 1, 10_000, 40, 0x10000))),
		mp4Box("mdia",
			mp4Box("mdhd", words32(0, created, modified, 1000, 10_000, 0x15c7_0000)), // "eng"
			mp4Box("hdlr", words32(0, 0), handler, words32(0, 0, 0), "Core Media\x00"),
			mp4Box("minf", mp4Box("stbl",
				mp4Box("stsd", words32(0, 1), entry),
				mp4Box("stsz", words32(0, 0, 250), zeros(1000)),
			)),
		),
	)
}

// pictureEntry describes H.264 of 640 × 360 pixels.
var pictureEntry = mp4Box("avc1", words32(0, 1), zeros(16), be16(640), be16(360), words32(0x480000, 0x480000, 0), "\x00\x01", "\x0dLavc60 libx26", zeros(18), "\x00\x18\xff\xff")

// soundEntry describes AAC in stereo at 44.1 kHz.
var soundEntry = mp4Box("mp4a", words32(0, 1, 0, 0, 2<<16|16, 0, 44_100<<16))

// fullMvhd is mvhd with the fields that follow, which go-mp4 wants too.
var fullMvhd = mp4Box("mvhd", words32(0, created, modified, 1000, 10_000, 0x10000, 0x01000000, 0, 0, 0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000), zeros(24), words32(3))

// mp4Clip is a clip of a picture and a sound track, with more boxes in moov.
func mp4Clip(more ...string) []byte {
	return mediatest.Join(
		mp4Box("ftyp", "isom", words32(512), "isomiso2avc1mp41"),
		mp4Box("moov", append([]string{fullMvhd, mp4Track("vide", pictureEntry), mp4Track("soun", soundEntry)}, more...)...),
		mp4Box("mdat", zeros(100)),
	)
}

// itunesText is udta with an item as iTunes, ffmpeg and others write it.
func itunesText(kind, text string) string {
	return mp4Box("udta", mp4Box("meta", words32(0),
		mp4Box("hdlr", words32(0, 0), "mdirappl", words32(0, 0), "\x00"),
		mp4Box("ilst", mp4Box(kind, mp4Box("data", words32(1, 0), text))),
	))
}

// quickTimeText is meta with an item under a name, as phones write it.
func quickTimeText(key, text string) string {
	return mp4Box("meta",
		mp4Box("hdlr", words32(0, 0), "mdta", words32(0, 0, 0), "\x00"),
		mp4Box("keys", words32(0, 1), mp4Box("mdta", key)),
		mp4Box("ilst", mp4Box("\x00\x00\x00\x01", mp4Box("data", words32(1, 0), text))),
	)
}

// withUUID is a clip with a box of a type of its own behind it, given in hexadecimal.
func withUUID(t testing.TB, id string, contents ...string) []byte {
	t.Helper()
	kind, err := hex.DecodeString(id)
	assert.NoError(t, err)
	return append(mp4Clip(), mp4Box("uuid", append([]string{string(kind)}, contents...)...)...)
}

// savedClip writes a clip into a folder of the test.
func savedClip(t testing.TB, data []byte) string { return mediatest.Saved(t, "clip.mp4", data) }

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
