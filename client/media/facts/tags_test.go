package facts_test

import (
	"bytes"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/client/assert"
	"assay/client/media/facts"
	"assay/client/media/mediatest"
)

// The parts that files are put together from.
var (
	insert, zeros, padded            = mediatest.Insert, mediatest.Zeros, mediatest.Padded
	be32, le32                       = mediatest.BE32, mediatest.LE32
	segment, pngChunk, isoBox        = mediatest.Segment, mediatest.PNGChunk, mediatest.Box
	text, rationals, directory       = mediatest.ASCII, mediatest.Rationals, mediatest.Directory
	riff, chunkOf                    = mediatest.RIFF, mediatest.Chunk
	id3Tag, id3Frame, vorbisComments = mediatest.ID3, mediatest.ID3Frame, mediatest.VorbisComments
	flacBlock, oggPage, deflated     = mediatest.FLACBlock, mediatest.OggPage, mediatest.Deflated
)

func plainJPEG(t testing.TB) []byte { return mediatest.JPEG(t, mediatest.Drawing(), 75) }
func plainPNG(t testing.TB) []byte  { return mediatest.PNG(t, mediatest.Drawing()) }
func plainGIF(t testing.TB) []byte  { return mediatest.GIF(t, mediatest.Drawing()) }

// said are a file's tags as "key: value", and "!" before those that identify.
func said(f facts.Facts) []string {
	var all []string
	for _, field := range f.Embedded {
		mark := ""
		if field.Identifying {
			mark = "!"
		}
		if field.Raw != "" {
			field.Value += " | " + field.Raw
		}
		all = append(all, mark+field.Key+" ("+field.Label+"): "+field.Value)
	}
	return all
}

