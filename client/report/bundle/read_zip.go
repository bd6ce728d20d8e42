package bundle

import (
	"encoding/binary"
	"errors"
	"io"
	"os"
	"slices"
)

// The reader of zips is our own, because package archive/zip accepts what a bundle never has: bytes that belong to no file, files that overlap, a
// directory that says something else than what precedes each file. A zip that has any of that is not as it was written, even if all its files are:
// ZipChanged says so.

// Signatures and lengths of a zip's records, in bytes.
const (
	zipEntrySign, zipEntryLen         = 0x04034b50, 30
	zipDirectorySign, zipDirectoryLen = 0x02014b50, 46
	zipEndSign, zipEndLen             = 0x06054b50, 22
	zip64EndSign, zip64EndLen         = 0x06064b50, 56
	zip64LocatorSign, zip64LocatorLen = 0x07064b50, 20
	zipTrailerSign                    = 0x08074b50
	zip64Version                      = 45
	zipFlagEncrypted, zipFlagTrailer  = 1, 8
	zipStored, zipDeflated            = 0, 8
	largestRatio                      = 200     // of a packed file that is larger than
	largestPacked                     = 1 << 26 // bytes
)

// openZip lists the files of a zip.
func openZip(where string) (*source, error) {
	opened, err := os.OpenFile(where, readFlags, 0) //nolint:gosec // the person named it
	if err != nil {
		return nil, &ReadError{Problem: Unreadable, Err: err}
	}
	facts, err := opened.Stat()
	if err == nil && !facts.Mode().IsRegular() {
		err = errNoFile
	}
	var s *source
	if err == nil {
		s, err = readZip(opened, facts.Size())
	}
	if err != nil {
		_ = opened.Close() // only read from
		if _, ok := errors.AsType[*ReadError](err); !ok {
			err = &ReadError{Problem: Unreadable, Err: err}
		}
		return nil, err
	}
	s.close = opened.Close
	return s, nil
}

// zipReader reads the directory of a zip.
type zipReader struct {
	lister
	from    io.ReaderAt
	size    int64
	number  int64 // of the files, as the zip's end says
	entries []zipEntry
	changed bool // something is not as it was written
}

// readZip lists the files of a zip of so many bytes. The caller closes it.
func readZip(from io.ReaderAt, size int64) (*source, error) {
	z := zipReader{from: from, size: size, lister: lister{seen: map[string]string{}}}
	directory, start, err := z.readDirectory()
	if err != nil {
		return nil, err
	}
	if err := z.readEntries(directory); err != nil {
		return nil, err
	}
	slices.SortFunc(z.entries, func(a, b zipEntry) int { return int(min(max(a.at-b.at, -1), 1)) })
	end := int64(0)
	for i := range z.entries {
		next, err := z.readEntry(&z.entries[i], end)
		if err != nil {
			return nil, err
		}
		end = next
	}
	if end > start {
		return nil, &ReadError{Problem: Damaged} // the last file overlaps the directory
	}
	if end < start {
		z.changed = true
	}
	if err := z.addFiles(); err != nil {
		return nil, err
	}
	if z.changed {
		z.findings = append(z.findings, finding(ZipChanged, ""))
	}
	return &z.source, nil
}

// at reads so many bytes.
func (z *zipReader) at(offset, length int64) ([]byte, error) {
	if offset < 0 || length < 0 || offset > z.size-length {
		return nil, &ReadError{Problem: Damaged}
	}
	read := make([]byte, length)
	if _, err := z.from.ReadAt(read, offset); err != nil && (err != io.EOF || length > 0) { //nolint:errorlint // ReadAt's own
		return nil, &ReadError{Problem: Unreadable, Err: err}
	}
	return read, nil
}

// readDirectory finds the directory, which begins at start.
func (z *zipReader) readDirectory() (directory []byte, start int64, err error) {
	tail, err := z.at(max(0, z.size-zipEndLen-0xffff), min(z.size, zipEndLen+0xffff))
	if err != nil {
		return nil, 0, err
	}
	end := -1
	for i := len(tail) - zipEndLen; i >= 0 && end < 0; i-- {
		if binary.LittleEndian.Uint32(tail[i:]) == zipEndSign && i+zipEndLen+int(binary.LittleEndian.Uint16(tail[i+20:])) == len(tail) {
			end = i
		}
	}
	if end < 0 {
		first, err := z.at(0, min(4, z.size))
		if err == nil && len(first) == 4 && binary.LittleEndian.Uint32(first) == zipEntrySign { // it begins as a zip
			return nil, 0, &ReadError{Problem: Damaged}
		}
		return nil, 0, &ReadError{Problem: NoBundle}
	}
	record := fields(tail[end+4:])
	disks, here, number := record.u32(), int64(record.u16()), int64(record.u16())
	length, start, comment := int64(record.u32()), int64(record.u32()), record.u16()
	endAt := z.size - int64(len(tail)-end)
	z.changed = z.changed || disks != 0 || here != number || comment != 0
	if number == 0xffff || length == 0xffffffff || start == 0xffffffff {
		if endAt, number, length, start, err = z.readEnd64(endAt); err != nil {
			return nil, 0, err
		}
	}
	if number > mostFiles || length > largestList {
		return nil, 0, &ReadError{Problem: TooLarge}
	}
	if start+length != endAt {
		z.changed = true
	}
	if directory, err = z.at(start, length); err != nil {
		return nil, 0, err
	}
	z.number = number
	return directory, start, nil
}

// readEnd64 reads the records of a large zip that precede its last one.
func (z *zipReader) readEnd64(before int64) (endAt, number, length, start int64, err error) {
	located, err := z.at(before-zip64LocatorLen, zip64LocatorLen)
	if err != nil {
		return 0, 0, 0, 0, err
	}
	locator := fields(located)
	sign, disk, endAt, disks := locator.u32(), locator.u32(), locator.i64(), locator.u32()
	read, err := z.at(endAt, zip64EndLen)
	if err != nil {
		return 0, 0, 0, 0, err
	}
	record := fields(read)
	if sign != zip64LocatorSign || record.u32() != zip64EndSign {
		return 0, 0, 0, 0, &ReadError{Problem: Damaged}
	}
	own, made, needs, diskHere, diskStart := record.i64(), record.u16(), record.u16(), record.u32(), record.u32()
	here, number, length, start := record.i64(), record.i64(), record.i64(), record.i64()
	if number < 0 || length < 0 || start < 0 {
		return 0, 0, 0, 0, &ReadError{Problem: Damaged}
	}
	z.changed = z.changed || endAt+zip64EndLen != before-zip64LocatorLen || own != zip64EndLen-12 || made != zip64Version || needs != zip64Version ||
		disk != 0 || diskHere != 0 || diskStart != 0 || disks != 1 || here != number
	return endAt, number, length, start, nil
}
