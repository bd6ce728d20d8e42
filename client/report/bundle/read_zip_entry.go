package bundle

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"strings"
)

// zipEntry is what a zip's directory says of a file.
type zipEntry struct {
	made, needs, flags, method uint16
	time                       uint32 // and date
	crc                        uint32
	packed, size               int64 // bytes
	name                       string
	extra                      []byte // without what is of zip64
	attributes                 uint32
	at, data                   int64 // where its record and its bytes begin
	wide                       bool  // its lengths are those of zip64
}

// fields reads numbers off the front of a record, little end first. What is missing is zero.
type fields []byte

func (f *fields) take(n int) []byte {
	taken := make([]byte, 8)
	*f = (*f)[copy(taken[:n], *f):]
	return taken
}

func (f *fields) u16() uint16 { return binary.LittleEndian.Uint16(f.take(2)) }
func (f *fields) u32() uint32 { return binary.LittleEndian.Uint32(f.take(4)) }
func (f *fields) i64() int64  { return int64(binary.LittleEndian.Uint64(f.take(8))) } // negative for what no file is as long as

// readEntries reads the directory.
func (z *zipReader) readEntries(directory []byte) error {
	for range z.number {
		record := fields(directory)
		if len(directory) < zipDirectoryLen || record.u32() != zipDirectorySign {
			return &ReadError{Problem: Damaged}
		}
		e := zipEntry{made: record.u16(), needs: record.u16(), flags: record.u16(), method: record.u16(), time: record.u32(), crc: record.u32()}
		e.packed, e.size = int64(record.u32()), int64(record.u32())
		name, extra, comment := int(record.u16()), int(record.u16()), int(record.u16())
		disk, internal := record.u16(), record.u16()
		e.attributes, e.at = record.u32(), int64(record.u32())
		if len(record) < name+extra+comment {
			return &ReadError{Problem: Damaged}
		}
		e.name = string(record[:name])
		if !e.readExtra(record[name : name+extra]) {
			return &ReadError{Problem: Damaged}
		}
		z.changed = z.changed || comment > 0 || disk != 0 || internal != 0 ||
			len(z.entries) > 0 && (e.made != z.entries[0].made || e.attributes != z.entries[0].attributes || e.time != z.entries[0].time ||
				!bytes.Equal(e.extra, z.entries[0].extra))
		z.entries = append(z.entries, e)
		directory = record[name+extra+comment:]
	}
	z.changed = z.changed || len(directory) > 0
	return nil
}

// readExtra reads an entry's extra fields, of which that of zip64 has what has no room elsewhere.
func (e *zipEntry) readExtra(extra []byte) (ok bool) {
	for len(extra) > 0 {
		record := fields(extra)
		kind, length := record.u16(), int(record.u16())
		if len(extra) < 4+length {
			return false
		}
		own := fields(extra[4 : 4+length])
		if kind != 1 {
			e.extra = append(e.extra, extra[:4+length]...)
		} else {
			e.wide = true
			for _, number := range []*int64{&e.size, &e.packed, &e.at} {
				if *number == 0xffffffff {
					if len(own) < 8 {
						return false
					}
					*number = own.i64()
				}
			}
			if len(own) == 8 && own.i64() == e.at { // which was written twice
				own = nil
			}
			e.extra = append(e.extra, own...) // which is nowhere else, and so is a change
		}
		extra = extra[4+length:]
	}
	return e.packed >= 0 && e.size >= 0 && e.at >= 0
}

// readEntry reads the record before a file's bytes, which must say what the directory says. The file before ended at end; this one ends at next.
func (z *zipReader) readEntry(e *zipEntry, end int64) (next int64, err error) {
	if e.at < end {
		return 0, &ReadError{Problem: Damaged} // it overlaps the one before
	}
	read, err := z.at(e.at, zipEntryLen)
	if err != nil {
		return 0, err
	}
	record := fields(read)
	if record.u32() != zipEntrySign {
		return 0, &ReadError{Problem: Damaged}
	}
	here := zipEntry{needs: record.u16(), flags: record.u16(), method: record.u16(), time: record.u32(), crc: record.u32()}
	here.packed, here.size = int64(record.u32()), int64(record.u32())
	name, extra := int64(record.u16()), int64(record.u16())
	if read, err = z.at(e.at+zipEntryLen, name+extra); err != nil {
		return 0, err
	}
	here.name = string(read[:name])
	if !here.readExtra(read[name:]) || here.name != e.name || here.method != e.method {
		return 0, &ReadError{Problem: Damaged}
	}
	e.data = e.at + zipEntryLen + name + extra
	if next = e.data + e.packed; e.packed > z.size || next > z.size {
		return 0, &ReadError{Problem: Damaged}
	}
	trailer := e.flags&zipFlagTrailer != 0
	if trailer {
		z.changed = z.changed || here.crc != 0 || here.packed != 0 || here.size != 0
		if next, err = z.readTrailer(e, next); err != nil {
			return 0, err
		}
	} else {
		z.changed = z.changed || here.crc != e.crc || here.packed != e.packed || here.size != e.size
	}
	z.changed = z.changed || e.at != end || here.needs != e.needs && (!e.wide || e.needs != zip64Version) || here.flags != e.flags || here.time != e.time || !bytes.Equal(here.extra, e.extra)
	return next, nil
}

