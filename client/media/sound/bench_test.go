package sound

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/media/mediatest"

	"github.com/gopxl/beep/v2"
	beepflac "github.com/gopxl/beep/v2/flac"
)

// benchColumns is how wide a waveform is drawn in a large window.
const benchColumns = 1600

// BenchmarkBWaveform opens a FLAC recording of three hours and draws its whole waveform, by the peaks and in the obvious way: all samples
// into memory, as the decoder gives them, then each column's lowest and highest. It prints the ratios of time and of the most memory
// in use. Both find the file in the system's memory.
func BenchmarkBWaveform(b *testing.B) {
	program := mediatest.Program(b, "sox")
	path := filepath.Join(b.TempDir(), "three hours.flac")
	// A minute of a rising tone that swells over noise, as speech does, again and again.
	make3h := exec.CommandContext(b.Context(), program, "-n", "-r", "16000", "-c", "1", "-b", "16", "-C", "1", path, // #nosec G204 -- a benchmark's own arguments
		"synth", "60", "sine", "200-3000", "synth", "60", "pinknoise", "mix", "tremolo", "0.3", "90", "gain", "-6", "repeat", "179")
	if out, err := make3h.CombinedOutput(); err != nil {
		b.Fatalf("sox: %v\n%s", err, out)
	}
	for b.Loop() {
		ours, oursMemory := measure(func() { drawByPeaks(b, path) })
		theirs, theirsMemory := measure(func() { drawByDecoding(b, path) })
		time, memory := ours/theirs, oursMemory/theirsMemory
		if _, err := fmt.Fprintf(os.Stdout, "\nsound: waveform of 3 h vs decoding all into memory: %.2f time, %.3f memory; %.1f s and %.0f MB against %.1f s and %.0f MB\n",
			time, memory, ours, oursMemory, theirs, theirsMemory); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(time, "x-time")
		b.ReportMetric(memory, "x-memory")
	}
}

// drawByPeaks is what the player's screen does.
func drawByPeaks(b *testing.B, path string) {
	r, err := Open(b.Context(), path)
	assert.NoError(b, err)
	p, err := r.Peaks(b.Context(), nil)
	assert.NoError(b, err)
	columns := make([]Column, benchColumns)
	p.Columns(columns, 0, r.Duration())
	assert.NoError(b, r.Close())
	checkColumns(b, columns)
}

// drawByDecoding is the obvious way, with beep's own buffer, which keeps two bytes a sample.
func drawByDecoding(b *testing.B, path string) {
	f, err := os.Open(path)
	assert.NoError(b, err)
	s, format, err := beepflac.Decode(f)
	assert.NoError(b, err)
	all := beep.NewBuffer(format)
	all.Append(s)
	assert.NoError(b, errors.Join(s.Err(), s.Close()))
	columns := make([]Column, benchColumns)
	block := make([][2]float64, 512)
	for i := range columns {
		from, to := i*all.Len()/benchColumns, (i+1)*all.Len()/benchColumns
		for part := all.Streamer(from, to); ; {
			n, ok := part.Stream(block)
			if !ok {
				break
			}
			for _, frame := range block[:n] {
				columns[i].Low, columns[i].High = min(columns[i].Low, float32(frame[0])), max(columns[i].High, float32(frame[0]))
			}
		}
		columns[i].Known = true
	}
	checkColumns(b, columns)
}

// checkColumns holds that a waveform was drawn.
func checkColumns(b *testing.B, columns []Column) {
	b.Helper()
	for i, c := range columns {
		if !c.Known || c.High <= c.Low {
			b.Fatalf("column %d is %+v", i, c)
		}
	}
}

// measure gives the seconds that something takes, and the most memory that it had in use, in MB.
func measure(do func()) (seconds, memory float64) {
	inUse := func() float64 {
		sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/unused:bytes"}}
		metrics.Read(sample)
		return float64(sample[0].Value.Uint64()+sample[1].Value.Uint64()) / (1 << 20)
	}
	runtime.GC()
	before, most := inUse(), 0.0
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			most = max(most, inUse())
			select {
			case <-stop:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	begun := time.Now()
	do()
	seconds = time.Since(begun).Seconds()
	close(stop)
	<-stopped
	return seconds, max(most-before, 1)
}
