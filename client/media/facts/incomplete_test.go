package facts_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay/client/media/facts"
	"assay/client/media/mediatest"
)

const mayHoldMore = "Assay could not read all of this file. It may contain more."

const xmpOfB = "<x:xmpmeta><rdf:RDF><rdf:Description><dc:creator><rdf:Seq><rdf:li>B. Name</rdf:li></rdf:Seq></dc:creator></rdf:Description></rdf:RDF></x:xmpmeta>"

// iptc is a dataset of the record that says whose a picture is.
func iptc(number byte, text string) string {
	return string([]byte{0x1c, 2, number, 0, byte(len(text))}) + text
}

// resource is one of Photoshop's.
func resource(number, content string) string {
	return "8BIM" + number + "\x00\x00" + be32(len(content)) + content + zeros(len(content)%2)
}

// values are all that a file says, each on a line of its own.
func values(f facts.Facts) string {
	var all []string
	for _, field := range slices.Concat(f.EXIF, f.Embedded) {
		all = append(all, field.Key+": "+field.Value)
	}
	return strings.Join(all, "\n")
}

// wholeFiles are one of each format that say who made them, and nothing that can't be read.
func wholeFiles(t testing.TB) map[string][]byte {
	sound := strings.Repeat("\xff\xfb\x90\x00"+zeros(413), 3)
	comments := vorbisComments("prog", "ARTIST=B. Name")
	return map[string][]byte{
		"a.jpg":  withEXIF(t, nil, text(0x13b, "B. Name")),
		"a.png":  insert(plainPNG(t), 33, pngChunk("tEXt", "Author\x00B. Name")),
		"a.gif":  insert(plainGIF(t), len(plainGIF(t))-1, "!\xfe\x07B. Name\x00"),
		"a.webp": riff("WEBP", chunkOf("VP8X", "\x0c"+zeros(9)), mediatest.OnePixelWebP, chunkOf("XMP ", xmpOfB)),
		"a.wav":  riff("WAVE", mediatest.WAVFormat, chunkOf("data", "sound!"), chunkOf("LIST", "INFO"+chunkOf("IART", "B. Name\x00"))),
		"a.mp3":  []byte(id3Tag(3, id3Frame("TPE1", "\x00B. Name")) + sound),
		"a.flac": []byte("fLaC\x00\x00\x00\x22" + strings.Repeat("\x07", 34) + "\x84\x00\x00" + string([]byte{byte(len(comments))}) + comments + "\xff\xf8"),
		"a.ogg":  []byte(oggPage(2, 7, 0, false, "OpusHead\x01\x02\x38\x01\x80\xbb\x00\x00\x00\x00\x00") + oggPage(0, 7, 1, false, "OpusTags"+comments) + oggPage(4, 7, 2, false, "sound and more sound")),
		"a.mp4":  []byte(isoBox("ftyp", "isom\x00\x00\x00\x00") + isoBox("moov", isoBox("mvhd", zeros(100))+isoBox("udta", isoBox("\xa9ART", "\x00\x07\x00\x00B. Name"))) + isoBox("mdat", "pictures")),
	}
}

func TestWhatCannotBeReadIsSaid(t *testing.T) {
	for name, data := range wholeFiles(t) {
		t.Run("nothing of a whole "+name, func(t *testing.T) {
			if f := read(t, data, name); f.Incomplete || len(f.Notes) > 0 || !strings.Contains(values(f), "B. Name") {
				t.Errorf("incomplete %v, notes %q, says %s", f.Incomplete, f.Notes, values(f))
			}
		})
		t.Run("the end of a cut "+name, func(t *testing.T) {
			if f := read(t, data[:len(data)-3], name); (!f.Incomplete || f.Notes[0] != mayHoldMore) && !strings.HasSuffix(name, "mp3") && !strings.HasSuffix(name, "flac") {
				t.Errorf("incomplete %v, notes %q", f.Incomplete, f.Notes)
			}
		})
	}
	// The sound of these has no end of its own; their tags have.
	for _, name := range []string{"a.mp3", "a.flac"} {
		data := wholeFiles(t)[name]
		t.Run("the end of the tags of "+name, func(t *testing.T) {
			if f := read(t, data[:bytes.Index(data, []byte("Name"))], name); !f.Incomplete {
				t.Errorf("says %s", values(f))
			}
		})
	}
	for name, data := range map[string]string{
		"a.tif": "II*\x00\x08\x00\x00\x00", "a.heic": isoBox("ftyp", "heic\x00\x00\x00\x00"), "a.pdf": "%PDF-1.7", "a.mkv": "\x1aE\xdf\xa3\x01", "a.bmp": "BM12345678", "a.bin": "\x00\x01\x02", "a.zip": "PK\x03\x04",
	} {
		t.Run("all of a kind that is not looked into, "+name, func(t *testing.T) {
			if f := read(t, []byte(data), name); !f.Incomplete || f.Notes[0] != mayHoldMore {
				t.Errorf("%+v", f)
			}
		})
	}
	t.Run("but not of a text", func(t *testing.T) {
		if f := read(t, []byte("Words."), "a.txt"); f.Incomplete {
			t.Errorf("%+v", f)
		}
	})
	t.Run("more fields than are shown", func(t *testing.T) {
		var chunks []string
		for i := range 500 {
			chunks = append(chunks, pngChunk("tEXt", fmt.Sprintf("Key%d\x00value", i)))
		}
		if f := read(t, insert(plainPNG(t), 33, strings.Join(chunks, "")), "a.png"); !f.Incomplete || len(f.Embedded) != 400 {
			t.Errorf("%d fields, incomplete %v", len(f.Embedded), f.Incomplete)
		}
	})
}