func TestTags(t *testing.T) {
	const mp3 = "\xff\xfb\x90\x00"
	sound := mp3 + zeros(413)
	gifPlain := string(plainGIF(t))
	for name, c := range map[string]struct {
		data      string
		want      []string
		thumbnail bool
		tracks    []string
		trailing  int64
	}{
		"ID3 of version 2.3": {
			data: id3Tag(3, id3Frame("TIT2", "\x00Caf\xe9"), id3Frame("TPE1", "\x01\xff\xfeA\x00.\x00"), id3Frame("TSSE", "\x03Lavf"), id3Frame("COMM", "\x00engnote\x00words"),
				id3Frame("UFID", "example.org\x00abc"), id3Frame("TXXX", "\x00Serial number\x00123"), id3Frame("WOAR", "https://example.org"), id3Frame("APIC", "\x00image/png\x00\x03\x00x"),
				id3Frame("TZZZ", "\x00one\x00two")) + sound,
			want: []string{
				"ID3 TIT2 (Title): Café", "!ID3 TPE1 (Artist): A.", "ID3 TSSE (Made with): Lavf", "ID3 COMM (Comment): note: words", "!ID3 UFID (Unique number): example.org abc",
				"!ID3 Serial number (Serial number): 123", "ID3 WOAR (WOAR): https://example.org", "ID3 TZZZ (TZZZ): one / two",
			},
			thumbnail: true,
		},
		"ID3 of version 2.2, and version 1 behind": {
			data: id3Tag(2, id3Frame("TP1", "\x00A. Name")) + sound + "TAG" + padded("Title", 30) + padded("B. Name", 30) + padded("", 30) + "2026" + padded("note", 30) + "\x01",
			want: []string{"!ID3 TP1 (Artist): A. Name", "ID3v1 title (Title): Title", "!ID3v1 artist (Artist): B. Name", "ID3v1 year (Date): 2026", "ID3v1 comment (Comment): note"},
		},
		"FLAC": {
			data: "fLaC\x00\x00\x00\x22" + zeros(34) + "\x84\x00\x00" + string([]byte{byte(len(vorbisComments("prog", "ARTIST=A. Name", "LOCATION=48, 11", "x=y")))}) +
				vorbisComments("prog", "ARTIST=A. Name", "LOCATION=48, 11", "x=y"),
			want: []string{"Vorbis vendor (Made with): prog", "!Vorbis artist (Artist): A. Name", "!Vorbis location (Position): 48, 11", "Vorbis x (x): y"},
		},
		"WAV": {
			data: "RIFF" + le32(900) + "WAVE" + chunkOf("LIST", "INFO"+chunkOf("IART", "A. Name\x00")+chunkOf("ISFT", "Rec")) +
				chunkOf("bext", padded("Talk", 256)+padded("Radio", 32)+padded("REF1", 32)+"2026-05-01"+"10:20:30"+zeros(10)+strings.Repeat("\xab", 64)+zeros(190)) +
				chunkOf("iXML", "<BWFXML><TAPE>T1</TAPE></BWFXML>"),
			want: []string{
				"!WAV IART (Artist): A. Name", "WAV ISFT (Software): Rec", "WAV Description (Description): Talk", "!WAV Originator (Originator): Radio",
				"!WAV OriginatorReference (Originator's reference): REF1", "WAV OriginationDate (Recorded): 2026-05-01", "WAV OriginationTime (Time): 10:20:30",
				"!WAV UMID (Unique number): " + strings.Repeat("ab", 64), "!WAV TAPE (Tape): T1",
			},
		},
		"PNG": {
			data: string(insert(plainPNG(t), 33, pngChunk("tEXt", "Author\x00A. Name")+pngChunk("tEXt", "parameters\x00a cat")+pngChunk("iTXt", "Comment\x00\x00\x00de\x00Notiz\x00Wörter")+
				pngChunk("zTXt", "Title\x00\x00\x78\x9c\x73\x4e\x2c\x51\x00\x00\x03\x0d\x01\x39")+pngChunk("tIME", "\x07\xea\x05\x01\x0a\x14\x1e"))) + "behind",
			want: []string{
				"!PNG author (Author): A. Name", "PNG parameters (parameters): a cat", "PNG comment (Comment): Wörter", "PNG title (Title): Cat",
				"PNG time (Changed): 2026-05-01 10:20:30 UTC",
			},
			trailing: 6,
		},
		"GIF": {
			data:     gifPlain[:len(gifPlain)-1] + "!\xfe\x05words\x00;" + "behind!",
			want:     []string{"GIF comment (Comment): words"},
			trailing: 7,
		},
		"QuickTime": {
			data: isoBox("ftyp", "qt  \x00\x00\x00\x00") + isoBox("moov",
				isoBox("mvhd", be32(0)+be32(3860590830)+be32(0)+be32(1000)+be32(2500)+zeros(80))+
					isoBox("trak", isoBox("mdia", isoBox("hdlr", zeros(8)+"meta\x00\x00\x00\x00")))+
					isoBox("trak", isoBox("mdia", isoBox("hdlr", zeros(8)+"vide\x00\x00\x00\x00")))+
					isoBox("udta", isoBox("\xa9xyz", "\x00\x11\x00\x00+48.1000-011.5000")+isoBox("\xa9ART", "\x00\x07\x00\x00A. Name")+isoBox("CAME", "\x01\x02")+isoBox("GPMF", strings.Repeat("\xff", 300)))+
					isoBox("meta", isoBox("hdlr", "mdta")+isoBox("keys", be32(0)+be32(2)+isoBox("mdta", "com.apple.quicktime.location.ISO6709")+isoBox("mdta", "com.apple.quicktime.model"))+
						isoBox("ilst", isoBox("\x00\x00\x00\x01", isoBox("data", be32(1)+be32(0)+"+48.10-011.50+500/"))+isoBox("\x00\x00\x00\x02", isoBox("data", be32(1)+be32(0)+"Phone 1"))))),
			want: []string{
				"MP4 made (Made): 2026-05-02 18:20:30 UTC", "!MP4 ©xyz (Position): 48.100000, -11.500000 | +48.1000-011.5000", "!MP4 ©ART (Artist): A. Name",
				"!MP4 CAME (Camera's serial number): 1 2", "MP4 GPMF (GPMF): 300 bytes",
				"!MP4 com.apple.quicktime.location.iso6709 (Position): 48.100000, -11.500000 | +48.10-011.50+500/", "MP4 com.apple.quicktime.model (Camera): Phone 1",
			},
			tracks: []string{"data with times, such as positions or movements"},
		},
		"iTunes and 3GPP": {
			data: isoBox("ftyp", "M4A \x00\x00\x00\x00") + isoBox("moov", isoBox("udta", isoBox("loci", be32(0)+"\x15\xc7Munich\x00\x00"+be32(11<<16)+be32(48<<16)+be32(0)+"earth\x00\x00")+
				isoBox("auth", be32(0)+"\x15\xc7A. Name\x00")+
				isoBox("meta", be32(0)+isoBox("hdlr", zeros(8)+"mdir")+isoBox("ilst", isoBox("\xa9nam", isoBox("data", be32(1)+be32(0)+"Talk"))+isoBox("covr", isoBox("data", be32(13)+be32(0)+"jpeg"))+
					isoBox("tmpo", isoBox("data", be32(21)+be32(0)+"\x00\x78"))+isoBox("----", isoBox("mean", be32(0)+"com")+isoBox("name", be32(0)+"SERIAL")+isoBox("data", be32(1)+be32(0)+"77")))))),
			want:      []string{"!MP4 loci (Position): Munich 48.000000, 11.000000", "!MP4 auth (Author): A. Name", "MP4 ©nam (Title): Talk", "MP4 tmpo (tmpo): 120", "!MP4 SERIAL (SERIAL): 77"},
			thumbnail: true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := read(t, []byte(c.data), "")
			assert.Equal(t, c.want, said(f))
			if f.Thumbnail != c.thumbnail || f.Trailing != c.trailing || !cmp.Equal(f.Tracks, c.tracks) {
				t.Errorf("thumbnail %v, %d bytes behind the end, tracks %q", f.Thumbnail, f.Trailing, f.Tracks)
			}
		})
	}
	t.Run("recordings that begin with a tag are told apart by what is behind it", func(t *testing.T) {
		for want, sound := range map[facts.Format]string{facts.FLAC: "fLaC", facts.AAC: "\xff\xf1\x50\x80", facts.MP3: mp3} {
			if f := read(t, []byte(id3Tag(3, id3Frame("TIT2", "\x00T"))+sound), ""); f.Format != want || len(f.Embedded) == 0 {
				t.Errorf("%s, %+v", f.Format, f.Embedded)
			}
		}
	})
}

