package forensics

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"strings"

	"github.com/abema/go-mp4"
)

// The types of uuid boxes of interest: C2PA's (C2PA specification, annex A.5) and
// XMP's (XMP specification, part 3).
const (
	uuidC2PA = "d8fec3d61b0e483c92975828877ec481"
	uuidXMP  = "be7acfcb97a942e89c71999491e3afac"
)

// readTexts reads what a box udta or meta says in words. Damage in there ends the
// reading of that box alone: a clip plays without it.
func (f *videoFacts) readTexts(ctx context.Context, boxes *videoBoxes, b videoBox) {
	if err := f.readTextsIn(ctx, boxes, b, &[]string{}); err != nil {
		f.notes = append(f.notes, "A part of the clip's metadata could not be read.")
	}
}

// readTextsIn goes through the boxes of udta, meta or ilst. keys are the names that
// QuickTime's ilst counts, from 1.
func (f *videoFacts) readTextsIn(ctx context.Context, boxes *videoBoxes, b videoBox, keys *[]string) error {
	start := b.start
	if b.kind == "meta" {
		// ISO puts a version and flags in front of the boxes, QuickTime doesn't.
		head, err := boxes.payload(videoBox{b.kind, b.start, min(b.end, b.start+8)}, 8)
		if err != nil {
			return err
		}
		if len(head) == 8 && string(head[4:]) != "hdlr" {
			start += 4
		}
	}
	return boxes.each(ctx, start, b.end, func(item videoBox) error {
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
			packet, err := boxes.payload(item, mostVideoPayload)
			if err != nil {
				return err
			}
			f.traces = append(f.traces, packetTraces(packet)...)
		case item.kind[0] == 0xa9:
			// QuickTime: a length, a language, the text.
			data, err := boxes.payload(item, smallVideoPayload)
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

// readItem reads an item of ilst, whose text lies in a box data behind its type
// and its locale.
func (f *videoFacts) readItem(ctx context.Context, boxes *videoBoxes, item videoBox, keys []string) error {
	name := strings.TrimPrefix(item.kind, "\xa9")
	if n := binary.BigEndian.Uint32([]byte(item.kind)); n >= 1 && uint64(n) <= uint64(len(keys)) {
		name = keys[n-1]
	}
	return boxes.each(ctx, item.start, item.end, func(b videoBox) error {
		const head, utf8Text = 8, 1
		if b.kind != "data" || b.end-b.start > mostVideoPayload {
			return nil
		}
		data, err := boxes.payload(b, mostVideoPayload)
		if err != nil {
			return err
		}
		if len(data) > head && binary.BigEndian.Uint32(data) == utf8Text {
			f.addText(name, string(data[head:]))
		}
		return nil
	})
}

// readUUID reads a box of a type of its own, where it is C2PA's or XMP's.
func (f *videoFacts) readUUID(boxes *videoBoxes, b videoBox) {
	data, err := boxes.payload(b, mostVideoPayload)
	if err != nil || len(data) < 16 {
		return
	}
	switch kind, content := hex.EncodeToString(data[:16]), data[16:]; kind {
	case uuidXMP:
		f.traces = append(f.traces, packetTraces(content)...)
	case uuidC2PA:
		// Version and flags, the purpose with a zero behind it, and for a manifest
		// the offset of another box.
		const flags, offset = 4, 8
		if len(content) < flags {
			return
		}
		purpose, store, found := bytes.Cut(content[flags:], []byte{0})
		if !found || string(purpose) != "manifest" || len(store) < offset {
			return
		}
		f.readManifests(store[offset:])
	}
}

// readManifests reads a C2PA manifest store; as in pictures the last manifest is
// the clip's own and the others are its ingredients'.
func (f *videoFacts) readManifests(data []byte) {
	for _, store := range superboxes(data) {
		if store.label != "c2pa" {
			continue
		}
		for i, manifest := range store.boxes {
			f.manifest = true
			for _, t := range manifestTraces(manifest) {
				if i < len(store.boxes)-1 {
					t.where, t.points = "C2PA ingredient", min(t.points, ingredientPoints)
				}
				f.traces = append(f.traces, t)
			}
		}
	}
}

// addText keeps and judges a text under a name. A place is not kept.
func (f *videoFacts) addText(key, text string) {
	name := strings.ToLower(key)
	if name == "xyz" || strings.Contains(name, "location") {
		f.located = true
		return
	}
	if len(f.traces) < mostVideoTexts {
		f.traces = append(f.traces, videoTextTrace(name, text))
	}
}

// videoGenerators are names of services that do nothing but generate clips, as
// they appear where a program names itself; lower case. Encoders and editors (Lavf,
// HandBrake, Premiere, CapCut) are left out: most clips of the press pass through one.
var videoGenerators = []string{"openai sora", "runwayml", "pika labs", "kling ai", "klingai", "luma dream machine", "hailuo ai", "synthesia", "heygen"}

// videoTextTrace judges a text by what generators of pictures leave in files, which
// those of clips (ComfyUI's, say) write into comments, and by names of programs.
func videoTextTrace(key, text string) trace {
	field := key
	switch key {
	case "swr", "too", "encoder", "enc", "com.apple.quicktime.software", "software":
		field = "software"
		for _, name := range videoGenerators {
			if strings.Contains(strings.ToLower(text), name) {
				return newTrace("MP4", key, text, 0.95, name)
			}
		}
	case "cmt", "comment", "com.apple.quicktime.comment":
		field = "comment"
		if strings.Contains(text, `"class_type"`) {
			field = "prompt" // ComfyUI's graph
		}
	}
	t := fromText("MP4", field, text)
	t.key = clean(key, 64)
	return t
}
