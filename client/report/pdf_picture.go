package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"fmt"

	"codeberg.org/go-pdf/fpdf"
)

// picture draws a picture. However often it is drawn, the file has it once, identified by its bytes.
func (d *document) picture(data []byte, kind string, b box) {
	name := fmt.Sprintf("%x", sha256.Sum256(data))
	known := d.GetImageInfo(name) != nil
	info := d.RegisterImageOptionsReader(name, fpdf.ImageOptions{ImageType: kind}, bytes.NewReader(data))
	if !known && d.Ok() {
		d.images++
		d.SetError(numbered(info, d.images))
	}
	d.ImageOptions(name, b.x, b.y, b.w, b.h, false, fpdf.ImageOptions{ImageType: kind}, 0, "")
	d.stroke(line, 0.2)
	d.Rect(b.x, b.y, b.w, b.h, "D")
}

// numbered gives a picture its place in the file. The library writes pictures in the order of their widths, and those of one width in a random order,
// so that the same report would not have the same bytes. What it writes of a width is the whole number: the fraction decides the order alone. A
// width can only be changed by encoding and decoding the picture.
func numbered(info *fpdf.ImageInfoType, number int) error {
	encoded, err := info.GobEncode()
	if err != nil {
		return err
	}
	// The fields of the encoding.
	var (
		data, smask, palette         []byte
		object, bits                 int
		width, height, scale, dpi    float64
		colours, filter, decodeParms string
		transparent                  []int
	)
	fields := []any{&data, &smask, &object, &width, &height, &colours, &palette, &bits, &filter, &decodeParms, &transparent, &scale, &dpi}
	decoder := gob.NewDecoder(bytes.NewReader(encoded))
	for _, field := range fields {
		if err := decoder.Decode(field); err != nil {
			return err
		}
	}
	width += float64(number) / (1 << 20)
	var out bytes.Buffer
	encoder := gob.NewEncoder(&out)
	for _, field := range fields {
		if err := encoder.Encode(field); err != nil {
			return err
		}
	}
	return info.GobDecode(out.Bytes())
}