// readTrailer reads the record after a file's bytes, which repeats their sum and lengths.
func (z *zipReader) readTrailer(e *zipEntry, at int64) (next int64, err error) {
	width := int64(4)
	if e.packed >= 0xffffffff || e.size >= 0xffffffff {
		width = 8
	}
	read, err := z.at(at, min(8+2*width, max(0, z.size-at)))
	if err != nil {
		return 0, err
	}
	record := fields(read)
	sign, crc := record.u32(), record.u32()
	number := func() int64 { return int64(record.u32()) }
	if width == 8 {
		number = record.i64
	}
	packed, size := number(), number()
	if sign != zipTrailerSign || crc != e.crc || packed != e.packed || size != e.size {
		z.changed = true
		return at, nil
	}
	return at + 8 + 2*width, nil
}

// Parts of an entry's attributes where it was made on Unix.
const (
	madeOnUnix, madeOnMac = 3, 19
	modeKind, modeFile    = 0xf000, 0x8000
)

// isFile reports whether an entry is a file, and not a link or a device; it is a folder if folder.
func (e *zipEntry) isFile() (is, folder bool) {
	if folder = strings.HasSuffix(e.name, "/"); folder {
		return false, e.size == 0
	}
	if system := e.made >> 8; system == madeOnUnix || system == madeOnMac {
		kind := e.attributes >> 16 & modeKind
		return kind == modeFile || kind == 0, false
	}
	return true, false
}

// addFiles makes the list of files, whose names begin after the folder that all are in, if any.
func (z *zipReader) addFiles() error {
	inside := ""
	if len(z.entries) > 0 {
		if first, _, ok := strings.Cut(z.entries[0].name, "/"); ok {
			inside = first + "/"
		}
	}
	for i := range z.entries {
		e := &z.entries[i]
		if e.name == BagItFile || !strings.HasPrefix(e.name, inside) {
			inside = "" // the bundle's files are not in a folder
		}
	}
	if inside != "" && !fitsEverywhere(inside[:len(inside)-1]) {
		inside = ""
	}
	for i := range z.entries {
		e := &z.entries[i]
		name := strings.TrimPrefix(e.name, inside)
		is, folder := e.isFile()
		switch {
		case folder:
			z.changed = true // a bundle's zip has none
			continue
		case !is || e.flags&zipFlagEncrypted != 0 || e.method != zipStored && e.method != zipDeflated:
			z.findings = append(z.findings, finding(NoFile, name))
			continue
		case e.method == zipStored && e.packed != e.size, e.size > largestPacked && e.size/largestRatio > e.packed:
			z.findings = append(z.findings, finding(FileUnread, name))
			continue
		}
		z.changed = z.changed || e.method != zipStored
		if !z.add(file{name: name, size: e.size, open: func() (io.ReadCloser, error) { return z.open(e), nil }}) {
			return &ReadError{Problem: TooLarge}
		}
	}
	return nil
}

// open reads an entry's file.
func (z *zipReader) open(e *zipEntry) io.ReadCloser {
	packed := io.NewSectionReader(z.from, e.data, e.packed)
	r := io.NopCloser(io.Reader(packed))
	if e.method == zipDeflated {
		r = flate.NewReader(packed)
	}
	return &entryReader{ReadCloser: r, left: e.size, crc: e.crc}
}

// errEntry is of a zip's file that has other bytes than the zip says.
var errEntry = errors.New("the zip is damaged here")

// entryReader reads a file of a zip, which must be as long as was said, and have the sum that was said.
type entryReader struct {
	io.ReadCloser
	left     int64
	crc, sum uint32
}

// Read implements io.Reader.
func (r *entryReader) Read(p []byte) (int, error) {
	n, err := r.ReadCloser.Read(p)
	r.left -= int64(n)
	r.sum = crc32.Update(r.sum, crc32.IEEETable, p[:n])
	if r.left < 0 || err == io.EOF && (r.left > 0 || r.sum != r.crc) { //nolint:errorlint // readers return it bare
		return n, errEntry
	}
	return n, err
}
