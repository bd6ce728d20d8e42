package strip

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/gopxl/beep/v2/flac"

	"assay/client/media/container"
	"assay/client/media/facts"
	"assay/client/media/mediatest"
)

func talkingID3() string {
	return mediatest.ID3(4, id3Frame("TPE1", "\x03"+secret), id3Frame("COMM", "\x00eng\x00"+secret), id3Frame("TXXX", "\x03Serial\x00"+secret), id3Frame("TIT2", "\x01\xff\xfe"+string(utf16(secret))),
		id3Frame("UFID", "http://example.org\x00"+secret), id3Frame("PRIV", secret+"\x00data"), id3Frame("APIC", "\x00image/jpeg\x00\x03\x00"+secret), id3Frame("GEOB", "\x00a/b\x00\x00\x00"+secret))
}

// tagsBehind is one of each kind of tag that stands behind a recording.
func tagsBehind() string {
	item := le32(len(secret)) + le32(0) + "Artist\x00" + secret
	ape := "APETAGEX" + le32(2000) + le32(len(item)+32) + le32(1) + le32(-1<<31|1<<29) + zeros(8) + item +
		"APETAGEX" + le32(2000) + le32(len(item)+32) + le32(1) + le32(-1<<31) + zeros(8)
	lyrics := fmt.Sprintf("LYRICSBEGININD0000210LYR%05d%s", len(secret), secret)
	v1 := ("TAG" + secret + zeros(128))[:128]
	return ape + lyrics + fmt.Sprintf("%06d", len(lyrics)) + "LYRICS200" + v1
}

func adtsFrames(n int) string {
	const length = 50
	head := string([]byte{0xff, 0xf1, 0x50, 0x80 | length>>11, length >> 3 & 0xff, length&7<<5 | 0x1f, 0xfc})
	return strings.Repeat(head+strings.Repeat("\x11", length-7), n)
}

func TestMP3(t *testing.T) {
	t.Run("frames alone are kept", func(t *testing.T) {
		removed := copied(t, join(talkingID3(), talkingID3(), mp3Frames(5), talkingID3(), mp3Frames(4), tagsBehind()), facts.MP3, []byte(mp3Frames(9)))
		checkReported(t, removed, facts.Author, facts.Identifier, facts.Description, facts.Thumbnail)
	})
	t.Run("what stands among the frames and is none is passed over, as players do", func(t *testing.T) {
		copied(t, join(mp3Frames(3), "\x00\x00"+secret, mp3Frames(2)), facts.MP3, []byte(mp3Frames(5)))
	})
	t.Run("too much of it is damage", func(t *testing.T) {
		refused(t, join(mp3Frames(3), strings.Repeat("x", mostStray+1), mp3Frames(2)), facts.MP3, ErrDamaged)
		refused(t, []byte(talkingID3()), facts.MP3, ErrDamaged)
	})
	t.Run("a tag that claims sound is damage", func(t *testing.T) {
		foot := func(length int) string {
			return "APETAGEX" + le32(2000) + le32(length) + le32(0) + le32(-1<<31) + zeros(8)
		}
		refused(t, join(mp3Frames(9), foot(32+417*4)), facts.MP3, ErrDamaged)
		refused(t, join(mp3Frames(9), foot(32+100)), facts.MP3, ErrDamaged)
		mustCopy(t, join(mp3Frames(9), secret, foot(len(secret))), facts.MP3)
	})
}

func TestADTS(t *testing.T) {
	copied(t, join(talkingID3(), adtsFrames(5), talkingID3(), adtsFrames(4), tagsBehind()), facts.AAC, []byte(adtsFrames(9)))
}

