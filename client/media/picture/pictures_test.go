package picture

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"assay/client/media/picture/picturetest"
)

// The files of testdata that show Quadrants (red | lime over blue | white, 16 × 12) were made from it with cwebp, webpmux and ImageMagick.
// The JPEGs that are named after how they sample colours are gradients of 71 × 53.

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
	file := asPNG(t, picturetest.Quadrants(16, 12))
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
		block := image.NewGray(image.Rect(0, 0, 8, 8))
		for j := range block.Pix {
			block.Pix[j] = level
		}
		tables, frame, codes, scan := greyScan(t, block)
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
