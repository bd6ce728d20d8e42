//go:build ignore

// Command make_pictures makes the pictures of testdata/pictures again. The
// photographs come from Debian's package lomiri-wallpapers-16.04 (README.md
// beside this file names them); -photos is the folder with its pictures. The
// WebP is made from the PNG that this leaves beside it, by hand, with cwebp.
//
//	go run testdata/make_pictures.go -photos /usr/share/backgrounds -out testdata/pictures
package main

import (
	"bytes"
	"encoding/binary"
	"flag"
	"hash/crc32"
	"image"
	"image/color"
	"image/color/palette"
	"image/draw"
	"image/gif"
	"image/jpeg"
	"image/png"
	"log"
	"math"
	"os"
	"path/filepath"

	"github.com/disintegration/imaging"
)

func main() {
	photos := flag.String("photos", "", "folder with the photographs")
	out := flag.String("out", "testdata/pictures", "folder to write to")
	flag.Parse()
	write := func(name string, data []byte) {
		if err := os.WriteFile(filepath.Join(*out, name), data, 0o644); err != nil {
			log.Fatal(err)
		}
	}
	photo := func(name string, width int) *image.NRGBA {
		m, err := imaging.Open(filepath.Join(*photos, name))
		if err != nil {
			log.Fatal(err)
		}
		return imaging.Resize(m, width, 0, imaging.Lanczos)
	}

	mountains := photo("aitzgorri_by_Aitzol_Berasategi.jpg", 1600)
	write("mountains.jpg", asJPEG(mountains, 88))
	write("mountains-spliced.jpg", asJPEG(spliced(mountains), 92))

	// Stored lying on its side; orientation 6 has a viewer turn it upright.
	dogs := photo("friends_by_Aitzol_Berasategi.jpg", 800)
	write("dogs-portrait.jpg", withSegment(asJPEG(imaging.Rotate90(dogs), 88), 0xe1, orientation(6)))

	peaks := photo("picosdeeuropa_by_Aitzol_Berasategi.jpg", 900)
	write("peaks-composite.jpg", withSegment(asJPEG(peaks, 85), 0xe1, compositeXMP))

	write("dandelion-for-cwebp.png", asPNG(photo("seeding_by_Clements_Engelhardt.jpg", 960)))
	write("generated.png", withText(asPNG(drawn(512, 512, 3)), "parameters", parameters))
	write("poster.png", asPNG(drawn(640, 480, 1)))
	write("spinner.gif", asGIF())
}

// spliced copies the tree at the right to the meadow at the left, from a copy that
// was saved at a low quality, off that copy's 8 × 8 grid.
func spliced(m *image.NRGBA) image.Image {
	low, err := jpeg.Decode(bytes.NewReader(asJPEG(m, 60)))
	if err != nil {
		log.Fatal(err)
	}
	d := imaging.Clone(m)
	to := image.Rect(303, 640, 303+300, 640+300)
	draw.Draw(d, to, low, image.Pt(1080, 500), draw.Src)
	return d
}

func asJPEG(m image.Image, quality int) []byte {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, &jpeg.Options{Quality: quality}); err != nil {
		log.Fatal(err)
	}
	return b.Bytes()
}

func asPNG(m image.Image) []byte {
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, m); err != nil {
		log.Fatal(err)
	}
	return b.Bytes()
}

// withSegment puts a marker segment behind a JPEG's start.
func withSegment(data []byte, marker byte, content string) []byte {
	segment := binary.BigEndian.AppendUint16([]byte{0xff, marker}, uint16(len(content)+2))
	return append(append(append([]byte{}, data[:2]...), append(segment, content...)...), data[2:]...)
}

// orientation is an EXIF segment with that one field.
func orientation(value byte) string {
	return "Exif\x00\x00MM\x00*\x00\x00\x00\x08" + // big endian, first directory at 8
		"\x00\x01" + // one field:
		"\x01\x12\x00\x03\x00\x00\x00\x01\x00" + string(rune(value)) + "\x00\x00" + // Orientation, one short
		"\x00\x00\x00\x00" // no further directory
}

const compositeXMP = "http://ns.adobe.com/xap/1.0/\x00" +
	`<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">` +
	`<rdf:Description rdf:about="" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" ` +
	`Iptc4xmpExt:DigitalSourceType="http://cv.iptc.org/newscodes/digitalsourcetype/compositeSynthetic"/></rdf:RDF></x:xmpmeta>`

const parameters = "a lighthouse on a rock, evening light, wide angle\nNegative prompt: people, text\n" +
	"Steps: 24, Sampler: Euler a, CFG scale: 7, Seed: 1234567890, Size: 512x512, Model: drawn-by-hand"

// withText puts a text chunk behind a PNG's header.
func withText(data []byte, key, text string) []byte {
	const afterHeader = 8 + 25
	body := "tEXt" + key + "\x00" + text
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(body)-4))
	chunk = binary.BigEndian.AppendUint32(append(chunk, body...), crc32.ChecksumIEEE([]byte(body)))
	return append(append(append([]byte{}, data[:afterHeader]...), chunk...), data[afterHeader:]...)
}

// drawn is a seascape of plain shapes: sky, sun, water, a tower.
func drawn(w, h int, waves float64) image.Image {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			u, v := float64(x)/float64(w), float64(y)/float64(h)
			c := color.RGBA{uint8(250 - 90*v), uint8(190 - 40*v), uint8(140 + 80*v), 255}
			if math.Hypot(u-0.7, v-0.5) < 0.08 {
				c = color.RGBA{255, 236, 170, 255}
			}
			if v > 0.62+0.01*math.Sin(20*u*waves) {
				c = color.RGBA{uint8(40 + 30*v), uint8(90 + 20*math.Sin(60*v*waves)), 130, 255}
			}
			if math.Abs(u-0.3) < 0.03+0.03*v && v > 0.25 && v < 0.7 {
				c = color.RGBA{235, 235, 230, 255}
				if int(v*12)%2 == 0 {
					c = color.RGBA{180, 50, 45, 255}
				}
			}
			m.SetRGBA(x, y, c)
		}
	}
	return m
}

// asGIF is a dot that goes round, in twelve frames.
func asGIF() []byte {
	g := &gif.GIF{}
	for i := range 12 {
		m := image.NewPaletted(image.Rect(0, 0, 160, 160), palette.WebSafe)
		draw.Draw(m, m.Rect, image.NewUniform(color.RGBA{0x33, 0x33, 0x66, 255}), image.Point{}, draw.Src)
		a := 2 * math.Pi * float64(i) / 12
		x, y := 80+int(50*math.Cos(a)), 80+int(50*math.Sin(a))
		draw.Draw(m, image.Rect(x-12, y-12, x+12, y+12), image.White, image.Point{}, draw.Src)
		g.Image, g.Delay = append(g.Image, m), append(g.Delay, 8)
	}
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, g); err != nil {
		log.Fatal(err)
	}
	return b.Bytes()
}