func TestWAV(t *testing.T) {
	format := "\x01\x00\x01\x00\x40\x1f\x00\x00\x40\x1f\x00\x00\x01\x00\x08\x00"
	sound := strings.Repeat("\x80\x90\x70", 1001)
	broadcast := padded(secret, 256) + padded(secret, 32) + padded(secret, 32) +
		"2026-05-0110:20:30" + zeros(8+2) + (secret + strings.Repeat("\x01", 64))[:64] + zeros(190) + secret
	info := "INFO" + riffPart("IART", secret+"\x00") + riffPart("ICMT", secret) + riffPart("ISFT", secret) + riffPart("XYZW", secret)
	data := append(riff("WAVE", riffPart("JUNK", secret), riffPart("bext", broadcast), riffPart("fmt ", format), riffPart("LIST", info), riffPart("fact", le32(3003)+secret),
		riffPart("data", sound), riffPart("iXML", "<BWFXML><PROJECT>"+secret+"</PROJECT></BWFXML>"), riffPart("id3 ", talkingID3()), riffPart("_PMX", xmp), riffPart("C2PA", secret),
		riffPart("data", secret)), secret...)
	removed := copied(t, data, facts.WAV, riff("WAVE", riffPart("fmt ", format), riffPart("fact", le32(3003)), riffPart("data", sound)))
	if !removed.Trailing || !removed.Credentials || !slices.Contains(removed.Kinds, facts.Identifier) || !slices.Contains(removed.Kinds, facts.Author) {
		t.Errorf("%+v", removed)
	}
	t.Run("there is no copy where players differ in what is sound", func(t *testing.T) {
		other := strings.Replace(format, "\x01\x00\x08\x00", "\x02\x00\x10\x00", 1)
		refused(t, riff("WAVE", riffPart("fmt ", format), riffPart("fmt ", other), riffPart("data", sound)), facts.WAV, ErrUnusual)
		refused(t, riff("WAVE", riffPart("data", sound), riffPart("fmt ", format)), facts.WAV, ErrUnusual)
		refused(t, append(riff("WAVE", riffPart("fmt ", format), riffPart("data", "")), sound...), facts.WAV, ErrDamaged)
	})
	t.Run("a recorder's placeholder for the length is damage", func(t *testing.T) {
		cut := bytes.Replace(data, []byte("data"+le32(len(sound))), []byte("data\xff\xff\xff\xff"), 1)
		refused(t, cut, facts.WAV, ErrDamaged)
	})
}

// flacInfo describes sound of 44,100 Hz, two channels and 16 bits in blocks of 4096 samples; total is how many samples it says there are.
func flacInfo(total int) string {
	return flacBlock(0, "\x10\x00\x10\x00\x00\x00\x00\x00\x00\x00\x0a\xc4\x42\xf0"+be32(total)+strings.Repeat("\x07", 16))
}

// flacFrames is that sound: frames of one value each.
func flacFrames(total int) string {
	crc := func(data []byte, width int, polynomial uint32) []byte {
		sum, top := uint32(0), uint32(1)<<(width-1)
		for _, b := range data {
			sum ^= uint32(b) << (width - 8)
			for range 8 {
				if sum&top != 0 {
					sum = sum<<1 ^ polynomial
				} else {
					sum <<= 1
				}
			}
		}
		if width == 8 {
			return append(data, byte(sum))
		}
		return append(data, byte(sum>>8), byte(sum))
	}
	var all []byte
	for n := 0; total > 0; n++ {
		size := min(total, 4096)
		frame := []byte{0xff, 0xf8, 0x79, 0x18, byte(n), byte((size - 1) >> 8), byte(size - 1)}
		frame = append(crc(frame, 8, 0x07), 0, byte(n), 5, 0, 1, byte(n))
		all = append(all, crc(frame, 16, 0x8005)...)
		total -= size
	}
	return string(all)
}

// flacSamples is how many samples a decoder finds in a FLAC, -1 where it can't decode it.
func flacSamples(data []byte) int {
	decoded, _, err := flac.Decode(io.NopCloser(bytes.NewReader(data)))
	if err != nil {
		return -1
	}
	defer decoded.Close() //nolint:errcheck // it is in memory
	all := 0
	for buffer := make([][2]float64, 4096); ; {
		n, ok := decoded.Stream(buffer)
		if all += n; !ok {
			return all
		}
	}
}

