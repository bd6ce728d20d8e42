package picture

import (
	"image"

	"assay/client/i18n"
)

// longestSide is the largest side of a decoded picture, in pixels.
const longestSide = 4096

// Limits bounds what a picture may claim before it is refused, and the size of the result.
// A field that is zero takes its value from DefaultLimits.
type Limits struct {
	// MaxPixels is width times height as the header claims it, checked before a pixel is decoded.
	MaxPixels int
	// MaxBytes is the size of the encoded picture.
	MaxBytes int64
	// LongSide is the size, in pixels, that the longer side of the result is fitted to; pictures are never enlarged.
	// 0 or more than 4096 means 4096: larger textures fail on some graphics cards.
	LongSide int
	// Unsmoothed reduces by picking pixels instead of mixing them. Set it for heatmaps, whose values must stay as sent.
	Unsmoothed bool
}

// DefaultLimits accepts every picture that the service accepts (50 MB) and that phones make (108 million pixels). A
// progressive JPEG of the full 120 million pixels needs up to 1.8 GB for a moment, a baseline one 360 MB at most.
var DefaultLimits = Limits{MaxPixels: 120_000_000, MaxBytes: 50 << 20, LongSide: longestSide}

// settled returns the limits with every zero field filled in.
func (l Limits) settled() Limits {
	if l.MaxPixels <= 0 {
		l.MaxPixels = DefaultLimits.MaxPixels
	}
	if l.MaxBytes <= 0 {
		l.MaxBytes = DefaultLimits.MaxBytes
	}
	if l.LongSide <= 0 || l.LongSide > longestSide {
		l.LongSide = longestSide
	}
	return l
}

// Reason is why a picture cannot be shown.
type Reason int

// The reasons for which Decode refuses a picture.
const (
	// Empty: the file has no bytes.
	Empty Reason = iota + 1
	// UnknownFormat: the first bytes are of no format that Assay decodes.
	UnknownFormat
	// TooManyBytes: the encoded picture is over Limits.MaxBytes.
	TooManyBytes
	// TooManyPixels: the header claims more than Limits.MaxPixels.
	TooManyPixels
	// BreaksOff: the data ends before the picture does.
	BreaksOff
	// Damaged: the data contradicts itself, or is of a variant that the decoder doesn't support.
	Damaged
)

// Unreadable is the error for a picture that cannot be shown. Its text is a sentence for the person; Unwrap returns the
// decoder's error.
type Unreadable struct {
	Reason Reason
	Format string      // as in Picture; "" where it is not known
	Size   image.Point // in pixels, as the header claims it; zero where it could not be read
	Limits Limits      // those in force
	Err    error       // may be nil
}

// Error returns the sentence.
func (u *Unreadable) Error() string {
	switch u.Reason {
	case Empty:
		return i18n.T("This file is empty: there is no picture in it.")
	case UnknownFormat:
		return i18n.T("Assay can't show this file as a picture. It shows JPEG, PNG, GIF, WebP, HEIC, TIFF and BMP.")
	case TooManyBytes:
		return i18n.F("This picture is larger than %s, so Assay did not open it.", bytesInWords(u.Limits.MaxBytes))
	case TooManyPixels:
		return i18n.F("This %s picture claims %s × %s pixels. That is over the limit of %s pixels, so Assay did not open it.",
			u.Format, i18n.Count(u.Size.X), i18n.Count(u.Size.Y), i18n.Count(u.Limits.MaxPixels))
	case BreaksOff:
		return i18n.F("This %s picture breaks off: the end of the file is missing.", u.Format)
	default:
		return i18n.F("This %s picture is damaged or of an unusual kind, so Assay can't show it.", u.Format)
	}
}

// Unwrap returns the decoder's own error, which may be nil.
func (u *Unreadable) Unwrap() error { return u.Err }

// bytesInWords formats a limit: in megabytes (1024 × 1024 bytes) if it is a whole number of them, else in bytes.
func bytesInWords(n int64) string {
	if n >= 1<<20 && n%(1<<20) == 0 {
		return i18n.F("%s MB", i18n.Count(int(n>>20)))
	}
	return i18n.Bytes(n)
}
