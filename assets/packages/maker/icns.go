package main

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/png"

	"github.com/fyne-io/oksvg"
	"github.com/spf13/cobra"
	"github.com/srwiley/rasterx"

	"assay/client/bounded"
)

// largestDrawing bounds the bytes of a drawing.
const largestDrawing = 1 << 20

func newICNS() *cobra.Command {
	return &cobra.Command{
		Use: "icns SVG", Short: "write a square drawing as an icon of macOS", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			svg, err := bounded.ReadFile(args[0], largestDrawing)
			if err != nil {
				return err
			}
			icon, err := icns(svg)
			if err != nil {
				return err
			}
			_, err = cmd.OutOrStdout().Write(icon)
			return err
		},
	}
}

// icnsKinds are the pictures in an icon of macOS: their names in the file, and how many pixels wide they are. Those for screens of double density have
// names of their own. There are no PNGs of 16 and 32 at single density: macOS shows those of a program wrongly, and shrinks a larger one instead.
var icnsKinds = []struct {
	name string
	side int
}{
	{"ic11", 32}, // 16 at double density
	{"ic12", 64}, // 32 at double density
	{"ic07", 128},
	{"ic13", 256}, // 128 at double density
	{"ic08", 256},
	{"ic14", 512}, // 256 at double density
	{"ic09", 512},
	{"ic10", 1024}, // 512 at double density
}

// icns is a drawing as an icon of macOS: a header, and for each size its name, its length and a PNG.
func icns(svg []byte) ([]byte, error) {
	drawn := map[int][]byte{}
	var body bytes.Buffer
	for _, kind := range icnsKinds {
		if drawn[kind.side] == nil {
			picture, err := draw(svg, kind.side)
			if err != nil {
				return nil, err
			}
			var encoded bytes.Buffer
			if err := png.Encode(&encoded, picture); err != nil {
				return nil, err
			}
			drawn[kind.side] = encoded.Bytes()
		}
		writeChunk(&body, kind.name, drawn[kind.side])
	}
	var whole bytes.Buffer
	writeChunk(&whole, "icns", body.Bytes())
	return whole.Bytes(), nil
}

// writeChunk writes a part of the file; its length includes name and length. A buffer takes all that is written.
func writeChunk(to *bytes.Buffer, name string, content []byte) {
	to.WriteString(name)
	to.Write(binary.BigEndian.AppendUint32(nil, uint32(len(content)+8))) //nolint:gosec // some hundred kilobytes
	to.Write(content)
}

// draw draws a square SVG, this many pixels wide. The renderer scales paths but not the widths of their strokes, so that they are scaled here.
func draw(svg []byte, side int) (image.Image, error) {
	icon, err := oksvg.ReadIconStream(bytes.NewReader(svg), oksvg.StrictErrorMode)
	if err != nil {
		return nil, err
	}
	for i := range icon.SVGPaths {
		icon.SVGPaths[i].LineWidth *= float64(side) / icon.ViewBox.W
	}
	picture := image.NewRGBA(image.Rect(0, 0, side, side))
	icon.SetTarget(0, 0, float64(side), float64(side))
	icon.Draw(rasterx.NewDasher(side, side, rasterx.NewScannerGV(side, side, picture, picture.Bounds())), 1)
	return picture, nil
}
