package video

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"assay/client/sandbox/forensics"

	"github.com/abema/go-mp4"
)

// track is what a container states about one track.
type track struct {
	id                uint32
	handler           string // "vide", "soun", …
	handlerName       string
	codec             string // four characters: "avc1", "mp4a", …
	compressor        string
	language          string
	created, modified time.Time
	seconds           float64
	width, height     int // pixels as stored
	rotation          int // degrees clockwise: 0, 90, 180, 270
	samples           uint32
	channels, rate    int // of sound
	edits             []map[string]any
}

// mostEdits is how many entries of an edit list are reported.
const mostEdits = 32

// read reads the box trak.
func (t *track) read(ctx context.Context, boxes *boxes, track box, f *facts) error {
	var visit func(box) error
	visit = func(b box) error {
		switch b.kind {
		case "edts", "mdia", "minf", "stbl":
			return boxes.each(ctx, b.start, b.end, visit)
		case "tkhd":
			return t.readHeader(boxes, b)
		case "mdhd":
			var mdhd mp4.Mdhd
			if err := boxes.fields(b, &mdhd); err != nil {
				return err
			}
			t.created, t.modified = epochTime(mdhd.GetCreationTime()), epochTime(mdhd.GetModificationTime())
			t.seconds = seconds(mdhd.GetDuration(), mdhd.Timescale, mdhd.Version)
			if l := mdhd.Language; l[0] > 0 && l[1] > 0 && l[2] > 0 { // each is a letter minus 0x60
				t.language = forensics.Clean(string([]byte{l[0] + 0x60, l[1] + 0x60, l[2] + 0x60}), 3)
			}
		case "hdlr":
			var hdlr mp4.Hdlr
			if err := boxes.fields(b, &hdlr); err != nil {
				return err
			}
			// QuickTime has a second one, of the data, below minf.
			if t.handler == "" {
				t.handler, t.handlerName = forensics.Clean(string(hdlr.HandlerType[:]), 8), forensics.Clean(hdlr.Name, 80)
			}
		case "elst":
			return t.readEdits(boxes, b)
		case "stsd":
			return t.readCodec(ctx, boxes, b)
		case "stsz":
			// Version and flags, a common size, and the number of samples. Their
			// sizes, of which there may be a million, aren't needed.
			head, err := boxes.payload(box{b.kind, b.start, min(b.end, b.start+12)}, 12)
			if err != nil {
				return err
			}
			if len(head) == 12 {
				t.samples = binary.BigEndian.Uint32(head[8:])
			}
		case "udta", "meta":
			f.readTexts(ctx, boxes, b)
		}
		return nil
	}
	return boxes.each(ctx, track.start, track.end, visit)
}

func (t *track) readHeader(boxes *boxes, b box) error {
	var tkhd mp4.Tkhd
	if err := boxes.fields(b, &tkhd); err != nil {
		return err
	}
	t.id = tkhd.TrackID
	t.width, t.height = int(tkhd.Width>>16), int(tkhd.Height>>16)
	switch m := tkhd.Matrix; {
	case m[1] > 0 && m[3] < 0:
		t.rotation = 90
	case m[0] < 0 && m[4] < 0:
		t.rotation = 180
	case m[1] < 0 && m[3] > 0:
		t.rotation = 270
	}
	return nil
}

// readEdits reads which parts of the track are played. Since it expresses delays of the encoder
// as well as cuts, it has no points.
func (t *track) readEdits(boxes *boxes, b box) error {
	var elst mp4.Elst
	if err := boxes.fields(b, &elst); err != nil {
		return err
	}
	for i := range elst.Entries[:min(len(elst.Entries), mostEdits)] {
		t.edits = append(t.edits, map[string]any{"media_time": elst.GetMediaTime(i), "duration": elst.GetSegmentDuration(i)})
	}
	return nil
}

// readCodec reads the first description of samples.
func (t *track) readCodec(ctx context.Context, boxes *boxes, b box) error {
	const head = 8 // version, flags, number of entries
	if b.end-b.start < head {
		return fmt.Errorf("%w: %q is too short", errBoxes, b.kind)
	}
	return boxes.each(ctx, b.start+head, b.end, func(entry box) error {
		if t.codec != "" {
			return nil
		}
		t.codec = forensics.Clean(entry.kind, 8)
		switch t.handler {
		case "vide":
			var visual mp4.VisualSampleEntry // the layout is the same for every codec
			visual.SetType(mp4.BoxTypeAvc1())
			if err := boxes.fields(entry, &visual); err != nil {
				return err
			}
			if visual.Width > 0 && visual.Height > 0 {
				t.width, t.height = int(visual.Width), int(visual.Height)
			}
			name := visual.Compressorname
			t.compressor = forensics.Clean(string(bytes.TrimRight(name[1:1+min(31, int(name[0]))], "\x00")), 32)
		case "soun":
			var audio mp4.AudioSampleEntry
			audio.SetType(mp4.BoxTypeMp4a())
			if err := boxes.fields(entry, &audio); err != nil {
				return err
			}
			t.channels, t.rate = int(audio.ChannelCount), int(audio.SampleRate>>16)
		}
		return nil
	})
}

// asData returns the track for JSON.
func (t *track) asData() map[string]any {
	d := map[string]any{"id": t.id, "handler": t.handler, "codec": t.codec, "duration": t.seconds, "samples": t.samples}
	for key, text := range map[string]string{"handler_name": t.handlerName, "compressor": t.compressor, "language": t.language} {
		if text != "" {
			d[key] = text
		}
	}
	switch t.handler {
	case "vide":
		d["width"], d["height"], d["rotation"] = t.width, t.height, t.rotation
	case "soun":
		d["channels"], d["sample_rate"] = t.channels, t.rate
	}
	if len(t.edits) > 0 {
		d["edits"] = t.edits
	}
	putTime(d, "created", t.created)
	putTime(d, "modified", t.modified)
	return d
}
