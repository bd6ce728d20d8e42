package player

import (
	"bufio"
	"io"
	"os"

	"assay/client/i18n"
)

// file is what is read: at any place, by several readers at a time.
type file struct {
	io.ReaderAt
	path    string // "" for bytes that lie in no file
	size    int64
	content int64 // where the recording begins, behind ID3 tags
	close   func() error
}

func openFile(path string) (*file, error) {
	opened, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	about, err := opened.Stat()
	if err == nil && !about.Mode().IsRegular() {
		err = &Unreadable{Words: i18n.T("This is not a file.")}
	}
	if err != nil {
		_ = opened.Close() // opened for reading: nothing can be lost
		return nil, err
	}
	f := &file{ReaderAt: opened, path: path, size: about.Size(), close: opened.Close}
	f.skipTags()
	return f, nil
}

// skipTags finds where the recording begins. A tag that claims to reach beyond the end of the file is taken for sound.
func (f *file) skipTags() {
	const mostTags = 16
	for range mostTags {
		var tag [10]byte
		if n, _ := f.ReadAt(tag[:], f.content); n < len(tag) || string(tag[:3]) != "ID3" {
			return
		}
		size := 10 + (int64(tag[6]&0x7f)<<21 | int64(tag[7]&0x7f)<<14 | int64(tag[8]&0x7f)<<7 | int64(tag[9]&0x7f))
		if tag[5]&0x10 != 0 { // a footer
			size += 10
		}
		if f.content+size >= f.size {
			return
		}
		f.content += size
	}
}

// from reads on from a place, through a buffer.
func (f *file) from(at int64) *bufio.Reader {
	return bufio.NewReaderSize(io.NewSectionReader(f, at, f.size-at), 1<<16)
}
