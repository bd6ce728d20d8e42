package report

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"errors"
	"hash"
	"hash/crc32"
	"io"
	"io/fs"
	"maps"
	"slices"
)

// sortedZip writes the parts of a workbook sorted by name: excelize passes its sheets in random order, but the same results must give the
// same bytes. It holds them compressed until it is closed.
type sortedZip struct {
	out   io.Writer
	parts map[string]*part
}

// part is one file in the archive; it is an io.Writer.
type part struct {
	packed bytes.Buffer
	flate  *flate.Writer
	sum    hash.Hash32
	size   uint64 // bytes before compression
}

func newSortedZip(out io.Writer) *sortedZip { return &sortedZip{out: out, parts: map[string]*part{}} }

// Create implements excelize.ZipWriter.
func (z *sortedZip) Create(name string) (io.Writer, error) {
	p := &part{sum: crc32.NewIEEE()}
	var err error
	if p.flate, err = flate.NewWriter(&p.packed, flate.BestSpeed); err != nil {
		return nil, err
	}
	z.parts[name] = p
	return p, nil
}

// Write implements io.Writer.
func (p *part) Write(data []byte) (int, error) {
	n, err := p.flate.Write(data)
	_, _ = p.sum.Write(data[:n]) // it takes everything
	p.size += uint64(n)
	return n, err
}

// AddFS implements excelize.ZipWriter, which never calls it.
func (z *sortedZip) AddFS(fs.FS) error { return errors.ErrUnsupported }

// Close implements excelize.ZipWriter: it writes the archive.
func (z *sortedZip) Close() error {
	archive := zip.NewWriter(z.out)
	for _, name := range slices.Sorted(maps.Keys(z.parts)) {
		p := z.parts[name]
		if err := p.flate.Close(); err != nil {
			return err
		}
		to, err := archive.CreateRaw(&zip.FileHeader{
			Name: name, Method: zip.Deflate, CRC32: p.sum.Sum32(), UncompressedSize64: p.size, CompressedSize64: uint64(p.packed.Len()),
		})
		if err != nil {
			return err
		}
		if _, err := p.packed.WriteTo(to); err != nil {
			return err
		}
	}
	return archive.Close()
}
