package video

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"

	"assay/client/ffmpeg"
	clips "assay/client/media/film"
	"assay/client/sandbox/forensics"
)

const (
	framesPerSecond = 4.0
	mostFrames      = 480
	mostFrameSide   = 640 // pixels
	leastFrameSide  = 16  // pixels, so that a cell of the grid has at least one
	filmGrid        = 16  // cells a side
)

// film is a clip as frames at equal intervals, reduced to what the analyser needs.
type film struct {
	step      float64 // seconds from frame to frame
	frames    []filmFrame
	thumbnail image.Image // *image.NRGBA
}

// filmFrame is one frame, in levels of luma (0..255).
type filmFrame struct {
	grid   [filmGrid * filmGrid]float32 // the mean of each cell
	mean   float64
	noise  float64 // standard deviation of the fine grain
	change float64 // mean difference from the frame before; 0 for the first
	shift  float64 // the same between the grids
}

// filmLayout returns the size and the interval at which a clip's frames are read: never larger
// nor more often than the clip has them.
func filmLayout(f *facts) (w, h int, step float64) {
	scale := min(1, mostFrameSide/float64(max(f.width, f.height)))
	w = max(leastFrameSide, int(math.Round(float64(f.width)*scale)))
	h = max(leastFrameSide, int(math.Round(float64(f.height)*scale)))
	if f.seconds == 0 {
		return w, h, 2 / framesPerSecond
	}
	step = max(1/framesPerSecond, f.seconds/mostFrames)
	if p := f.picture; p.samples > 1 && p.seconds > 0 {
		step = max(step, p.seconds/float64(p.samples))
	}
	return w, h, step
}

// readFilm reads a clip's frames through ffmpeg.
func readFilm(ctx context.Context, program, path string, f *facts) (*film, error) {
	w, h, step := filmLayout(f)
	made := &film{step: step}
	err := clips.Read(ctx, ffmpeg.Tool{Program: program}, path, demuxer, 1/step, image.Pt(w, h), mostFrames, made.adder(w, h))
	if err != nil {
		return nil, err
	}
	if len(made.frames) == 0 {
		return nil, errors.New("ffmpeg gave no frame")
	}
	return made, nil
}

// adder returns a function that takes the next frame of w × h pixels of three bytes.
func (f *film) adder(w, h int) func(pixels []byte) {
	luma, before := make([]byte, w*h), make([]byte, w*h)
	shown := false
	return func(pixels []byte) {
		for i := range luma {
			luma[i] = byte((77*int(pixels[3*i]) + 150*int(pixels[3*i+1]) + 29*int(pixels[3*i+2])) >> 8)
		}
		frame := newFilmFrame(luma, w, h)
		if n := len(f.frames); n > 0 {
			frame.change = lumaDifference(luma, before)
			frame.shift = frame.distance(&f.frames[n-1])
		}
		// The first frame is often black; the first bright one shows more.
		const dark, bright = 25, 230
		if bright := frame.mean >= dark && frame.mean <= bright; f.thumbnail == nil || !shown && bright {
			f.thumbnail, shown = filmPicture(pixels, w, h), bright
		}
		f.frames = append(f.frames, frame)
		luma, before = before, luma
	}
}

// newFilmFrame measures a frame on its own. The grain is Immerkær's estimate (1996):
// what remains behind a mask that removes flat parts and slopes, as the median
// over rows, which edges move less than a mean.
func newFilmFrame(luma []byte, w, h int) filmFrame {
	var frame filmFrame
	var counts [filmGrid * filmGrid]int
	sum := 0.0
	for y := range h {
		for x := range w {
			v := luma[y*w+x]
			cell := y*filmGrid/h*filmGrid + x*filmGrid/w
			frame.grid[cell] += float32(v)
			counts[cell]++
			sum += float64(v)
		}
	}
	for i, n := range counts {
		frame.grid[i] /= float32(max(1, n))
	}
	frame.mean = sum / float64(w*h)

	rows := make([]float64, 0, h)
	for y := 1; y < h-1; y++ {
		total := 0
		for x := 1; x < w-1; x++ {
			at := func(dx, dy int) int { return int(luma[(y+dy)*w+x+dx]) }
			v := at(-1, -1) + at(1, -1) + at(-1, 1) + at(1, 1) - 2*(at(0, -1)+at(-1, 0)+at(1, 0)+at(0, 1)) + 4*at(0, 0)
			total += max(v, -v)
		}
		rows = append(rows, float64(total)/float64(w-2))
	}
	median := forensics.Median(rows)
	frame.noise = median * math.Sqrt(math.Pi/2) / 6
	return frame
}

