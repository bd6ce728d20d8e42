//go:build e2e && linux

package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"assay/gui/e2e"
)

// deskFiles are what comes to a desk, by what is to become of it.
type deskFiles struct {
	end      []string // is answered, refused or given up
	analysed []string
	sent     []string
}

// sentSize is the size of what is seen being sent, in bytes.
const sentSize = 12 << 20

// layOutDesk writes the files into a folder.
func layOutDesk(folder string, pictures []string) (deskFiles, error) {
	w := &deskWriter{folder: folder, pictures: pictures}
	w.copies("press-call-0412.jpg", "minister at the harbour.jpg", "IMG_20260412_174501.jpg", "crowd-wide.jpg", "Überschwemmung Elbe (1).jpg",
		"DSC00417.JPG", "WhatsApp Image 2026-04-12 at 17.45.01.jpeg", "poster, as posted.png", "profile.webp", "reaction.gif",
		"night market 2.JPG", "field hospital.jpeg", "from the archive (undated).png")
	w.again("press-call-0412 (1).jpg", "press-call-0412.jpg")
	w.again("crowd-wide, from the agency and not cropped, as it came in by mail on Sunday evening.jpg", "crowd-wide.jpg")
	w.put("statement by the spokesperson.txt", []byte(strings.Repeat("The spokesperson said on Sunday that nothing of the kind had happened. ", 40)))
	w.put("too short.txt", []byte("No."))
	w.put("voice note 18-22.wav", tone(3, 220))
	w.put("broken off.jpg", w.content(0)[:20_000])
	w.put("empty.jpg", nil)
	w.put("minutes.docx", []byte("PK"))
	w.put("archive of the year.txt", bytes.Repeat([]byte("word "), 1_200_000))
	w.put("lift.wav", tone(1, 440))
	w.files = append(w.files, filepath.Join(folder, "moved away.jpg"))
	w.copies("ninth.jpg", "tenth.jpg")
	end := w.take()
	w.copies("harbour-statement.jpg", "stadium.jpg", "leak-p3.jpg", "night market.jpg", "satellite still.png", "protest 4.jpg")
	w.put("interview, part 2.wav", tone(6, 330))
	analysed := w.take()
	for i := range 14 {
		content, err := e2e.HeavyPNG(byte(i+1), sentSize+i*300_000)
		if err != nil {
			return deskFiles{}, err
		}
		w.put(fmt.Sprintf("scan_%04d.png", i+1), content)
	}
	return deskFiles{end: end, analysed: analysed, sent: w.take()}, w.err
}

// deskWriter writes files, each with a content of its own; its error is the first.
type deskWriter struct {
	folder   string
	pictures []string
	files    []string
	copied   int
	err      error
}

// take returns what was written since the last time.
func (w *deskWriter) take() []string {
	files := w.files
	w.files = nil
	return files
}

func (w *deskWriter) put(name string, content []byte) {
	path := filepath.Join(w.folder, name)
	if w.err == nil {
		w.err = os.MkdirAll(w.folder, 0o700)
	}
	if w.err == nil {
		w.err = os.WriteFile(path, content, 0o600)
	}
	w.files = append(w.files, path)
}

// content is a picture's, one after the other of those whose names end alike.
func (w *deskWriter) content(n int) []byte {
	content, err := os.ReadFile(w.pictures[n%len(w.pictures)])
	if w.err == nil {
		w.err = err
	}
	return content
}

// copies puts pictures under other names. A few bytes after a picture's end, which no reader minds, make each another file.
func (w *deskWriter) copies(names ...string) {
	for _, name := range names {
		n := w.copied
		for !strings.EqualFold(kindOf(w.pictures[n%len(w.pictures)]), kindOf(name)) {
			n++
		}
		w.copied = n + 1
		w.put(name, fmt.Appendf(w.content(n), "%d", len(w.files)*100+n))
	}
}

// again puts the content of a file that was written under another name too.
func (w *deskWriter) again(name, of string) {
	content, err := os.ReadFile(filepath.Join(w.folder, of))
	if w.err == nil {
		w.err = err
	}
	w.put(name, content)
}

// kindOf is a file's extension, one for each kind.
func kindOf(name string) string {
	return strings.Replace(strings.ToLower(filepath.Ext(name)), ".jpeg", ".jpg", 1)
}

// tone is a recording of some seconds, 16 bits at 16 kHz.
func tone(seconds int, pitch float64) []byte {
	const rate = 16_000
	samples := make([]int16, seconds*rate)
	for i := range samples {
		samples[i] = int16(9000 * math.Sin(2*math.Pi*pitch*float64(i)/rate))
	}
	var wav bytes.Buffer
	size := uint32(2 * len(samples))
	for _, part := range []any{[]byte("RIFF"), 36 + size, []byte("WAVEfmt "), uint32(16), uint16(1), uint16(1), uint32(rate), uint32(2 * rate),
		uint16(2), uint16(16), []byte("data"), size, samples} {
		_ = binary.Write(&wav, binary.LittleEndian, part) // a buffer takes everything
	}
	return wav.Bytes()
}
