package strip

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"assay/client/media/facts"
)

// handler is what a track is for, with a name that cameras write.
func handler(kind string) string {
	return box("hdlr", zeros(8)+kind+secret[:12]+secret+"\x00")
}

// visual describes pictures, and says which program made them.
func visual(kind string) string {
	fields := zeros(6) + be16(1) + be32(0) + "VEND" + zeros(8) + be16(96) + be16(64) + zeros(14) + "\x0d" + secret + zeros(31-len(secret)) + be16(24) + "\xff\xff"
	return box(kind, fields, box("avcC", "config"), box("uuid", secret))
}

func soundEntry() string {
	return box("sowt", zeros(6)+be16(1)+zeros(8)+be16(2)+be16(16)+be32(0)+be32(44100<<16))
}

type testTrack struct {
	handler, entry string
	sizes          []int // of samples
	each           int   // or of all
	count          int
	chunks         []int // offsets
	perChunk       int
	wide           bool // offsets of 64 bits
}

func (tr testTrack) box() string {
	times := be32(3861000000) + be32(3861000001)
	sizes := be32(0) + be32(tr.each) + be32(max(tr.count, len(tr.sizes)))
	for _, n := range tr.sizes {
		sizes += be32(n)
	}
	offsets, kind := be32(0)+be32(len(tr.chunks)), "stco"
	for _, at := range tr.chunks {
		if tr.wide {
			offsets += be32(0)
		}
		offsets += be32(at)
	}
	if tr.wide {
		kind = "co64"
	}
	table := box("stbl", box("stsd", be32(0), be32(1), tr.entry), box("stts", be32(0), be32(0)), box("stsc", be32(0), be32(1), be32(1), be32(tr.perChunk), be32(1)),
		box("stsz", sizes), box(kind, offsets), box("uuid", secret))
	return box("trak",
		box("tkhd", be32(0), times, zeros(72)), box("tref", secret), box("udta", box("name", secret)), box("meta", secret),
		box("mdia", box("mdhd", be32(0), times, zeros(12)), handler(tr.handler),
			box("minf", box("vmhd", zeros(12)), handler("dhlr"), box("dinf", box("dref", be32(0), be32(1), box("alis", be32(1), secret))), table, box("udta", secret))))
}

// talkingClip is a clip of pictures, sound and positions, whose samples have offsets from data on.
func talkingClip(change func(tracks []testTrack)) (clip []byte, data int) {
	type1 := box("ftyp", "qt  ", be32(0), "qt  ")
	head := box("uuid", "\xbe\x7a\xcf\xcb\x97\xa9\x42\xe8\x9c\x71\x99\x94\x91\xe3\xaf\xac"+xmp) + box("wide") + box("free", secret) + box("pnot", secret)
	data = len(type1) + len(head) + 8
	//       0: gap of 20   20: two pictures of 10 and 30   60: positions of 40   100: sound, 4 samples of 4 bytes   116: gap of 20   136: two of 2 and 3   141: a gap of 19
	samples := (secret + secret)[:20] + strings.Repeat("P", 40) + strings.Repeat(secret, 4)[:40] + strings.Repeat("S", 16) + (secret + secret)[:20] + "ppppp" + (secret + secret)[:19]
	tracks := []testTrack{
		{handler: "vide", entry: visual("avc1"), sizes: []int{10, 30, 2, 3}, chunks: []int{data + 20, data + 136}, perChunk: 2},
		{handler: "soun", entry: soundEntry(), each: 1, count: 4, chunks: []int{data + 100}, perChunk: 4, wide: true},
		{handler: "meta", entry: box("mebx", zeros(8)+secret), sizes: []int{40}, chunks: []int{data + 60}, perChunk: 1},
	}
	if change != nil {
		change(tracks)
	}
	var boxes []string
	boxes = append(boxes, box("mvhd", be32(0), be32(3861000000), be32(3861000001), be32(1000), be32(2500), zeros(80)))
	for _, tr := range tracks {
		boxes = append(boxes, tr.box())
	}
	boxes = append(boxes, box("udta", box("\xa9xyz", be16(17), be16(0), "+48.1000+011.5000"), box("\xa9ART", be16(len(secret)), be16(0), secret), box("CAME", secret)),
		box("meta", box("hdlr", zeros(8), "mdta"), box("keys", be32(0), be32(1), box("mdta", "com.apple.quicktime.model")), box("ilst", box("\x00\x00\x00\x01", box("data", be32(1), be32(0), secret)))))
	return join(type1, head, box("mdat", samples), box("moov", boxes...)), data
}

