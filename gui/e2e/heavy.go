//go:build e2e && linux

package e2e

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"slices"
)

// HeavyPNG is a picture that is quick to look into and slow to send: a chunk that no reader knows makes it size bytes larger. Each seed makes
// another one.
func HeavyPNG(seed byte, size int) ([]byte, error) {
	picture := image.NewRGBA(image.Rect(0, 0, 480, 320))
	for y := range 320 {
		for x := range 480 {
			picture.SetRGBA(x, y, color.RGBA{R: uint8(x * int(seed) / 4), G: uint8(y / 2), B: uint8(x/8 + y/4), A: 255})
		}
	}
	var encoded bytes.Buffer
	if err := png.Encode(&encoded, picture); err != nil {
		return nil, fmt.Errorf("heavy picture: %w", err)
	}
	chunk := make([]byte, size+12)
	binary.BigEndian.PutUint32(chunk, uint32(size))
	copy(chunk[4:], "paDd")
	_, _ = rand.NewChaCha8([32]byte{seed}).Read(chunk[8 : 8+size]) // it never fails
	binary.BigEndian.PutUint32(chunk[8+size:], crc32.ChecksumIEEE(chunk[4:8+size]))
	const header = 8 + 25 // the signature and the first chunk, which has to be the first
	return slices.Concat(encoded.Bytes()[:header], chunk, encoded.Bytes()[header:]), nil
}
