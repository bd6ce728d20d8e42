package facts

import (
	"bytes"

	"assay/client/media/container"
)

// wavTags are the chunks of LIST INFO, and the fields of the broadcast extension and of iXML that identify something.
var wavTags = map[string]knownTag{
	"IART": {"Artist", Author}, "ICMT": {"Comment", Description}, "ICOP": {"Copyright", Author}, "ICRD": {"Date", Time}, "IENG": {"Engineer", Author},
	"INAM": {"Title", Description}, "ISFT": {"Software", Device}, "ITCH": {"Technician", Author}, "IPRD": {"Album", Description}, "IKEY": {"Keywords", Description},
	"ISBJ": {"Subject", Description}, "ISRC": {"Source", Author}, "ICMS": {"Commissioned by", Author}, "IARL": {"Archive", Author}, "IGNR": {"Genre", Description},
	"ISRF":        {"Original form", Description},
	"Description": {"Description", Description}, "Originator": {"Originator", Author}, "OriginatorReference": {"Originator's reference", Identifier},
	"OriginationDate": {"Recorded", Time}, "OriginationTime": {"Time", Time}, "UMID": {"Unique number", Identifier}, "CodingHistory": {"Coding history", Device},
	"PROJECT": {"Project", Description}, "SCENE": {"Scene", Description}, "TAPE": {"Tape", Identifier}, "TAKE": {"Take", Description}, "NOTE": {"Comment", Description},
	"FILE_UID": {"Unique number", Identifier}, "FAMILY_UID": {"Unique number", Identifier}, "UBITS": {"User bits", Identifier},
}

// wavFigures are the fields of iXML that only describe the recording's technical setup.
var wavFigures = map[string]bool{
	"IXML_VERSION": true, "FILE_SAMPLE_RATE": true, "AUDIO_BIT_DEPTH": true, "DIGITIZER_SAMPLE_RATE": true, "TIMECODE_RATE": true, "TIMECODE_FLAG": true,
	"MASTER_SPEED": true, "CURRENT_SPEED": true, "TRACK_COUNT": true, "CHANNEL_INDEX": true, "INTERLEAVE_INDEX": true, "WORD_COUNT": true,
}

// readWAVTags reads a WAV's metadata.
func (f *Facts) readWAVTags(src *source) {
	id3Tags := 0
	src.RIFFChunks(func(b block) bool {
		switch b.Kind {
		case "LIST":
			const form = 4
			kind, ok := src.Head(b.Content.Start, min(form, b.Content.Length()))
			if !ok || string(kind) != "INFO" {
				f.ownData("WAV", "LIST", fourText(string(kind)), b.Content.Length())
				break
			}
			src.Chunks(container.Between(b.Content.Start+form, b.Content.End), func(b block) bool {
				f.tag("WAV", fourText(b.Kind), anyText(f.textIn(src, b.Content)))
				return len(f.Embedded) < mostFields
			})
		case "bext":
			f.readBroadcast(f.textIn(src, b.Content))
		case "iXML":
			properties, whole := xmpProperties(src.Bytes(b.Content, longestPacket), func(name string) bool { return !wavFigures[name] })
			f.Incomplete = f.Incomplete || !whole
			for _, p := range properties {
				f.tag("WAV", p.Name, p.Value)
			}
		case "id3 ", "ID3 ":
			if id3Tags++; id3Tags > mostID3Tags {
				f.Incomplete = true
				break
			}
			f.readID3Chunk(src, b)
		case "fmt ", "fact", "data", "_PMX", "XMP ", "C2PA", "PEAK", "cue ", "smpl", "inst":
		case "JUNK", "junk", "PAD ", "FLLR":
			if data := src.Bytes(b.Content, longestPacket); len(bytes.TrimLeft(data, "\x00")) > 0 || b.Content.Length() > longestPacket {
				f.ownData("WAV", b.Kind, src.head(b), b.Content.Length())
			}
		default:
			f.ownData("WAV", fourText(b.Kind), src.head(b), b.Content.Length())
		}
		return len(f.Embedded) < mostFields
	})
}

// readID3Chunk reads the ID3 tag in a chunk. Anything else in the chunk, also after the tag, is not read.
func (f *Facts) readID3Chunk(src *source, chunk block) {
	tag, ok := src.ID3In(chunk.Content)
	if !ok {
		f.ownData("WAV", fourText(chunk.Kind), src.head(chunk), chunk.Content.Length())
		return
	}
	f.readID3Tag(src, tag)
	behind := container.Between(tag.Whole.End, chunk.Content.End)
	f.Incomplete = f.Incomplete || behind.Length() > longestPacket || len(bytes.Trim(src.Bytes(behind, longestPacket), "\x00")) > 0
}

// readBroadcast reads the broadcast extension (EBU Tech 3285), whose fields have fixed lengths.
func (f *Facts) readBroadcast(data []byte) {
	const history, umid, umidLength = 602, 348, 64
	for _, field := range []struct {
		name       string
		start, end int
	}{
		{"Description", 0, 256}, {"Originator", 256, 288}, {"OriginatorReference", 288, 320}, {"OriginationDate", 320, 330}, {"OriginationTime", 330, 338},
		{"CodingHistory", history, len(data)},
	} {
		if field.end <= len(data) && field.start < field.end {
			f.tag("WAV", field.name, anyText(data[field.start:field.end]))
		}
	}
	if len(data) >= umid+umidLength {
		if value := data[umid : umid+umidLength]; string(value) != string(make([]byte, umidLength)) {
			f.tag("WAV", "UMID", hexText(value))
		}
	}
}
