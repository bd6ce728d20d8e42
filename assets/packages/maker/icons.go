package main

import (
	"bytes"
	"fmt"
	"image/png"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"assay/client/bounded"
)

// appID names the icon and all else that a desktop knows of Assay.
const appID = "news.assay.Assay"

// iconSides are the sizes of the icon theme "hicolor", in pixels, from a list's to a store's.
var iconSides = []int{16, 22, 24, 32, 48, 64, 96, 128, 256, 512}

// largestSource bounds what the maker reads whole.
const largestSource = 16 << 20

func newIcons() *cobra.Command {
	return &cobra.Command{
		Use: "icons SVG FOLDER", Short: "write the icon in every size into a folder laid out as the icon theme hicolor", Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			svg, err := bounded.ReadFile(args[0], largestSource)
			if err != nil {
				return fmt.Errorf("icon: %w", err)
			}
			for _, side := range iconSides {
				picture, err := draw(svg, side)
				if err != nil {
					return fmt.Errorf("icon: %w", err)
				}
				var encoded bytes.Buffer
				encoder := png.Encoder{CompressionLevel: png.BestCompression}
				if err := encoder.Encode(&encoded, picture); err != nil {
					return fmt.Errorf("icon: %w", err)
				}
				if err := writeIcon(args[1], fmt.Sprintf("%dx%d", side, side), appID+".png", encoded.Bytes()); err != nil {
					return err
				}
			}
			return writeIcon(args[1], "scalable", appID+".svg", svg)
		},
	}
}

func writeIcon(theme, size, name string, content []byte) error {
	folder := filepath.Join(theme, size, "apps")
	if err := os.MkdirAll(folder, 0o755); err != nil { //nolint:gosec // of packages, which everybody may read
		return fmt.Errorf("icon: %w", err)
	}
	return os.WriteFile(filepath.Join(folder, name), content, 0o644) //nolint:gosec // as above
}
