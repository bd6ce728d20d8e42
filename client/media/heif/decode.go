// Package heif reads HEIF pictures, those that phones call HEIC: the pixels by libheif, which runs as WebAssembly inside this process, and what the file says
// of its colours, and its EXIF and XMP, by itself. It may import the standard library, wazero, the module with libheif's code, and of Assay
// client/bounded and client/media/container; no toolkit.
//
// Its functions belong on workers. A hostile file can make libheif run for ever or ask for gigabytes: it is stopped when ctx ends, and has at most
// mostMemory.
package heif

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"sync"
	_ "unsafe" // for go:linkname

	_ "github.com/gen2brain/heic" // has libheif as WebAssembly
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"assay/client/bounded"
)

// code is libheif with its decoder of HEVC, compressed. The module's own function that runs it can't be stopped, and has no limit of memory.
//
//go:linkname code github.com/gen2brain/heic.heifWasm
var code []byte

const (
	// mostMemory bounds what libheif may take for one picture, in pages of 64 KB.
	mostMemory = 1 << 30 >> 16
	// mostCode bounds libheif itself, in bytes.
	mostCode = 16 << 20
	// atOnce is how many pictures are decoded at a time: each may take mostMemory.
	atOnce = 2
)

// The errors of Decode and Size, besides ctx's.
var (
	ErrDamaged = errors.New("libheif can't read it")
	ErrHDR     = errors.New("its brightness is coded for HDR screens")
)

// slots has room for those that are decoded at a time.
var slots = make(chan struct{}, atOnce)

// program is libheif, compiled on first use.
var program = sync.OnceValues(func() (*compiled, error) {
	ctx := context.Background()
	unpacked, err := gzip.NewReader(bytes.NewReader(code))
	if err != nil {
		return nil, err
	}
	wasm, err := bounded.ReadAll(unpacked, mostCode)
	if err != nil {
		return nil, err
	}
	rt := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().WithCloseOnContextDone(true).WithMemoryLimitPages(mostMemory))
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, rt); err != nil {
		return nil, err
	}
	module, err := rt.CompileModule(ctx, wasm)
	if err != nil {
		return nil, err
	}
	return &compiled{rt, module}, nil
})

type compiled struct {
	wazero.Runtime
	module wazero.CompiledModule
}

// Size is the size of a file's primary picture, upright, as its header claims it.
func Size(ctx context.Context, data []byte) (size image.Point, err error) {
	err = with(ctx, data, func(d *decoder) error {
		size = d.header.size()
		return nil
	})
	return size, err
}

// Decode decodes the primary picture of a file, upright, with 8 bits a channel, in the colours of Colours. Check Size first: it decides about the memory.
func Decode(ctx context.Context, data []byte) (img image.Image, err error) {
	about := Read(data)
	if about.hdr() {
		return nil, ErrHDR
	}
	err = with(ctx, data, func(d *decoder) (err error) {
		img, err = d.decode(ctx, about.matrix())
		return err
	})
	return img, err
}

// decoder is libheif at work on one file.
type decoder struct {
	module api.Module
	call   api.Function
	file   uint64 // where the file lies in its memory
	size   uint64
	header header
}

// with gives a file to libheif, reads its header, and calls do.
func with(ctx context.Context, data []byte, do func(*decoder) error) error {
	select {
	case slots <- struct{}{}:
		defer func() { <-slots }()
	case <-ctx.Done():
		return ctx.Err()
	}
	err := run(ctx, data, do)
	if ctx.Err() != nil {
		return fmt.Errorf("reading a HEIF picture: %w", ctx.Err())
	}
	return err
}

