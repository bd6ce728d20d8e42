package facts

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"

	"assay/client/i18n"
	"assay/client/media/container"
)

// longestTagText bounds the bytes that are read of one tag.
const longestTagText = 64 << 10

// id3Tags are the frames that identify something, by their four letters, and by version 2.2's three.
var id3Tags = map[string]knownTag{
	"TIT1": {"Content", Description}, "TIT2": {"Title", Description}, "TT2": {"Title", Description}, "TIT3": {"Subtitle", Description},
	"TPE1": {"Artist", Author}, "TP1": {"Artist", Author}, "TPE2": {"Album's artist", Author}, "TP2": {"Album's artist", Author},
	"TPE3": {"Conductor", Author}, "TPE4": {"Changed by", Author}, "TCOM": {"Composer", Author}, "TCM": {"Composer", Author}, "TEXT": {"Writer", Author},
	"TOPE": {"Original artist", Author}, "TOLY": {"Original writer", Author}, "TALB": {"Album", Description}, "TAL": {"Album", Description},
	"TCOP": {"Copyright", Author}, "TCR": {"Copyright", Author}, "TPUB": {"Publisher", Author}, "TPB": {"Publisher", Author}, "TENC": {"Encoded by", Author},
	"TEN": {"Encoded by", Author}, "TOWN": {"Owner", Author}, "TRSO": {"Station's owner", Author}, "TSSE": {"Made with", Device}, "TSS": {"Made with", Device},
	"TDRC": {"Recorded", Time}, "TYER": {"Year", Time}, "TYE": {"Year", Time}, "TDAT": {"Date", Time}, "TIME": {"Time", Time}, "TDEN": {"Encoded", Time},
	"TDTG": {"Tagged", Time}, "TDRL": {"Released", Time}, "TDOR": {"First released", Time}, "TOFN": {"Original file name", Identifier},
	"TOF": {"Original file name", Identifier}, "TSRC": {"Recording's unique number", Identifier}, "TCON": {"Genre", Description}, "TCO": {"Genre", Description},
	"TRCK": {"Track", Description}, "TRK": {"Track", Description}, "COMM": {"Comment", Description}, "COM": {"Comment", Description},
	"USLT": {"Lyrics", Description}, "ULT": {"Lyrics", Description}, "UFID": {"Unique number", Identifier}, "UFI": {"Unique number", Identifier},
	"PRIV": {"Data of a program", Identifier}, "GEOB": {"Enclosed object", Description}, "GEO": {"Enclosed object", Description},
}

// mostID3Tags bounds how many tags of a file are read; usually there is one.
const mostID3Tags = 11

// readID3 reads the tags before and after a recording.
func (f *Facts) readID3(src *source) {
	at := int64(0)
	for range mostID3Tags {
		tag, ok := src.ID3At(at)
		if !ok || len(f.Embedded) == mostFields {
			break
		}
		f.readID3Tag(src, tag)
		at = tag.Whole.End
	}
	if _, more := src.ID3At(at); more {
		f.Incomplete = true
	}
	behind, _ := src.TagsBehind(at)
	for _, tag := range behind {
		switch tag.Kind {
		case container.ID3v1:
			f.readID3v1(src.Bytes(container.Between(tag.Whole.End-128, tag.Whole.End), 128))
		case container.APE:
			f.readAPE(src.Bytes(tag.Whole, longestPacket))
			f.Incomplete = f.Incomplete || tag.Whole.Length() > longestPacket
		default:
			f.tag("ID3", tag.Kind, i18n.Bytes(tag.Whole.Length()))
		}
	}
}

// id3Objects are frames that hold pictures and files, of which only the size is shown.
var id3Objects = []string{"APIC", "PIC", "GEOB", "GEO"}

