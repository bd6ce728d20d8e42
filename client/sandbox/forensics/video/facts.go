package video

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"assay/client/media/container"
	"assay/client/sandbox/forensics"

	"github.com/abema/go-mp4"
)

const (
	mostTracks = 64
	// mostSide is the largest width or height that a clip may claim, in pixels.
	mostSide = 16_384
	// mostTexts is how many metadata texts are kept.
	mostTexts = 100
)

// facts is what a clip's container states.
type facts struct {
	brand             string
	brands            []string
	created, modified time.Time // zero: not stated
	seconds           float64   // 0: not stated
	width, height     int       // pixels as shown
	tracks            []*track
	picture, sound    *track // the first of each; sound may be nil
	fragmented        bool
	indexFirst        bool // the description comes before the media data
	manifest          bool // a C2PA manifest
	located           bool // a place is stated; it is not kept
	traces            []forensics.Trace
	notes             []string
}

// readFacts reads the boxes of a clip of size bytes.
func readFacts(ctx context.Context, r io.ReaderAt, size int64) (*facts, error) {
	boxes := &boxes{src: container.NewSource(ctx, r, size), left: mostBoxes}
	f := &facts{}
	var movie, media, first bool
	err := boxes.each(ctx, 0, size, func(b box) error {
		if !first && !slices.Contains([]string{"ftyp", "moov", "mdat", "wide", "free", "skip", "pnot", "styp"}, b.kind) {
			return errNoClip
		}
		first = true
		switch b.kind {
		case "ftyp":
			var ftyp mp4.Ftyp
			if err := boxes.fields(b, &ftyp); err != nil {
				return err
			}
			f.brand = forensics.Clean(string(ftyp.MajorBrand[:]), 8)
			for _, c := range ftyp.CompatibleBrands[:min(len(ftyp.CompatibleBrands), 32)] {
				f.brands = append(f.brands, forensics.Clean(string(c.CompatibleBrand[:]), 8))
			}
		case "moov":
			if movie {
				return fmt.Errorf("%w: two descriptions", errBoxes)
			}
			movie = true
			f.indexFirst = !media
			return f.readMovie(ctx, boxes, b)
		case "mdat":
			media = true
		case "moof":
			f.fragmented = true
		case "uuid":
			f.readUUID(boxes, b)
		}
		return nil
	})
	var overrun *overrun
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, errNoClip), err == nil && !first:
		return nil, &forensics.Unreadable{Sentence: "This is no MP4 or QuickTime clip.", Cause: err}
	case errors.As(err, &overrun) && !first:
		return nil, &forensics.Unreadable{Sentence: "This is no MP4 or QuickTime clip.", Cause: err}
	case errors.As(err, &overrun) && movie && media && !slices.Contains([]string{"mdat", "moov", "moof"}, overrun.kind):
		f.notes = append(f.notes, "Bytes that are no box follow the clip.")
	case errors.As(err, &overrun):
		return nil, &forensics.Unreadable{Sentence: "The clip is damaged or was cut short.", Cause: err}
	case errors.Is(err, errBoxes):
		return nil, &forensics.Unreadable{Sentence: "The clip is damaged.", Cause: err}
	case err != nil:
		return nil, fmt.Errorf("reading the clip: %w", err)
	}
	if !movie {
		return nil, &forensics.Unreadable{Sentence: "The clip has no description of its tracks; it was probably cut short."}
	}
	if !media {
		return nil, &forensics.Unreadable{Sentence: "The clip holds no media data; it was probably cut short."}
	}
	if err := f.settle(); err != nil {
		return nil, err
	}
	return f, nil
}

// errNoClip means that a file doesn't begin with the boxes of a clip.
var errNoClip = errors.New("the file begins with no box of a clip")

