package video

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"strings"

	"assay/client/sandbox/forensics"

	"github.com/abema/go-mp4"
)

// The types of uuid boxes of interest: C2PA's (C2PA specification, annex A.5) and
// XMP's (XMP specification, part 3).
const (
	uuidC2PA = "d8fec3d61b0e483c92975828877ec481"
	uuidXMP  = "be7acfcb97a942e89c71999491e3afac"
)

// readTexts reads the texts in a box udta or meta. Damage in it ends the
// reading of that box only: a clip plays without it.
func (f *facts) readTexts(ctx context.Context, boxes *boxes, b box) {
	if err := f.readTextsIn(ctx, boxes, b, &[]string{}); err != nil {
		f.notes = append(f.notes, "A part of the clip's metadata could not be read.")
	}
}

// readTextsIn reads the boxes of udta, meta or ilst. keys are the names to which
// the items of QuickTime's ilst refer by number, from 1.
func (f *facts) readTextsIn(ctx context.Context, boxes *boxes, b box, keys *[]string) error {
	start := b.start
	if b.kind == "meta" {
		// ISO puts a version and flags in front of the boxes, QuickTime doesn't.
		head, err := boxes.payload(box{b.kind, b.start, min(b.end, b.start+8)}, 8)
		if err != nil {
			return err
		}
		if len(head) == 8 && string(head[4:]) != "hdlr" {
			start += 4
		}
	}
	return boxes.each(ctx, start, b.end, func(item box) error {
		switch {
		case item.kind == "meta" && b.kind == "udta", item.kind == "ilst" && b.kind == "meta":
			return f.readTextsIn(ctx, boxes, item, keys)
		case item.kind == "keys" && b.kind == "meta":
			var named mp4.Keys
			if err := boxes.fields(item, &named); err != nil {
				return err
			}
			for _, key := range named.Entries {
				*keys = append(*keys, string(key.KeyValue))
			}
		case b.kind == "ilst":
			return f.readItem(ctx, boxes, item, *keys)
		case item.kind == "XMP_":
			packet, err := boxes.payload(item, mostPayload)
			if err != nil {
				return err
			}
			f.traces = append(f.traces, forensics.XMPTraces(packet)...)
		case item.kind[0] == 0xa9:
			// QuickTime: a length, a language, the text.
			data, err := boxes.payload(item, smallPayload)
			if err != nil {
				return err
			}
			if len(data) > 4 {
				length := int(binary.BigEndian.Uint16(data))
				f.addText(item.kind[1:], string(data[4:min(len(data), 4+length)]))
			}
		}
		return nil
	})
}

// readItem reads an item of ilst, whose text is in a box data after its type
// and its locale.
func (f *facts) readItem(ctx context.Context, boxes *boxes, item box, keys []string) error {
	name := strings.TrimPrefix(item.kind, "\xa9")
	if n := binary.BigEndian.Uint32([]byte(item.kind)); n >= 1 && uint64(n) <= uint64(len(keys)) {
		name = keys[n-1]
	}
	return boxes.each(ctx, item.start, item.end, func(b box) error {
		const head, utf8Text = 8, 1
		if b.kind != "data" || b.end-b.start > mostPayload {
			return nil
		}
		data, err := boxes.payload(b, mostPayload)
		if err != nil {
			return err
		}
		if len(data) > head && binary.BigEndian.Uint32(data) == utf8Text {
			f.addText(name, string(data[head:]))
		}
		return nil
	})
}

// readUUID reads a uuid box, if it is C2PA's or XMP's.
func (f *facts) readUUID(boxes *boxes, b box) {
	data, err := boxes.payload(b, mostPayload)
	if err != nil || len(data) < 16 {
		return
	}
	switch kind, content := hex.EncodeToString(data[:16]), data[16:]; kind {
	case uuidXMP:
		f.traces = append(f.traces, forensics.XMPTraces(content)...)
	case uuidC2PA:
		// Version and flags, the zero-terminated purpose, and for a manifest
		// the offset of another box.
		const flags, offset = 4, 8
		if len(content) < flags {
			return
		}
		purpose, store, found := bytes.Cut(content[flags:], []byte{0})
		if !found || string(purpose) != "manifest" || len(store) < offset {
			return
		}
		traces, has := forensics.StoreTraces(store[offset:])
		f.traces, f.manifest = append(f.traces, traces...), f.manifest || has
	}
}

// addText keeps and judges a text under a name. A place is not kept.
func (f *facts) addText(key, text string) {
	name := strings.ToLower(key)
	if name == "xyz" || strings.Contains(name, "location") {
		f.located = true
		return
	}
	if len(f.traces) < mostTexts {
		f.traces = append(f.traces, textTrace(name, text))
	}
}

// generators are names of services that only generate clips, as
// they appear where a program names itself; lower case. Encoders and editors (Lavf,
// HandBrake, Premiere, CapCut) are left out: most clips of the press pass through one.
var generators = []string{"openai sora", "runwayml", "pika labs", "kling ai", "klingai", "luma dream machine", "hailuo ai", "synthesia", "heygen"}

// textTrace judges a text by what generators of pictures leave in files, which
// those of clips (ComfyUI's, say) write into comments, and by names of programs.
func textTrace(key, text string) forensics.Trace {
	field := key
	switch key {
	case "swr", "too", "encoder", "enc", "com.apple.quicktime.software", "software":
		field = "software"
		for _, name := range generators {
			if strings.Contains(strings.ToLower(text), name) {
				return forensics.NewTrace("MP4", key, text, 0.95, name)
			}
		}
	case "cmt", "comment", "com.apple.quicktime.comment":
		field = "comment"
		if strings.Contains(text, `"class_type"`) {
			field = "prompt" // ComfyUI's graph
		}
	}
	t := forensics.TextTrace("MP4", field, text)
	t.Key = forensics.Clean(key, 64)
	return t
}
