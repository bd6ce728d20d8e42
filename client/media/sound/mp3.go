package sound

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"

	"assay/client/media/container"

	"github.com/gopxl/beep/v2"
	beepmp3 "github.com/gopxl/beep/v2/mp3"
)

const (
	// mp3Step is the number of frames between two recorded places.
	mp3Step = 16
	// mp3Before is how many frames are decoded before the wanted one: they hold parts of its data, and the decoder's state depends on them.
	mp3Before = 12
)

// mp3 is MPEG audio, layer III. Its frames are counted once, since nothing else determines its length and the places of its frames.
type mp3 struct {
	file   *file
	first  container.MPEGHeader
	places []int64 // of each mp3Step-th frame
	count  int64   // frames of MPEG audio
	broken bool    // the last one is cut short
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
			m.first = container.ReadMPEGHeader(frame)
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

// mp3About reports whether a frame holds an encoder's information about the recording instead of audio.
func mp3About(frame []byte) bool {
	head := frame[:min(len(frame), 64)]
	return bytes.Contains(head, []byte("Xing")) || bytes.Contains(head, []byte("Info")) || bytes.Contains(head, []byte("VBRI"))
}

func (m *mp3) facts() facts {
	return facts{format: "MP3", rate: m.first.Rate(), channels: m.first.Channels()}
}
func (m *mp3) frames() int64  { return m.count * m.first.Samples() }
func (m *mp3) exact() bool    { return true }
func (m *mp3) cut() bool      { return m.broken }
func (m *mp3) release() error { return nil }

func (m *mp3) open(_ context.Context, from int64) (Stream, error) {
	from = min(from, m.frames())
	wanted := from / m.first.Samples()
	place := max(0, min(wanted-mp3Before, m.count-1)) / mp3Step
	walk := &mp3Walker{r: m.file.from(m.places[place]), at: m.places[place], like: m.first & container.MPEGSame}
	skip := from - place*mp3Step*m.first.Samples()
	return decode("MP3", skip, m.frames()-from, func() (beep.StreamSeekCloser, beep.Format, error) {
		return beepmp3.Decode(io.NopCloser(&mp3Reader{walk: walk}))
	})
}

// mp3Walker goes from frame to frame, and skips other data between them.
type mp3Walker struct {
	r       *bufio.Reader
	at      int64                // of the next byte
	like    container.MPEGHeader // bits that every frame has; 0 before the first
	limit   int64                // gives up here if there is no frame; 0: at the end of the file
	strict  bool                 // the next frame must be followed by another
	partial bool                 // the last frame was cut short
}

// next returns a frame, which is valid until the next call, and its place. The error is io.EOF at the end, else the file's.
func (w *mp3Walker) next() (frame []byte, at int64, err error) {
	for {
		head, err := w.r.Peek(4)
		if err != nil {
			return nil, 0, err // also io.EOF, for three bytes and fewer
		}
		header := container.ReadMPEGHeader(head)
		size := 0
		if header.LayerIII() {
			size = int(header.FrameLength())
		}
		if size > 0 && (w.like == 0 || header&container.MPEGSame == w.like) {
			frame, whole, err := w.take(size)
			if err != nil {
				return nil, 0, err
			}
			if whole {
				at = w.at
				w.at += int64(size)
				w.like, w.strict = header&container.MPEGSame, false
				return frame, at, nil
			}
		}
		w.strict = true
		if w.limit > 0 && w.at >= w.limit {
			return nil, 0, io.EOF
		}
		if _, err := w.r.Discard(1); err != nil {
			return nil, 0, err
		}
		w.at++
	}
}

// take returns the frame that begins here, if there is one.
func (w *mp3Walker) take(size int) (frame []byte, whole bool, err error) {
	both, err := w.r.Peek(size + 4)
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return nil, false, err
	case len(both) < size:
		w.partial = !w.strict
		return nil, false, nil
	case w.strict && (len(both) < size+4 || container.ReadMPEGHeader(both[size:])&container.MPEGSame != container.ReadMPEGHeader(both)&container.MPEGSame):
		return nil, false, nil
	}
	_, err = w.r.Discard(size)
	return both[:size], true, err
}

// findMP3 reports whether two consecutive frames are near the beginning: MPEG audio has no signature.
func findMP3(f *file) (bool, error) {
	const search = 1 << 16
	w := &mp3Walker{r: f.from(f.content), at: f.content, limit: f.content + search, strict: true}
	_, _, err := w.next()
	if errors.Is(err, io.EOF) {
		return false, nil
	}
	return err == nil, err
}

// Read returns only the bytes of the frames.
func (w *mp3Reader) Read(p []byte) (int, error) {
	if len(w.rest) == 0 {
		frame, _, err := w.walk.next()
		if err != nil {
			return 0, err
		}
		w.rest = frame
	}
	n := copy(p, w.rest)
	w.rest = w.rest[n:]
	return n, nil
}

// mp3Reader is the walker as an io.Reader.
type mp3Reader struct {
	walk *mp3Walker
	rest []byte
}