// distance is the mean difference of two frames' grids.
func (f *filmFrame) distance(other *filmFrame) float64 {
	sum := 0.0
	for i, v := range f.grid {
		sum += math.Abs(float64(v - other.grid[i]))
	}
	return sum / float64(len(f.grid))
}

// lumaDifference is the mean difference of two planes of the same size.
func lumaDifference(a, b []byte) float64 {
	sum := 0
	for i, v := range a {
		d := int(v) - int(b[i])
		sum += max(d, -d)
	}
	return float64(sum) / float64(max(1, len(a)))
}

func filmPicture(pixels []byte, w, h int) image.Image {
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	for i := range w * h {
		copy(m.Pix[4*i:], pixels[3*i:3*i+3])
		m.Pix[4*i+3] = 0xff
	}
	return m
}

// demuxer is the format that ffmpeg reads a clip with. It is fixed, so that a playlist disguised as a clip names no other files.
const demuxer = "mov"

// findFFmpeg returns the path of ffmpeg.
func findFFmpeg() (string, error) {
	tool, err := ffmpeg.Find()
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrNoFFmpeg, err)
	}
	return tool.Program, nil
}

// longestSound bounds how much of a sound track Sound reads, in seconds: 230
// MB of two channels at 48 kHz.
const longestSound = "1200"

// Sound writes the first sound track of the clip at path to w as a WAV file
// of 16 bits, at the track's own rate, in one or two channels, and of 20 minutes
// at most. It puts the sound into a temporary file first, since a WAV file begins
// with its length. It returns ErrNoSoundTrack if the clip has none, ErrNoFFmpeg if ffmpeg
// isn't on the search path, and an *Unreadable for a file that is no clip.
func Sound(ctx context.Context, path string, w io.Writer) error {
	return analyser{findFFmpeg}.audio(ctx, path, w)
}

func (v analyser) audio(ctx context.Context, path string, w io.Writer) (err error) {
	facts, err := openFacts(ctx, path)
	if err != nil {
		return err
	}
	if facts.sound == nil {
		return ErrNoSoundTrack
	}
	program, err := v.find()
	if err != nil {
		if errors.Is(err, ErrNoFFmpeg) {
			return err
		}
		return fmt.Errorf("%w: %w", ErrNoFFmpeg, err)
	}
	folder, err := os.MkdirTemp("", "assay-sound-")
	if err != nil {
		return fmt.Errorf("extracting the sound: %w", err)
	}
	defer func() {
		if gone := os.RemoveAll(folder); err == nil && gone != nil {
			err = fmt.Errorf("extracting the sound: %w", gone)
		}
	}()
	wav := filepath.Join(folder, "sound.wav")
	arguments := []string{"-map", "0:a:0", "-vn", "-sn", "-dn", "-map_metadata", "-1",
		"-fflags", "+bitexact", "-flags:a", "+bitexact", "-t", longestSound, "-c:a", "pcm_s16le"}
	if facts.sound.channels > 2 {
		arguments = append(arguments, "-ac", "2")
	}
	arguments = append(arguments, "-f", "wav", "-y", "file:"+wav)
	job := ffmpeg.Job{Path: path, Demuxer: demuxer, Before: []string{"-max_pixels", strconv.Itoa(clips.MostPixels)}, After: arguments}
	if err := (ffmpeg.Tool{Program: program}).Run(ctx, job, func(io.Reader) error { return nil }); err != nil {
		return fmt.Errorf("extracting the sound: %w", err)
	}
	file, err := os.Open(wav)
	if err != nil {
		return fmt.Errorf("extracting the sound: %w", err)
	}
	defer func() { _ = file.Close() }() // opened for reading: closing it loses nothing
	if _, err := io.Copy(w, file); err != nil {
		return fmt.Errorf("writing the sound: %w", err)
	}
	return nil
}