func run(ctx context.Context, data []byte, do func(*decoder) error) error {
	p, err := program()
	if err != nil {
		return err
	}
	module, err := p.InstantiateModule(ctx, p.module, wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize"))
	if err != nil {
		return err
	}
	defer module.Close(context.WithoutCancel(ctx)) //nolint:errcheck // what it leaves is only memory
	d := &decoder{module: module, call: module.ExportedFunction("decode"), size: uint64(len(data))}
	if d.file, err = d.room(ctx, len(data)); err != nil {
		return err
	}
	if !module.Memory().Write(uint32(d.file), data) { //nolint:gosec // a pointer of WebAssembly has 32 bits
		return ErrDamaged
	}
	if err := d.readHeader(ctx); err != nil {
		return err
	}
	return do(d)
}

// room reserves memory inside of libheif.
func (d *decoder) room(ctx context.Context, bytes int) (uint64, error) {
	at, err := d.module.ExportedFunction("malloc").Call(ctx, uint64(max(bytes, 1))) //nolint:gosec // not negative
	if err != nil {
		return 0, damaged(err)
	}
	if at[0] == 0 {
		return 0, fmt.Errorf("%w: it needs more memory than a picture may have", ErrDamaged)
	}
	return at[0], nil
}

// header is what libheif says of a picture: its width, height, colour space, chroma format, and whether its colours are multiplied by their alpha.
type header [5]uint32

// libheif's numbers for colour spaces and chroma formats.
const (
	spaceYCbCr, spaceRGB, spaceGray    = 0, 1, 2
	chroma420, chroma422, chroma444    = 1, 2, 3
	mostSide                           = 1 << 16
	headerNumbers, bytesANumber, align = 5, 4, 16
)

func (h header) size() image.Point { return image.Pt(int(h[0]), int(h[1])) }

// readHeader has libheif read the header.
func (d *decoder) readHeader(ctx context.Context) error {
	at, err := d.room(ctx, headerNumbers*bytesANumber)
	if err != nil {
		return err
	}
	return d.ask(ctx, at, 1, 0)
}

// ask calls libheif for the header, whose room is at at, and unless only is 1 for the pixels, whose room is at out.
func (d *decoder) ask(ctx context.Context, at, only, out uint64) error {
	done, err := d.call.Call(ctx, d.file, d.size, only, at, at+4, at+8, at+12, at+16, out)
	if err != nil || done[0] == 0 {
		return damaged(err)
	}
	told, ok := d.module.Memory().Read(uint32(at), headerNumbers*bytesANumber) //nolint:gosec // as above
	if !ok {
		return ErrDamaged
	}
	for i := range d.header {
		d.header[i] = binary.LittleEndian.Uint32(told[i*bytesANumber:])
	}
	if s := d.header.size(); s.X < 1 || s.Y < 1 || s.X > mostSide || s.Y > mostSide {
		return ErrDamaged
	}
	return nil
}

func damaged(err error) error {
	if err == nil {
		return ErrDamaged
	}
	return fmt.Errorf("%w: %w", ErrDamaged, err)
}

// aligned is the length of a row of n pixels, of some bytes each, in libheif's memory, which has room for at least 64 pixels.
func aligned(n, each int) int {
	const least = 64
	return (max(n+n%2, least)*each + align - 1) &^ (align - 1)
}

// decode decodes the pixels.
func (d *decoder) decode(ctx context.Context, m matrix) (image.Image, error) {
	size, before := d.header.size(), d.header
	planes, pixels := d.layout()
	if pixels == 0 {
		return nil, ErrDamaged
	}
	const slack = 1 << 16 // a damaged picture may have longer rows than its header says: they end here, and not in libheif's own data
	out, err := d.room(ctx, pixels+slack)
	if err != nil {
		return nil, err
	}
	at, err := d.room(ctx, headerNumbers*bytesANumber)
	if err != nil {
		return nil, err
	}
	if err := d.ask(ctx, at, 0, out); err != nil {
		return nil, err
	}
	view, ok := d.module.Memory().Read(uint32(out), uint32(pixels)) //nolint:gosec // as above
	if !ok || d.header != before {
		return nil, ErrDamaged
	}
	own := bytes.Clone(view) // libheif's memory is much larger than the pixels, and ends here
	rect := image.Rectangle{Max: size}
	switch stride := aligned(size.X, 1); d.header[2] {
	case spaceGray:
		return &image.Gray{Pix: own, Stride: stride, Rect: rect}, nil
	case spaceRGB:
		if d.header[4] == 1 {
			return &image.RGBA{Pix: own, Stride: aligned(size.X, 4), Rect: rect}, nil
		}
		return &image.NRGBA{Pix: own, Stride: aligned(size.X, 4), Rect: rect}, nil
	}
	return m.apply(&image.YCbCr{
		Y: own[:planes[0]:planes[0]], Cb: own[planes[0]:planes[1]:planes[1]], Cr: own[planes[1]:planes[2]:planes[2]],
		YStride: aligned(size.X, 1), CStride: aligned(planes[3], 1), SubsampleRatio: d.ratio(), Rect: rect,
	}), nil
}

// layout is where the planes of YCbCr end, and how wide those of colour are; and how many bytes all pixels take, 0 for a format that is not known.
func (d *decoder) layout() (planes [4]int, pixels int) {
	w, h := d.header.size().X, d.header.size().Y
	switch d.header[2] {
	case spaceGray:
		return planes, aligned(w, 1) * h
	case spaceRGB:
		return planes, aligned(w, 4) * h
	case spaceYCbCr:
		cw, ch := w, h
		switch d.header[3] {
		case chroma420:
			cw, ch = (w+1)/2, (h+1)/2
		case chroma422:
			cw = (w + 1) / 2
		case chroma444:
		default:
			return planes, 0
		}
		luma, chroma := aligned(w, 1)*h, aligned(cw, 1)*ch
		return [4]int{luma, luma + chroma, luma + 2*chroma, cw}, luma + 2*chroma
	}
	return planes, 0
}

func (d *decoder) ratio() image.YCbCrSubsampleRatio {
	switch d.header[3] {
	case chroma422:
		return image.YCbCrSubsampleRatio422
	case chroma444:
		return image.YCbCrSubsampleRatio444
	}
	return image.YCbCrSubsampleRatio420
}