// TestDamageCostsOnlyWhatIsDamaged holds that what stands beside damage is read, as other readers do, and that the damage is said.
func TestDamageCostsOnlyWhatIsDamaged(t *testing.T) {
	plain, exif := string(plainPNG(t)), "MM\x00*\x00\x00\x00\x08"
	author := text(0x13b, "B. Name")
	unknown := mediatest.Field{Tag: 0x9999, Kind: 77, Count: 1, Value: "what"}
	outside := mediatest.Field{Tag: 0x10e, Kind: 2, Count: 1 << 20, Value: "\x00\x00\x01\x00"}
	long := strings.Repeat("x", 300)
	for name, c := range map[string]struct {
		data       []byte
		incomplete bool
	}{
		"an XMP chunk that ends within its key": {insert([]byte(plain), 33, pngChunk("iTXt", "XML:com.adobe.xmp")+pngChunk("iTXt", "XML:com.adobe.xmp\x00")+pngChunk("iTXt", "XML:com.adobe.xmp\x00\x00\x00\x00\x00"+xmpOfB)), true},
		"a text with a wrong checksum":          {bytes.Replace(insert([]byte(plain), 33, pngChunk("tEXt", "Author\x00B. Name")), []byte("B. Name"), []byte("B. Name"), 1), false},
		"a packed text that breaks off":         {insert([]byte(plain), 33, pngChunk("zTXt", "Comment\x00\x00"+deflated("B. Name" + long)[:20])+pngChunk("tEXt", "Author\x00B. Name")), true},
		"XMP that is no XML":                    {insert(plainJPEG(t), 2, segment(0xe1, "http://ns.adobe.com/xap/1.0/\x00"+strings.TrimSuffix(xmpOfB, "</x:xmpmeta>")+"<<<")), true},
		"EXIF behind an unknown type":           {withEXIF(t, nil, unknown, author), true},
		"EXIF behind a value outside":           {withEXIF(t, nil, outside, author), true},
		"EXIF with more entries than there are": {bytes.Replace(withEXIF(t, nil, author), []byte(exif+"\x00\x01"), []byte(exif+"\x70\x01"), 1), true},
		"EXIF in a second segment":              {insert(withEXIF(t, nil, text(0x110, "Camera")), 2, segment(0xe1, "Exif\x00\x00"+exif+directory(8, author))), false},
		"EXIF behind a segment that lies":       {insert(withEXIF(t, nil, author), 2, "\xff\xe5\x00\x01junk"), true},
		"EXIF behind bytes of nobody":           {insert(withEXIF(t, nil, author), 2, "\xff\xfe\x00\x04hijunk"), true},
		"EXIF of a PNG with a raw profile":      {insert([]byte(plain), 33, pngChunk("zTXt", "Raw profile type exif\x00\x00"+deflated("\nexif\n      40\n"+hexLines("Exif\x00\x00"+exif+directory(8, author))))), false},
		"IPTC behind a resource of odd length":  {insert(plainJPEG(t), 2, segment(0xed, "Photoshop 3.0\x00"+resource("\x03\xe9", "odd")+resource("\x04\x04", iptc(80, "B. Name")))), false},
		"IPTC in a second segment":              {insert(plainJPEG(t), 2, segment(0xed, "Photoshop 3.0\x00"+resource("\x03\xe9", "even"))+segment(0xed, "Photoshop 3.0\x00"+resource("\x04\x04", iptc(80, "B. Name")))), false},
		"IPTC that is cut short":                {insert(plainJPEG(t), 2, segment(0xed, "Photoshop 3.0\x00"+resource("\x04\x04", iptc(80, "B. Name")+"\x1c\x02\x78\x00\x50short"))), true},
		"XMP that goes on in other segments":    {insert(plainJPEG(t), 2, extended(xmpOfB)), false},
		"a comment of a JPEG":                   {insert(plainJPEG(t), 2, segment(0xfe, "B. Name")), false},
		"ID3 without synchronisation":           {[]byte("ID3\x03\x00\x80\x00\x00\x00\x20" + "TIT2\x00\x00\x00\x02\x00\x00\x00\xff\x00" + "TPE1\x00\x00\x00\x08\x00\x00\x00B. Name" + "\x00" + "\xff\xfb\x90\x00"), false},
		"an ID3 frame that is packed":           {[]byte(id3Tag(3, "TPE1"+be32(4+len(deflated("\x00B. Name")))+"\x00\x80"+be32(8)+deflated("\x00B. Name")) + "\xff\xfb\x90\x00"), false},
		"an ID3 frame that is encrypted":        {[]byte(id3Tag(3, id3Frame("TPE1", "\x00B. Name"), "TIT2"+be32(5)+"\x00\x40\x01????") + "\xff\xfb\x90\x00"), true},
		"ID3 4 with the lengths of ID3 3":       {[]byte(id3Tag(4, id3Frame("TIT2", "\x00"+long), id3Frame("TPE1", "\x00B. Name")) + "\xff\xfb\x90\x00"), false},
		"comments that count too many":          {[]byte("fLaC\x00\x00\x00\x22" + strings.Repeat("\x07", 34) + "\x84\x00\x00\x1e" + le32(4) + "prog" + le32(9) + le32(14) + "ARTIST=B. Name"), true},
		"a track of a clip":                     {[]byte(isoBox("ftyp", "isom\x00\x00\x00\x00") + isoBox("moov", isoBox("trak", isoBox("mdia", isoBox("hdlr", zeros(8)+"vide"+zeros(12)+"B. Name\x00"))))), false},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "a text with a wrong checksum" {
				c.data[bytes.Index(c.data, []byte("B. Name"))+len("B. Name")] ^= 0xff
			}
			f := read(t, c.data, "a")
			if !strings.Contains(values(f), "B. Name") || f.Incomplete != c.incomplete {
				t.Errorf("incomplete %v, notes %q, says:\n%s", f.Incomplete, f.Notes, values(f))
			}
		})
	}
	t.Run("a position keeps its sign where a directory of interoperability stands before it", func(t *testing.T) {
		// The fields of both have the same numbers.
		const at = 8 + 2 + 2*12 + 4
		interop := directory(at+2+12+4, text(1, "R98"), mediatest.Field{Tag: 2, Kind: 7, Count: 4, Value: "0100"})
		exifDirectory := directory(at, mediatest.Long(0xa005, at+2+12+4)) + interop
		position := directory(at+len(exifDirectory), text(1, "S"), rationals(2, 33, 1, 51, 1, 2540, 100), text(3, "W"), rationals(4, 151, 1, 12, 1, 4000, 100))
		block := "MM\x00*\x00\x00\x00\x08" + directory(8, mediatest.Long(0x8769, at), mediatest.Long(0x8825, at+len(exifDirectory))) + exifDirectory + position
		f := read(t, insert(plainJPEG(t), 2, segment(0xe1, "Exif\x00\x00"+block)), "a.jpg")
		if got := field(t, f.EXIF, "GPSPosition"); got.Value != "-33.857056, -151.211111" || f.Incomplete {
			t.Errorf("%+v, notes %q", got, f.Notes)
		}
	})
	t.Run("one half of a position", func(t *testing.T) {
		f := read(t, withEXIF(t, []mediatest.Field{text(1, "S"), rationals(2, 33, 1, 51, 1, 2540, 100)}, text(0x110, "Camera")), "a.jpg")
		if !slices.ContainsFunc(facts.Identifying(f), func(one facts.Identified) bool {
			return one.Kind == facts.Position && strings.HasPrefix(one.Value, "33.85")
		}) {
			t.Errorf("says:\n%s", values(f))
		}
	})
	t.Run("what a program has put there is named, though nobody knows what it says", func(t *testing.T) {
		for name, data := range map[string][]byte{
			"APP12 Picture Info": insert(plainJPEG(t), 2, segment(0xec, "Picture Info\x00Serial=1")),
			"prVt":               insert([]byte(plain), 33, pngChunk("prVt", "what")),
			"zzzz":               riff("WEBP", mediatest.OnePixelWebP, chunkOf("zzzz", "what")),
			"uuid":               []byte(isoBox("ftyp", "isom\x00\x00\x00\x00") + isoBox("moov", "") + isoBox("uuid", "0123456789abcdefwhat")),
		} {
			f := read(t, data, "a")
			if !slices.ContainsFunc(facts.Identifying(f), func(one facts.Identified) bool {
				return one.Kind == facts.Identifier && one.Label == "Data of a program" && strings.HasPrefix(one.Value, name)
			}) {
				t.Errorf("%s: %+v", name, facts.Identifying(f))
			}
		}
	})
}

// hexLines writes a profile as ImageMagick puts it into a PNG.
func hexLines(data string) string {
	digits, lines := hex.EncodeToString([]byte(data)), ""
	for ; len(digits) > 72; digits = digits[72:] {
		lines += digits[:72] + "\n"
	}
	return lines + digits + "\n"
}

// extended is a packet over two segments, behind one that says that there is more.
func extended(packet string) string {
	const id = "0123456789ABCDEF0123456789ABCDEF"
	head, half := "http://ns.adobe.com/xmp/extension/\x00"+id+be32(len(packet)), len(packet)/2
	return segment(0xe1, "http://ns.adobe.com/xap/1.0/\x00<x/>") + segment(0xe1, head+be32(half)+packet[half:]) + segment(0xe1, head+be32(0)+packet[:half])
}
