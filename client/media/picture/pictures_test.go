package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"path/filepath"
	"testing"

	"assay/client/assert"
	"assay/client/media/mediatest"
	"assay/client/media/picture/picturetest"
)

// The files of testdata that show Quadrants (red | lime over blue | white, 16 × 12) were made from it with cwebp, webpmux and ImageMagick.
// The JPEGs that are named after how they sample colours are gradients of 71 × 53.

var asPNG = mediatest.PNG

func asJPEG(t testing.TB, img image.Image) []byte { return mediatest.JPEG(t, img, 95) }

func fromTestdata(t testing.TB, name string) []byte {
	t.Helper()
	data := mediatest.Read(t, filepath.Join("testdata", name))
	return data
}

// exif is a block that holds an orientation alone.
func exif(orientation int) string { return mediatest.EXIF(nil, mediatest.Short(0x112, orientation)) }

func jpegWithExif(file []byte, block string) []byte {
	return mediatest.Insert(file, 2, mediatest.Segment(0xe1, "Exif\x00\x00"+block))
}

// pngWithExif puts the block at the end, before IEND, where it may stand as well as in front.
func pngWithExif(file []byte, block string) []byte {
	return mediatest.Insert(file, len(file)-12, mediatest.PNGChunk("eXIf", block))
}

// pngClaiming is a sound PNG but for the size in its header.
func pngClaiming(t testing.TB, w, h int) []byte {
	file := string(asPNG(t, picturetest.Quadrants(16, 12)))
	return mediatest.Join(file[:8], mediatest.PNGChunk("IHDR", mediatest.BE32(w)+mediatest.BE32(h)+file[24:29]), file[mediatest.BehindIHDR:])
}

// webPWithExif wraps a still WebP's one chunk, of the size of quadrants, and puts the block behind a chunk of odd length.
func webPWithExif(file []byte, block string) []byte {
	return mediatest.RIFF("WEBP", mediatest.Chunk("VP8X", "\x08\x00\x00\x00\x0f\x00\x00\x0b\x00\x00"), string(file[12:]), mediatest.Chunk("ODDC", "x"), mediatest.Chunk("EXIF", block))
}

// decoded is a picture that can be decoded.
func decoded(t testing.TB, data []byte, limits Limits) *Picture {
	t.Helper()
	got, err := Decode(t.Context(), bytes.NewReader(data), limits)
	assert.NoError(t, err)
	return got
}

// opened is a picture that can be opened.
func opened(t testing.TB, data []byte, limits Limits) *Full {
	t.Helper()
	full, err := Open(t.Context(), bytes.NewReader(data), limits)
	assert.NoError(t, err)
	return full
}

// reasonOf is why a picture cannot be shown; 0 for another error, or none.
func reasonOf(err error) Reason {
	var unreadable *Unreadable
	if !errors.As(err, &unreadable) {
		return 0
	}
	return unreadable.Reason
}

// planesOf gives a picture's red, green and blue.
func planesOf(img *image.NRGBA) []*image.Gray {
	planes := []*image.Gray{image.NewGray(img.Rect), image.NewGray(img.Rect), image.NewGray(img.Rect)}
	for i := 0; i < len(img.Pix); i += 4 {
		planes[0].Pix[i/4], planes[1].Pix[i/4], planes[2].Pix[i/4] = img.Pix[i], img.Pix[i+1], img.Pix[i+2]
	}
	return planes
}

// greyScan encodes a grey JPEG and takes it apart: what stands before the header of its frame (length 11 and 2), and the
// pixels of its scan.
func greyScan(t testing.TB, img image.Image) (tables, frame, codes, scan []byte) {
	t.Helper()
	file := asJPEG(t, img)
	sof, sos := bytes.Index(file, []byte{0xff, 0xc0}), bytes.Index(file, []byte{0xff, 0xda})
	return file[:sof], file[sof : sof+13], file[sof+13 : sos], file[sos+10 : len(file)-2]
}

// jpegOfPlanes encodes each plane in a scan of its own, as Adobe's RGB (three planes) or CMYK (four, where 255 is no ink).
func jpegOfPlanes(t testing.TB, planes ...*image.Gray) []byte {
	t.Helper()
	tables, frame, codes, _ := greyScan(t, planes[0])
	file := append([]byte{}, tables...)
	file = append(file, "\xff\xee\x00\x0eAdobe\x00\x64\x00\x00\x00\x00\x00"...)
	file = append(file, 0xff, 0xc0, 0, byte(8+3*len(planes)))
	file = append(file, frame[4:9]...)
	file = append(file, byte(len(planes)))
	for i := range planes {
		file = append(file, byte(i+1), 0x11, 0)
	}
	file = append(file, codes...)
	for i, plane := range planes {
		_, _, _, scan := greyScan(t, plane)
		file = append(file, 0xff, 0xda, 0, 8, 1, byte(i+1), 0, 0, 63, 0)
		file = append(file, scan...)
	}
	return append(file, 0xff, 0xd9)
}

// jpegWithRestarts encodes grey levels, each a block of 8 × 8 pixels, side by side, with a restart behind each.
func jpegWithRestarts(t testing.TB, levels ...byte) []byte {
	t.Helper()
	var file []byte
	for i, level := range levels {
		tables, frame, codes, scan := greyScan(t, picturetest.Filled(image.Pt(8, 8), level))
		if i == 0 {
			file = append(append(file, tables...), frame...)
			binary.BigEndian.PutUint16(file[len(tables)+7:], uint16(8*len(levels)))
			file = append(append(file, codes...), 0xff, 0xdd, 0, 4, 0, 1)
			file = append(file, 0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0)
		} else {
			file = append(file, 0xff, 0xd0+byte((i-1)%8))
		}
		file = append(file, scan...)
	}
	return append(file, 0xff, 0xd9)
}