func TestFLAC(t *testing.T) {
	const samples = 88_200
	data := join(talkingID3(), "fLaC", flacInfo(samples), flacBlock(4, vorbisComments(secret, "ARTIST="+secret, "LOCATION="+secret)), flacBlock(3, zeros(18)), flacBlock(6, secret),
		flacBlock(2, "test"+secret), flacBlock(5, secret), flacBlock(0x81, strings.Repeat(secret, 3)), flacFrames(samples), tagsBehind())
	made := join("fLaC", flacInfo(samples), flacBlock(0x83, zeros(18)), flacFrames(samples))
	removed := copied(t, data, facts.FLAC, made)
	if n := flacSamples(made); n != samples {
		t.Errorf("%d samples are heard", n)
	}
	checkReported(t, removed, facts.Position, facts.Author, facts.Device, facts.Thumbnail)
	t.Run("there is no copy of one whose sound looks like a tag, or is cut short, or is not there", func(t *testing.T) {
		sound := flacFrames(samples)
		lyrics := fmt.Sprintf("%06dLYRICS200", len(sound)-1) // all but the first byte of the sound
		for name, data := range map[string][]byte{
			"a tag that claims the sound":      join("fLaC", flacInfo(samples), flacBlock(0x84, vorbisComments(secret)), sound, lyrics),
			"one that claims a frame":          join("fLaC", flacInfo(0), flacBlock(0x84, vorbisComments(secret)), sound, fmt.Sprintf("%06dLYRICS200", 16)),
			"a frame less than is said":        join("fLaC", flacInfo(samples+4096), flacBlock(0x84, vorbisComments(secret)), sound),
			"half a frame":                     join("fLaC", flacInfo(samples), flacBlock(0x84, vorbisComments(secret)), sound[:len(sound)-7]),
			"a frame with a wrong checksum":    bytes.Replace(join("fLaC", flacInfo(samples), flacBlock(0x84, vorbisComments(secret)), sound), []byte{0, 3, 5, 0, 1, 3}, []byte{0, 3, 5, 0, 1, 4}, 1),
			"no frame":                         join("fLaC", flacInfo(0), flacBlock(0x84, vorbisComments(secret))),
			"a first byte of a frame, no more": join("fLaC", flacInfo(0), flacBlock(0x84, vorbisComments(secret)), "\xff"),
		} {
			t.Run(name, func(t *testing.T) { refused(t, data, facts.FLAC, ErrDamaged) })
		}
	})
}

// oggPage is a page with its checksum.
func oggPage(flags byte, serial, number int, more bool, packets ...string) string {
	page := []byte(mediatest.OggPage(flags, serial, number, more, packets...))
	copy(page[22:], le32(int(container.OggChecksum(page))))
	return string(page)
}

func TestOgg(t *testing.T) {
	opusHead := "OpusHead\x01\x02\x38\x01\x80\xbb\x00\x00\x00\x00\x00"
	t.Run("comments on one page", func(t *testing.T) {
		comments := "OpusTags" + vorbisComments(secret, "ARTIST="+secret, "LOCATION="+secret)
		pages := func(comments string) []byte {
			return join(oggPage(2, 7, 0, false, opusHead), oggPage(0, 7, 1, false, comments), oggPage(4, 7, 2, false, "sound"))
		}
		removed := copied(t, pages(comments), facts.Ogg, pages("OpusTags"+zeros(len(comments)-8)))
		if !slices.Contains(removed.Kinds, facts.Position) || removed.Bytes < int64(len(secret)) {
			t.Errorf("%+v", removed)
		}
	})
	t.Run("comments over several pages, with what follows on the last of them", func(t *testing.T) {
		vorbis := "\x01vorbis\x00\x00\x00\x00\x02\x44\xac\x00\x00" + zeros(14)
		comments := "\x03vorbis" + vorbisComments(secret, "COMMENT="+strings.Repeat(secret+" ", 60), "ARTIST="+secret) + "\x01"
		first := comments[:510]
		pages := func(first, last string) []byte {
			return join(oggPage(2, 9, 0, false, vorbis), oggPage(0, 9, 1, true, first), oggPage(1, 9, 2, false, last, "setup"), oggPage(4, 9, 3, false, "sound"))
		}
		empty := "\x03vorbis" + zeros(8) + "\x01" + zeros(len(comments)-16)
		copied(t, pages(first, comments[510:]), facts.Ogg, pages(empty[:510], empty[510:]))
	})
	t.Run("a kind of stream that is not known", func(t *testing.T) {
		refused(t, join(oggPage(2, 7, 0, false, "Speex   "), oggPage(0, 7, 1, false, secret)), facts.Ogg, ErrUnusual)
	})
	t.Run("what stands behind the last page", func(t *testing.T) {
		refused(t, join(oggPage(2, 7, 0, false, opusHead), oggPage(0, 7, 1, false, "OpusTags"+vorbisComments(secret)), secret), facts.Ogg, ErrDamaged)
	})
}
