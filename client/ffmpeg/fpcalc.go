package ffmpeg

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"assay/client/bounded"
)

// Fpcalc is an installed fpcalc, chromaprint's program for fingerprints of sound.
type Fpcalc struct{ Program string } // its path

// FindFpcalc searches fpcalc as Find does ffmpeg. The error is a *Missing if there is none.
func FindFpcalc() (Fpcalc, error) {
	program, err := look("fpcalc")
	if err != nil {
		return Fpcalc{}, &Missing{Program: "fpcalc", Cause: err}
	}
	return Fpcalc{Program: program}, nil
}

// LongestFingerprint is how much of a recording Fingerprint listens to, from its beginning.
const LongestFingerprint = 120 * time.Second

// mostFingerprint bounds what fpcalc may print, in bytes: it prints some 8 numbers a second.
const mostFingerprint = 64 << 10

// Fingerprint returns chromaprint's fingerprint of sound: a number for every eighth of a second or so; of less than some three seconds it makes none, which is
// an error. pcm is one channel of signed 16-bit samples, little-endian, rate a second. fpcalc never sees the file, and decodes nothing.
func (f Fpcalc) Fingerprint(ctx context.Context, pcm io.Reader, rate int) ([]uint32, error) {
	args := []string{
		"-raw", "-plain", "-format", "s16le", "-rate", strconv.Itoa(rate), "-channels", "1",
		"-length", strconv.Itoa(int(LongestFingerprint.Seconds())), "-",
	}
	var numbers []uint32
	var wrong error
	err := run(ctx, f.Program, "fpcalc", args, usualTime, pcm, func(out io.Reader) error {
		text, err := bounded.ReadAll(out, mostFingerprint)
		if err != nil {
			return err
		}
		if numbers, err = readFingerprint(string(text)); err != nil {
			wrong = &Failed{Program: "fpcalc", Cause: err}
		}
		return nil
	})
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("running fpcalc: %w", ctx.Err())
	case len(numbers) == 0:
		return nil, errors.Join(err, wrong)
	}
	return numbers, nil // some versions complain about the end of their input, after they have printed all
}

// readFingerprint reads numbers separated by commas.
func readFingerprint(text string) (numbers []uint32, err error) {
	for _, word := range strings.Split(strings.TrimSpace(text), ",") {
		n, err := strconv.ParseUint(word, 10, 32)
		if err != nil {
			return nil, errors.New("what it printed is no fingerprint")
		}
		numbers = append(numbers, uint32(n))
	}
	return numbers, nil
}