func (f *Facts) readID3Tag(src *source, tag container.ID3) {
	if inside, same, ok := src.Unsynchronised(tag); ok {
		f.readID3Tag(&source{inside, src.unpackable}, same)
		f.Incomplete = f.Incomplete || inside.Damaged()
		return
	}
	src.ID3Frames(tag, func(b block) bool {
		content, ok := src.id3Content(tag, b)
		if f.Incomplete = f.Incomplete || !ok; len(content) == 0 {
			return true
		}
		f.Incomplete = f.Incomplete || b.Content.Length() > longestPacket && !slices.Contains(id3Objects, b.Kind)
		switch b.Kind {
		case "APIC", "PIC":
			f.Thumbnail = true
		case "UFID", "UFI", "PRIV":
			owner, rest, _ := bytes.Cut(content, []byte{0})
			f.tag("ID3", b.Kind, strings.TrimSpace(latin(owner)+" "+valueText(rest)))
		case "GEOB", "GEO":
			// Credentials are read elsewhere, but not from a tag whose unsynchronisation had to be undone first.
			if !bytes.Contains(content[:min(len(content), 100)], []byte("c2pa")) || src.Size() != f.Size {
				f.tag("ID3", b.Kind, i18n.Bytes(b.Content.Length()))
			}
		case "COMM", "COM", "USLT", "ULT":
			const language = 3
			f.tag("ID3", b.Kind, described(content[0], content[min(len(content), 1+language):]))
		case "TXXX", "TXX", "WXXX", "WXX":
			name, value := describedParts(content[0], content[1:])
			if b.Kind[0] == 'W' {
				value = latin(bytes.Trim([]byte(value), "\x00"))
			}
			if name == "" {
				name = b.Kind
			}
			f.tag("ID3", name, value)
		default:
			switch b.Kind[0] {
			case 'T':
				f.tag("ID3", fourText(b.Kind), listed(encoded(content[0], content[1:])))
			case 'W':
				f.tag("ID3", fourText(b.Kind), latin(content))
			default:
				f.tag("ID3", fourText(b.Kind), i18n.Bytes(b.Content.Length()))
			}
		}
		return len(f.Embedded) < mostFields
	})
}

// id3Content is a frame's content, decompressed; ok is false if it is encrypted or damaged.
func (s *source) id3Content(tag container.ID3, b block) (content []byte, ok bool) {
	const flags, all = 9, 0xff
	content = s.Bytes(b.Content, longestPacket)
	head, ok := s.Head(b.Whole.Start, flags+1)
	if !ok || tag.Version < 3 || head[flags]&all == 0 {
		return content, true
	}
	// The version determines which fields come before the content, and which flags mean compression.
	grouped, encrypted, compressed, prefix := head[flags]&0x20 != 0, head[flags]&0x40 != 0, head[flags]&0x80 != 0, 0
	if compressed {
		prefix += 4
	}
	if tag.Version >= 4 {
		grouped, encrypted, compressed, prefix = head[flags]&0x40 != 0, head[flags]&0x04 != 0, head[flags]&0x08 != 0, 0
		if head[flags]&0x02 != 0 {
			content = container.Synchronised(content)
		}
		if head[flags]&0x01 != 0 {
			prefix += 4
		}
	}
	if grouped {
		prefix++
	}
	content = content[min(prefix, len(content)):]
	switch {
	case encrypted:
		return content, false
	case compressed:
		return container.Inflate(content, longestPacket, s.unpackable)
	}
	return content, true
}

// described joins a description and a text that follows it.
func described(encoding byte, content []byte) string {
	name, text := describedParts(encoding, content)
	if name == "" {
		return text
	}
	return name + ": " + text
}

func describedParts(encoding byte, content []byte) (name, text string) {
	name, text, _ = strings.Cut(encoded(encoding, content), "\x00")
	return name, listed(strings.TrimPrefix(text, "\ufeff"))
}

// readID3v1 reads the oldest kind of tag, of 128 bytes.
func (f *Facts) readID3v1(tag []byte) {
	const length = 128
	if len(tag) < length {
		return
	}
	f.tag("ID3v1", "title", anyText(tag[3:33]))
	f.tag("ID3v1", "artist", anyText(tag[33:63]))
	f.tag("ID3v1", "album", anyText(tag[63:93]))
	f.tag("ID3v1", "year", anyText(tag[93:97]))
	comment := tag[97:127]
	if end := len(comment) - 2; comment[end] == 0 { // a zero, followed by the track's number
		comment = comment[:end]
	}
	f.tag("ID3v1", "comment", anyText(comment))
}

// readAPE reads the items of an APE tag: each has a length, flags, a zero-terminated name and the value.
func (f *Facts) readAPE(tag []byte) {
	const header, binaryItem = 32, 2
	if len(tag) >= header && string(tag[:8]) == "APETAGEX" {
		tag = tag[header:]
	}
	for len(tag) > 8 && !bytes.HasPrefix(tag, []byte("APETAGEX")) && len(f.Embedded) < mostFields {
		length, flags := int64(binary.LittleEndian.Uint32(tag)), binary.LittleEndian.Uint32(tag[4:])
		name, rest, ok := bytes.Cut(tag[8:], []byte{0})
		if !ok || length > int64(len(rest)) {
			f.Incomplete = true
			return
		}
		value := listed(string(rest[:length]))
		if flags&binaryItem != 0 {
			value = i18n.Bytes(length)
			f.Thumbnail = f.Thumbnail || strings.HasPrefix(strings.ToLower(string(name)), "cover")
		}
		f.tag("APE", string(name), value)
		tag = rest[length:]
	}
}
