package sound

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"

	"assay/client/media/container"

	"github.com/gopxl/beep/v2"
	beepvorbis "github.com/gopxl/beep/v2/vorbis"
)

// vorbis is an Ogg Vorbis recording. It finds a place by bisection over its pages, since the decoder would read all of them.
type vorbis struct {
	file           *file
	serial         uint32
	rate, channels int
	head           []byte // the pages of the three headers
	begin          int64  // of the first page of audio
	total          int64
	missing        bool // the last page isn't marked as the last
}

// openVorbis reads the headers and the last page.
func openVorbis(f *file) (*vorbis, error) {
	v := &vorbis{file: f}
	if err := v.readHeaders(); err != nil {
		return nil, err
	}
	const step, most = 1 << 15, 1 << 22
	for to := f.size; to > v.begin && f.size-to < most && v.total == 0; to -= step {
		for at := max(v.begin, to-step); ; {
			page, err := findOggPage(f, v.serial, at, to)
			if err != nil {
				return nil, err
			}
			if page == nil {
				break
			}
			v.total, v.missing, at = page.granule(), page.flags()&4 == 0, page.end()
		}
	}
	if v.total == 0 {
		return nil, breaksOff(nil)
	}
	return v, nil
}

func (v *vorbis) readHeaders() error {
	const mostHead = 1 << 20
	var packets [][]byte
	var packet []byte
	at := v.file.content
	for len(packets) < 3 {
		page, err := readOggPage(v.file, at)
		if err != nil {
			return damaged("Ogg Vorbis", err)
		}
		at = page.end()
		if len(v.head) == 0 {
			v.serial = page.serial()
		}
		if page.serial() != v.serial || len(v.head) > mostHead {
			return damaged("Ogg Vorbis", errors.New("the headers don't lie at the beginning"))
		}
		v.head = append(v.head, page.bytes...)
		body := page.body()
		for _, size := range page.table() {
			packet = append(packet, body[:size]...)
			body = body[size:]
			if size < 255 {
				packets, packet = append(packets, packet), nil
			}
		}
	}
	v.begin = at
	if len(packets) > 3 || len(packet) > 0 {
		return damaged("Ogg Vorbis", errors.New("sound begins on the page of the headers"))
	}
	var err error
	v.rate, v.channels, err = checkVorbisHeaders(packets)
	return err
}

func (v *vorbis) facts() facts {
	return facts{format: "Ogg Vorbis", rate: v.rate, channels: v.channels}
}
func (v *vorbis) frames() int64  { return v.total }
func (v *vorbis) exact() bool    { return true }
func (v *vorbis) cut() bool      { return v.missing }
func (v *vorbis) release() error { return nil }

// open finds the last page that ends before a sample, and passes the decoder the headers and a stream that begins with that page's last
// packet.
func (v *vorbis) open(ctx context.Context, from int64) (Stream, error) {
	from = min(from, v.total)
	var first []byte
	begin, start := v.begin, int64(0)
	low, high := v.begin, v.file.size // the wanted page begins at low or later, and before high
	for low < high {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		middle := low + (high-low)/2
		if high-low < oggMostPage {
			middle = low
		}
		page, err := findOggPage(v.file, v.serial, middle, high)
		if err != nil {
			return nil, err
		}
		if page == nil || page.granule() > from {
			if middle == low {
				break
			}
			high = middle
			continue
		}
		if packet := page.lastPacket(); packet != nil && page.granule() > 0 {
			first, begin, start = packet, page.end(), page.granule()
		}
		low = page.end()
	}
	return decode("Ogg Vorbis", from-start, v.total-from, func() (beep.StreamSeekCloser, beep.Format, error) {
		return beepvorbis.Decode(io.NopCloser(io.MultiReader(bytes.NewReader(v.head), bytes.NewReader(first), v.file.from(begin))))
	})
}

// oggMostPage is the size of the largest page.
const oggMostPage = 27 + 255 + 255*255

// oggPage is one page of an Ogg file (RFC 3533).
type oggPage struct {
	at    int64
	bytes []byte
}

