package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/png"
	"os"

	"github.com/spf13/cobra"

	"assay/client/bounded"
)

// icoSides are the sizes in which Windows shows an icon, in pixels: in a list, at the desktop's usual scales, in large views.
var icoSides = []int{16, 20, 24, 32, 40, 48, 64, 256}

func newICO() *cobra.Command {
	return &cobra.Command{
		Use: "ico SVG FILE", Short: "write the icon in every size into a file as Windows reads it", Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			svg, err := bounded.ReadFile(args[0], largestDrawing)
			if err != nil {
				return fmt.Errorf("icon: %w", err)
			}
			content, err := ico(svg)
			if err != nil {
				return fmt.Errorf("icon: %w", err)
			}
			return os.WriteFile(args[1], content, 0o644) //nolint:gosec // of packages, which everybody may read
		},
	}
}

// ico is a file of icons: a list of them, and then their pictures.
func ico(svg []byte) ([]byte, error) {
	const header, entry = 6, 16
	list := binary.LittleEndian.AppendUint16(nil, 0)
	list = binary.LittleEndian.AppendUint16(list, 1) // icons, not cursors
	list = binary.LittleEndian.AppendUint16(list, uint16(len(icoSides)))
	var pictures []byte
	for _, side := range icoSides {
		picture, err := draw(svg, side)
		if err != nil {
			return nil, err
		}
		content := bitmap(picture)
		if side == 256 { // the one size that every reader takes as PNG, which is far smaller
			var encoded bytes.Buffer
			if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&encoded, picture); err != nil {
				return nil, err
			}
			content = encoded.Bytes()
		}
		list = append(list, byte(side), byte(side), 0, 0, 1, 0, 32, 0) // 256 counts as 0; one plane of 32 bits, no palette
		list = binary.LittleEndian.AppendUint32(list, uint32(len(content)))
		list = binary.LittleEndian.AppendUint32(list, uint32(header+entry*len(icoSides)+len(pictures)))
		pictures = append(pictures, content...)
	}
	return append(list, pictures...), nil
}

// bitmap is a picture as icons hold it: blue, green, red and opacity from the lowest line up, and then a mask for readers that know no opacity.
func bitmap(picture image.Image) []byte {
	side := picture.Bounds().Dx()
	const header = 40
	b := make([]byte, 0, header+4*side*side+side*side/4)
	for _, n := range []uint32{header, uint32(side), uint32(2 * side), 1 | 32<<16, 0, 0, 0, 0, 0, 0} {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	for y := side - 1; y >= 0; y-- {
		for x := range side {
			r, g, blue, a := picture.At(x, y).RGBA()
			straight := func(c uint32) byte {
				if a == 0 {
					return 0
				}
				return byte(min(c*0xff/a, 0xff))
			}
			b = append(b, straight(blue), straight(g), straight(r), byte(a>>8))
		}
	}
	for y := side - 1; y >= 0; y-- {
		line := make([]byte, (side+31)/32*4)
		for x := range side {
			if _, _, _, a := picture.At(x, y).RGBA(); a == 0 {
				line[x/8] |= 0x80 >> (x % 8)
			}
		}
		b = append(b, line...)
	}
	return b
}
