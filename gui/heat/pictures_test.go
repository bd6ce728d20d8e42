package heat

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

var (
	red   = color.NRGBA{255, 0, 0, 255}
	lime  = color.NRGBA{0, 255, 0, 255}
	blue  = color.NRGBA{0, 0, 255, 255}
	white = color.NRGBA{255, 255, 255, 255}
)

// quadrants draws red | lime over blue | white, 16 × 12 as in every file of testdata (made from it with cwebp, webpmux
// and ImageMagick) unless another size is wanted.
func quadrants(w, h int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := [2][2]color.NRGBA{{red, lime}, {blue, white}}[2*y/h][2*x/w]
			img.SetNRGBA(x, y, c)
		}
	}
	return img
}

// corners names the colours in the middle of the four quarters: "rlbw" for quadrants as drawn, '.' for transparent,
// '?' for anything else. Lossy encodings may be off by a little.
func corners(img *image.RGBA) string {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	var names []byte
	for _, at := range []image.Point{{w / 4, h / 4}, {3 * w / 4, h / 4}, {w / 4, 3 * h / 4}, {3 * w / 4, 3 * h / 4}} {
		names = append(names, colourName(img.RGBAAt(at.X, at.Y)))
	}
	return string(names)
}

func colourName(c color.RGBA) byte {
	if c.A == 0 {
		return '.'
	}
	straight := color.NRGBAModel.Convert(c).(color.NRGBA)
	high := func(v uint8) bool { return v > 200 }
	low := func(v uint8) bool { return v < 55 }
	switch {
	case high(straight.R) && low(straight.G) && low(straight.B):
		return 'r'
	case low(straight.R) && high(straight.G) && low(straight.B):
		return 'l'
	case low(straight.R) && low(straight.G) && high(straight.B):
		return 'b'
	case high(straight.R) && high(straight.G) && high(straight.B):
		return 'w'
	}
	return '?'
}

func asPNG(t testing.TB, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func asJPEG(t testing.TB, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, &jpeg.Options{Quality: 95}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func fromTestdata(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// exif is the smallest TIFF that holds an orientation.
func exif(orientation int) []byte {
	b := []byte("II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00")
	b = append(b, byte(orientation), 0, 0, 0)
	return append(b, 0, 0, 0, 0) // no further directory
}

func jpegWithExif(file, tiff []byte) []byte {
	block := append([]byte("Exif\x00\x00"), tiff...)
	out := append([]byte{}, file[:2]...)
	out = append(out, 0xff, 0xe1)
	out = binary.BigEndian.AppendUint16(out, uint16(len(block)+2))
	return append(append(out, block...), file[2:]...)
}

// pngWithExif puts the block at the end, before IEND, where it may stand as well as in front.
func pngWithExif(file, tiff []byte) []byte {
	end := len(file) - 12
	out := append([]byte{}, file[:end]...)
	out = append(out, pngChunk("eXIf", tiff)...)
	return append(out, file[end:]...)
}

func pngChunk(name string, data []byte) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	b = append(append(b, name...), data...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
}

// pngClaiming is a sound PNG but for the size in its header.
func pngClaiming(t testing.TB, w, h uint32) []byte {
	t.Helper()
	file := asPNG(t, quadrants(16, 12))
	header := append([]byte{}, file[16:29]...)
	binary.BigEndian.PutUint32(header, w)
	binary.BigEndian.PutUint32(header[4:], h)
	out := append([]byte{}, file[:8]...)
	return append(append(out, pngChunk("IHDR", header)...), file[33:]...)
}

// webPWithExif wraps a still WebP's one chunk, of the size of quadrants, and puts the block behind a chunk of odd length.
func webPWithExif(file, tiff []byte) []byte {
	head := []byte{1 << 3, 0, 0, 0, 15, 0, 0, 11, 0, 0}
	chunks := append([]byte{}, file[12:]...)
	chunks = append(chunks, "ODDC\x01\x00\x00\x00x\x00EXIF"...)
	chunks = binary.LittleEndian.AppendUint32(chunks, uint32(len(tiff)))
	return riffFile(head, append(chunks, tiff...))
}