func TestIdentifying(t *testing.T) {
	position := []mediatest.Field{text(1, "N"), rationals(2, 48, 1, 30, 1, 0, 1), text(3, "E"), rationals(4, 11, 1, 30, 1, 0, 1)}
	data := withEXIF(t, position, text(0x10f, "Maker"), text(0x13b, "A. Name"), rationals(0x829d, 28, 10), text(0x9003, "2026:05:01 10:20:30"), text(0xa431, "12345"), text(0x10e, "At the pier"))
	data = append(insert(data, 2, segment(0xe1, "http://ns.adobe.com/xap/1.0/\x00<x xmpMM:InstanceID='xmp.iid:1' iptc:DigitalSourceType='http://example.org/digitalCapture'/>")), "behind"...)
	f := read(t, data, "a.jpg")
	f.Tracks, f.Thumbnail, f.Credentials = []string{"timecode"}, true, facts.Credentials{State: facts.Intact, Signer: "A. Camera"}
	want := []facts.Identified{
		{Kind: facts.Position, Label: "Position", Value: "48.500000, 11.500000"},
		{Kind: facts.Serial, Label: "Camera's serial number", Value: "12345"},
		{Kind: facts.Author, Label: "Artist", Value: "A. Name"},
		{Kind: facts.Device, Label: "Camera maker", Value: "Maker"},
		{Kind: facts.Identifier, Label: "Version's number", Value: "xmp.iid:1"},
		{Kind: facts.Time, Label: "Taken", Value: "2026-05-01 10:20:30 (no time zone given)"},
		{Kind: facts.Description, Label: "Description", Value: "At the pier"},
		{Kind: facts.Track, Label: "Other tracks", Value: "timecode"},
		{Kind: facts.Thumbnail, Label: "A small picture inside", Value: "It may show what was cut out of the file later."},
		{Kind: facts.Credential, Label: "Content credentials", Value: "They are signed by A. Camera."},
		{Kind: facts.Trailing, Label: "Data after the end", Value: "6 bytes after the end, which Assay does not read."},
	}
	assert.Equal(t, want, facts.Identifying(f))
	t.Run("kinds are in that order, each with a label", func(t *testing.T) {
		for i, kind := range facts.Kinds() {
			if kind != want[i].Kind || kind.Label() == string(kind) {
				t.Errorf("%d: %s, %q", i, kind, kind.Label())
			}
		}
	})
	t.Run("a plain picture says nothing", func(t *testing.T) {
		if found := facts.Identifying(read(t, plainJPEG(t), "a.jpg")); len(found) > 0 {
			t.Errorf("%+v", found)
		}
	})
}

