package heif_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"image"
	"os"
	"path/filepath"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/media/heif"
)

func phone(tb testing.TB) []byte {
	tb.Helper()
	data, err := os.ReadFile(filepath.Join("..", "convert", "testdata", "phone.heic"))
	assert.NoError(tb, err)
	return data
}

// tiled makes of a phone's picture, which is one tile, one of side × side tiles: libheif decodes each.
func tiled(tb testing.TB, side int) []byte {
	tb.Helper()
	data := phone(tb)
	const tile, offset, length = 64, 0x205, 0xc8
	n := uint16(side * side) //nolint:gosec // small
	be16, be32 := binary.BigEndian.AppendUint16, binary.BigEndian.AppendUint32
	box := func(kind string, parts ...[]byte) []byte {
		content := bytes.Join(parts, nil)
		return append(append(be32(nil, uint32(8+len(content))), kind...), content...) //nolint:gosec // small
	}
	coding := data[bytes.Index(data, []byte("hvcC"))-4:]
	coding = coding[:binary.BigEndian.Uint32(coding)]
	size := func(side int) []byte {
		pixels := uint32(tile * side) //nolint:gosec // small
		return box("ispe", make([]byte, 4), be32(be32(nil, pixels), pixels))
	}
	infos, places, linked, tiles := be16(make([]byte, 4), n+1), be16([]byte{1, 0, 0, 0, 0x44, 0x40}, n+1), be32(make([]byte, 4), uint32(n)+1), be16(be16(nil, n+1), n)
	add := func(id uint16, kind string, method uint16, at, bytes uint32, properties ...byte) {
		infos = append(infos, box("infe", be32([]byte{2, 0, 0, 0}, uint32(id)<<16), append([]byte(kind), 0))...)
		places = be32(be32(be16(be32(be16(be16(be16(places, id), method), 0), at), 1), 0), bytes)
		linked = append(append(be16(linked, id), byte(len(properties))), properties...)
	}
	whole := func(mdat uint32) []byte {
		infos, places, linked, tiles = infos[:6], places[:8], linked[:8], tiles[:4]
		for id := range n {
			add(id+1, "hvc1", 0, mdat, length, 0x81, 2)
			tiles = be16(tiles, id+1)
		}
		add(n+1, "grid", 1, 0, 8, 3)
		pixels := uint16(tile * side) //nolint:gosec // small
		grid := be16(be16([]byte{0, 0, byte(side - 1), byte(side - 1)}, pixels), pixels)
		meta := box("meta", make([]byte, 4), box("hdlr", make([]byte, 8), []byte("pict"), make([]byte, 13)), box("pitm", make([]byte, 4), be16(nil, n+1)),
			box("iloc", places), box("iinf", infos), box("iprp", box("ipco", coding, size(1), size(side)), box("ipma", linked)),
			box("iref", make([]byte, 4), box("dimg", tiles)), box("idat", grid))
		return bytes.Join([][]byte{data[:28], meta, box("mdat", data[offset:offset+length])}, nil)
	}
	return whole(uint32(len(whole(0)) - length)) //nolint:gosec // small
}

func TestDecoding(t *testing.T) {
	t.Run("a phone's picture of many tiles", func(t *testing.T) {
		img, err := heif.Decode(t.Context(), tiled(t, 3))
		assert.NoError(t, err)
		assert.Equal(t, image.Pt(192, 192), img.Bounds().Size())
	})
	t.Run("libheif is stopped with its context, in the middle of its work", func(t *testing.T) {
		begun := time.Now()
		_, err := heif.Decode(t.Context(), tiled(t, 16))
		assert.NoError(t, err)
		small := time.Since(begun)
		large := tiled(t, 64) // at least 16 times the work
		ctx, cancel := context.WithTimeout(t.Context(), small)
		defer cancel()
		begun = time.Now()
		if _, err := heif.Decode(ctx, large); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
		if took := time.Since(begun); took > 8*small {
			t.Errorf("it went on for %v, where a part takes %v", took, small)
		}
	})
	t.Run("and leaves room for the next", func(t *testing.T) {
		_, err := heif.Decode(t.Context(), phone(t))
		assert.NoError(t, err)
	})
}

func TestReading(t *testing.T) {
	if about := heif.Read(phone(t)); about.Film || about.AVIF || len(about.EXIF) == 0 {
		t.Errorf("%+v", about)
	}
	burst := append(phone(t), 0, 0, 0, 8, 'm', 'o', 'o', 'v')
	if about := heif.Read(burst); !about.Film || len(about.EXIF) == 0 {
		t.Errorf("%+v", about)
	}
}
