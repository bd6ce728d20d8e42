package player

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/gopxl/beep/v2"
	beepmp3 "github.com/gopxl/beep/v2/mp3"
)

const (
	// mp3Step is the number of frames from one remembered place to the next.
	mp3Step = 16
	// mp3Before is how many frames are decoded before the one that is wanted: they hold parts of it, and the decoder's state needs them.
	mp3Before = 12
)

// mp3 is MPEG audio, layer III. Its frames are counted once, since nothing else tells its length and where a frame lies.
type mp3 struct {
	file   *file
	first  mp3Header
	places []int64 // of each mp3Step-th frame
	count  int64   // frames of MPEG audio
	broken bool    // the last one is not whole
}

// openMP3 counts the frames. It reads the file once, without decoding.
func openMP3(ctx context.Context, f *file) (*mp3, error) {
	m := &mp3{file: f}
	w := &mp3Walker{r: f.from(f.content), at: f.content, strict: true}
	for {
		frame, at, err := w.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if m.first == 0 {
			m.first = readMP3Header(frame)
			if mp3About(frame) {
				continue
			}
		}
		if m.count%mp3Step == 0 {
			m.places = append(m.places, at)
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		m.count++
	}
	m.broken = w.partial
	if m.count == 0 {
		return nil, breaksOff(nil)
	}
	return m, nil
}

// mp3About reports whether a frame holds no sound but an encoder's notes on the recording.
func mp3About(frame []byte) bool {
	head := frame[:min(len(frame), 64)]
	return bytes.Contains(head, []byte("Xing")) || bytes.Contains(head, []byte("Info")) || bytes.Contains(head, []byte("VBRI"))
}

func (m *mp3) facts() facts {
	return facts{format: "MP3", rate: m.first.rate(), channels: m.first.channels()}
}
func (m *mp3) frames() int64  { return m.count * m.first.samples() }
func (m *mp3) exact() bool    { return true }
func (m *mp3) cut() bool      { return m.broken }
func (m *mp3) release() error { return nil }

func (m *mp3) open(_ context.Context, from int64) (stream, error) {
	from = min(from, m.frames())
	wanted := from / m.first.samples()
	place := max(0, min(wanted-mp3Before, m.count-1)) / mp3Step
	walk := &mp3Walker{r: m.file.from(m.places[place]), at: m.places[place], like: m.first & mp3Same}
	skip := from - place*mp3Step*m.first.samples()
	return decode("MP3", skip, m.frames()-from, func() (beep.StreamSeekCloser, beep.Format, error) {
		return beepmp3.Decode(io.NopCloser(&mp3Reader{walk: walk}))
	})
}
