package player

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/gopxl/beep/v2"
	beepvorbis "github.com/gopxl/beep/v2/vorbis"
)

// vorbis is an Ogg Vorbis recording. Places in it are found by bisection over its pages, where the decoder's own way walks over all.
type vorbis struct {
	file           *file
	serial         uint32
	rate, channels int
	head           []byte // the pages of the three headers
	begin          int64  // of the first page of sound
	total          int64
	missing        bool // the last page doesn't say that it is the last
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

// open finds the last page that ends before a sample, and hands the decoder the headers and a stream that begins with that page's last
// packet.
func (v *vorbis) open(ctx context.Context, from int64) (stream, error) {
	from = min(from, v.total)
	var first []byte
	begin, start := v.begin, int64(0)
	low, high := v.begin, v.file.size // the page wanted begins at low or behind it, and before high
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