// readMovie reads the box moov.
func (f *facts) readMovie(ctx context.Context, boxes *boxes, movie box) error {
	var scale uint32
	return boxes.each(ctx, movie.start, movie.end, func(b box) error {
		switch b.kind {
		case "mvhd":
			var mvhd mp4.Mvhd
			if err := boxes.fields(b, &mvhd); err != nil {
				return err
			}
			scale = mvhd.Timescale
			f.created, f.modified = epochTime(mvhd.GetCreationTime()), epochTime(mvhd.GetModificationTime())
			f.seconds = seconds(mvhd.GetDuration(), scale, mvhd.Version)
		case "mvex":
			f.fragmented = true
			return boxes.each(ctx, b.start, b.end, func(b box) error {
				if b.kind != "mehd" {
					return nil
				}
				var mehd mp4.Mehd
				if err := boxes.fields(b, &mehd); err != nil {
					return err
				}
				length := uint64(mehd.FragmentDurationV0)
				if mehd.Version == 1 {
					length = mehd.FragmentDurationV1
				}
				f.seconds = max(f.seconds, seconds(length, scale, mehd.Version))
				return nil
			})
		case "trak":
			if len(f.tracks) == mostTracks {
				return fmt.Errorf("%w: too many tracks", errBoxes)
			}
			t := &track{}
			f.tracks = append(f.tracks, t)
			return t.read(ctx, boxes, b, f)
		case "udta", "meta":
			f.readTexts(ctx, boxes, b)
		}
		return nil
	})
}

// settle chooses the tracks, combines their facts, and refuses clips that can't be shown.
func (f *facts) settle() error {
	for _, t := range f.tracks {
		switch {
		case t.handler == "vide" && f.picture == nil:
			f.picture = t
		case t.handler == "soun" && f.sound == nil:
			f.sound = t
		}
		if f.seconds == 0 {
			f.seconds = t.seconds
		}
	}
	if f.picture == nil {
		return &forensics.Unreadable{Sentence: "The clip has no picture track."}
	}
	f.width, f.height = f.picture.width, f.picture.height
	if f.picture.rotation%180 != 0 {
		f.width, f.height = f.height, f.width
	}
	if f.width <= 0 || f.height <= 0 || f.width > mostSide || f.height > mostSide {
		return &forensics.Unreadable{Sentence: fmt.Sprintf("The clip claims a picture of %d × %d pixels.", f.width, f.height)}
	}
	if !f.created.IsZero() && f.modified.Sub(f.created) > time.Minute {
		f.notes = append(f.notes, "The container was changed after it was created.")
	}
	if f.sound != nil && f.sound.seconds > 0 && f.picture.seconds > 0 && math.Abs(f.sound.seconds-f.picture.seconds) > 1 {
		f.notes = append(f.notes, "Picture and sound differ in length by more than a second.")
	}
	return nil
}

// asData returns the facts for Report.Facts.
func (f *facts) asData() map[string]any {
	tracks := make([]map[string]any, 0, len(f.tracks))
	for _, t := range f.tracks {
		tracks = append(tracks, t.asData())
	}
	texts := []map[string]any{}
	for _, t := range f.traces {
		texts = append(texts, t.Data())
	}
	d := map[string]any{
		"major_brand": f.brand, "compatible_brands": f.brands, "duration": f.seconds,
		"tracks": tracks, "texts": texts, "notes": f.notes, "fragmented": f.fragmented,
		"index_before_media": f.indexFirst, "location_present": f.located,
		"c2pa_manifest": f.manifest, "c2pa_signature_verified": false,
	}
	putTime(d, "created", f.created)
	putTime(d, "modified", f.modified)
	return d
}

func putTime(d map[string]any, key string, t time.Time) {
	if !t.IsZero() {
		d[key] = t.Format(time.RFC3339)
	}
}

// epochTime converts seconds since 1904, which containers use. Zero
// means that a program stated no time; so does a number beyond 32 bits.
func epochTime(seconds uint64) time.Time {
	if seconds == 0 || seconds > math.MaxUint32 {
		return time.Time{}
	}
	return time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(seconds) * time.Second)
}

// seconds converts a duration to seconds; all ones mean that it is unknown.
func seconds(duration uint64, scale uint32, version uint8) float64 {
	if scale == 0 || version == 0 && duration == math.MaxUint32 || duration == math.MaxUint64 {
		return 0
	}
	return float64(duration) / float64(scale)
}