func TestMovie(t *testing.T) {
	clip, data := talkingClip(nil)
	made, removed := mustCopy(t, clip, facts.QuickTime)
	t.Run("nothing moves", func(t *testing.T) {
		if len(made) != len(clip) {
			t.Errorf("%d bytes became %d", len(clip), len(made))
		}
	})
	t.Run("pictures and sound stay where they are, all that lies between them becomes zeros", func(t *testing.T) {
		want := zeros(20) + strings.Repeat("P", 40) + zeros(40) + strings.Repeat("S", 16) + zeros(20) + "ppppp" + zeros(19)
		if got := string(made[data : data+len(want)]); got != want {
			t.Errorf("%q\nwant %q", got, want)
		}
	})
	t.Run("times become 0", func(t *testing.T) {
		if bytes.Contains(made, []byte(be32(3861000000))) || bytes.Contains(made, []byte(be32(3861000001))) {
			t.Error("there is a time")
		}
	})
	t.Run("what is needed for playing stays", func(t *testing.T) {
		for _, kind := range []string{"ftyp", "wide", "mdat", "moov", "mvhd", "trak", "tkhd", "mdia", "stsd", "avc1", "avcC", "stsz", "stco", "co64", "sowt", "alis"} {
			if !bytes.Contains(made, []byte(kind)) {
				t.Errorf("%s is gone", kind)
			}
		}
		for _, kind := range []string{"udta", "meta", "uuid", "mebx", "pnot", "tref", "keys", "CAME", "VEND"} {
			if bytes.Contains(made, []byte(kind)) {
				t.Errorf("%s is still there", kind)
			}
		}
	})
	t.Run("what was taken out is told", func(t *testing.T) {
		checkReported(t, removed, facts.Position, facts.Serial, facts.Author, facts.Device, facts.Time, facts.Track)
	})
}

func TestClipsThatAreRefused(t *testing.T) {
	good, data := talkingClip(nil)
	sized := func(n ...int) []byte {
		clip, _ := talkingClip(func(tracks []testTrack) { tracks[0].sizes = n })
		return clip
	}
	for name, c := range map[string]struct {
		data []byte
		why  *Problem
	}{
		"samples that lie in no chunk":        {sized(10, 30, 2, 3, 1), ErrDamaged},
		"chunks with more samples than there": {sized(10, 30, 5), ErrDamaged},
		"fragments":                           {append(slices.Clone(good), box("moof", secret)...), ErrFragments},
		"a list of fragments":                 {bytes.Replace(good, []byte("tref"), []byte("mvex"), 1), ErrFragments},
		"a compressed table":                  {bytes.Replace(good, []byte("udta"), []byte("cmov"), 1), ErrUnusual},
		"encryption":                          {bytes.Replace(good, []byte("stts"), []byte("saio"), 1), ErrLocked},
		"samples in another file":             {bytes.Replace(good, []byte("alis"+be32(1)), []byte("alis"+be32(0)), 1), ErrElsewhere},
		"samples outside of the data":         {bytes.Replace(good, []byte(be32(data+20)), []byte(be32(len(good)-10)), 1), ErrDamaged},
		"no pictures and no sound":            {join(box("ftyp", "qt  ", be32(0)), box("moov", box("mvhd", zeros(100)))), ErrDamaged},
		"something behind the last box":       {append(slices.Clone(good), "trailing"...), ErrDamaged},
	} {
		t.Run(name, func(t *testing.T) { refused(t, c.data, facts.QuickTime, c.why) })
	}
}