func TestPackedTexts(t *testing.T) {
	const packet = 3 << 20 // bytes that one of them gives
	packed := deflated(strings.Repeat("a", packet))
	pictures := func(kind, start string) []byte {
		return insert(plainPNG(t), 33, strings.Repeat(pngChunk(kind, start+packed), 300)+pngChunk("tEXt", "Author\x00B. Name"))
	}
	for name, data := range map[string][]byte{
		"a PNG's packed texts":        pictures("zTXt", "Comment\x00\x00"),
		"a PNG's international texts": pictures("iTXt", "Comment\x00\x01\x00\x00\x00"),
		"a PNG's raw profiles":        pictures("zTXt", "Raw profile type exif\x00\x00"),
		"a PNG's XMP":                 pictures("iTXt", "XML:com.adobe.xmp\x00\x01\x00\x00\x00"),
		"frames of ID3":               []byte("ID3\x03\x00\x00\x00\x7f\x7f\x7f" + strings.Repeat("TPE1"+be32(4+len(packed))+"\x00\x80"+be32(packet)+packed, 300)),
	} {
		t.Run("more than 16 MB of them are not unpacked, "+name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			f := read(t, data, "a")
			runtime.ReadMemStats(&after)
			if !f.Incomplete {
				t.Errorf("says:\n%s", values(f))
			}
			// 300 of them are 900 MB, and buffers that grow are copied.
			if allocated := (after.TotalAlloc - before.TotalAlloc) >> 20; allocated > 400 {
				t.Errorf("%d MB are allocated", allocated)
			}
		})
	}
	t.Run("beside a packed profile that is damaged a text is shown, and the damage is said", func(t *testing.T) {
		f := read(t, insert(plainPNG(t), 33, pngChunk("zTXt", "Raw profile type exif\x00\x00"+packed[:20])+pngChunk("tEXt", "Author\x00B. Name")), "a.png")
		if !f.Incomplete || !hasField(f, "PNG author", "B. Name") {
			t.Errorf("incomplete %v, says:\n%s", f.Incomplete, values(f))
		}
	})
}

func TestFLACInOgg(t *testing.T) {
	page := func(flags byte, number int, packets ...string) string {
		return oggPage(flags, 7, number, false, packets...)
	}
	const first = "\x7fFLAC\x01\x00\x00\x01fLaC\x00\x00\x00\x22"
	stream := func(blocks ...string) []byte {
		return []byte(page(2, 0, first+strings.Repeat("\x07", 34)) + page(0, 1, blocks...) + page(4, 2, "\xff\xf8 sound and more sound"))
	}
	long := vorbisComments("prog", "COMMENT="+strings.Repeat("x", 400), "ARTIST=Jane Doe")
	for name, c := range map[string]struct {
		data       []byte
		incomplete bool
	}{
		"comments that are the last block":          {stream(flacBlock(0x84, vorbisComments("prog", "ARTIST=Jane Doe"))), false},
		"comments with padding behind them":         {stream(flacBlock(4, vorbisComments("prog", "ARTIST=Jane Doe")), flacBlock(0x81, zeros(100))), false},
		"comments longer than 255 bytes":            {stream(flacBlock(0x84, long)), false},
		"comments behind other blocks":              {stream(flacBlock(3, zeros(18)), flacBlock(0x84, vorbisComments("prog", "ARTIST=Jane Doe"))), false},
		"comments whose length claims more":         {stream("\x84\x01\x00\x00" + vorbisComments("prog", "ARTIST=Jane Doe")), true},
		"comments, and sound where blocks ought to": {stream(flacBlock(4, vorbisComments("prog", "ARTIST=Jane Doe"))), true},
	} {
		t.Run(name, func(t *testing.T) {
			if f := read(t, c.data, "a.ogg"); !hasField(f, "Vorbis artist", "Jane Doe") || f.Incomplete != c.incomplete {
				t.Errorf("incomplete %v, says:\n%s", f.Incomplete, values(f))
			}
		})
	}
	t.Run("a program's own data and a picture behind the comments", func(t *testing.T) {
		f := read(t, stream(flacBlock(4, vorbisComments("prog", "ARTIST=Jane Doe")), flacBlock(6, "picture"), flacBlock(0x82, "riffBerlin")), "a.ogg")
		if !f.Thumbnail || !hasField(f, "FLAC data of", "riff") || f.Incomplete {
			t.Errorf("incomplete %v, thumbnail %v, says:\n%s", f.Incomplete, f.Thumbnail, values(f))
		}
	})
	t.Run("comments of a stream behind another one", func(t *testing.T) {
		plain := []byte(page(2, 0, "OpusHead\x01\x02\x38\x01\x80\xbb\x00\x00\x00\x00\x00") + page(0, 1, "OpusTags"+vorbisComments("prog")) + page(4, 2, "sound"))
		for name, data := range map[string][]byte{
			"with its number":          append(bytes.Clone(plain), stream(flacBlock(0x84, vorbisComments("prog", "ARTIST=Jane Doe")))...),
			"with a number of its own": append(bytes.ReplaceAll(plain, []byte("\x07\x00\x00\x00"), []byte("\x08\x00\x00\x00")), stream(flacBlock(0x84, vorbisComments("prog", "ARTIST=Jane Doe")))...),
		} {
			if f := read(t, data, "a.ogg"); !hasField(f, "Vorbis artist", "Jane Doe") || f.Incomplete {
				t.Errorf("%s: incomplete %v, says:\n%s", name, f.Incomplete, values(f))
			}
		}
	})
}