func (p *oggPage) flags() byte     { return p.bytes[5] }
func (p *oggPage) granule() int64  { return int64(binary.LittleEndian.Uint64(p.bytes[6:])) }
func (p *oggPage) serial() uint32  { return binary.LittleEndian.Uint32(p.bytes[14:]) }
func (p *oggPage) table() []byte   { return p.bytes[27 : 27+int(p.bytes[26])] }
func (p *oggPage) body() []byte    { return p.bytes[27+int(p.bytes[26]):] }
func (p *oggPage) end() int64      { return p.at + int64(len(p.bytes)) }
func (p *oggPage) continued() bool { return p.flags()&1 != 0 }

// errNoPage means that no page begins at a place.
var errNoPage = errors.New("no page of Ogg")

// readOggPage reads the page that begins at a place, and verifies its checksum.
func readOggPage(r io.ReaderAt, at int64) (*oggPage, error) {
	var head [27 + 255]byte
	n, err := r.ReadAt(head[:], at)
	if err != nil && err != io.EOF { //nolint:errorlint // a bare io.EOF, as io.ReaderAt promises
		return nil, err
	}
	if n == 0 {
		return nil, io.EOF
	}
	if n < 27 || n < 27+int(head[26]) {
		return nil, io.ErrUnexpectedEOF
	}
	if string(head[:4]) != "OggS" || head[4] != 0 {
		return nil, errNoPage
	}
	size := 27 + int(head[26])
	for _, part := range head[27:size] {
		size += int(part)
	}
	page := &oggPage{at: at, bytes: make([]byte, size)}
	if n, err := r.ReadAt(page.bytes, at); n < size {
		if err != nil && err != io.EOF { //nolint:errorlint // as above
			return nil, err
		}
		return nil, io.ErrUnexpectedEOF
	}
	if container.OggChecksum(page.bytes) != binary.LittleEndian.Uint32(page.bytes[container.OggChecksumAt:]) {
		return nil, errNoPage
	}
	return page, nil
}

// findOggPage returns the first page of a stream that begins in from..to and in which a packet ends; nil where there is none.
func findOggPage(r io.ReaderAt, serial uint32, from, to int64) (*oggPage, error) {
	const window = 1 << 14
	buffer := make([]byte, window+3)
	for at := from; at < to; at += window {
		n, err := r.ReadAt(buffer, at)
		if err != nil && err != io.EOF { //nolint:errorlint // as above
			return nil, err
		}
		for i := 0; ; i++ {
			next := bytes.Index(buffer[i:n], []byte("OggS"))
			if next < 0 || at+int64(i+next) >= to {
				break
			}
			i += next
			page, err := readOggPage(r, at+int64(i))
			if err != nil && !errors.Is(err, errNoPage) && !errors.Is(err, io.ErrUnexpectedEOF) {
				return nil, err
			}
			if err == nil && page.serial() == serial && page.granule() >= 0 && page.granule() < math.MaxInt64/2 {
				return page, nil
			}
		}
	}
	return nil, nil
}

// lastPacket returns a page with the last packet that ends in this one and what follows it: the first sample of a decoder that starts there
// is at this page's granule position. It is nil if that packet begins on an earlier page.
func (p *oggPage) lastPacket() []byte {
	table := p.table()
	last := -1 // the segment that ends the last packet
	for i, size := range table {
		if size < 255 {
			last = i
		}
	}
	if last < 0 {
		return nil
	}
	first := last
	for first > 0 && table[first-1] == 255 {
		first--
	}
	if first == 0 && p.continued() {
		return nil
	}
	skip := 0
	for _, size := range table[:first] {
		skip += int(size)
	}
	page := append([]byte(nil), p.bytes[:27]...)
	page[5] &^= 1
	page[26] = byte(len(table) - first)
	page = append(append(page, table[first:]...), p.body()[skip:]...)
	binary.LittleEndian.PutUint32(page[container.OggChecksumAt:], container.OggChecksum(page))
	return page
}
