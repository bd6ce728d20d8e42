package media

import (
	"strings"
	"testing"

	"assay/client"
	"assay/client/assert"
)

func TestKinds(t *testing.T) {
	table := map[client.MediaType]string{
		client.Image: "jpg jpeg png gif webp",
		client.Audio: "mp3 wav m4a aac ogg flac alac",
		client.Video: "mp4 mov",
		client.Text:  "txt",
	}
	t.Run("U7 every supported extension maps to its media type", func(t *testing.T) {
		for want, extensions := range table {
			for _, extension := range strings.Fields(extensions) {
				if got, ok := TypeOf("a name." + extension); got != want || !ok {
					t.Errorf("%s: %q %v, want %q", extension, got, ok, want)
				}
			}
		}
	})
	t.Run("U7 they are listed in the interface's order, and there are no others", func(t *testing.T) {
		want := strings.Fields(table[client.Image] + " " + table[client.Audio] + " " + table[client.Video] + " " + table[client.Text])
		assert.Equal(t, want, Supported())
	})
	t.Run("U7 anything else is no supported type", func(t *testing.T) {
		for _, name := range []string{"a.pdf", "a.heic", "a.mkv", "a.tiff", "a.bmp", "jpg", "a.jpg.exe", "a.", "a", "", ".", "a.jpg "} {
			if got, ok := TypeOf(name); ok {
				t.Errorf("%q: %q", name, got)
			}
		}
	})
	t.Run("U6 extensions in any case", func(t *testing.T) {
		for name, want := range map[string]client.MediaType{
			"PHOTO.JPG": client.Image, "Clip.MoV": client.Video, "x.FLAC": client.Audio, "NOTE.Txt": client.Text,
		} {
			if got, ok := TypeOf(name); got != want || !ok {
				t.Errorf("%s: %q %v, want %q", name, got, ok, want)
			}
		}
	})
	t.Run("U8 the caps", func(t *testing.T) {
		for mediaType, want := range map[client.MediaType]int64{
			client.Image: 52_428_800, client.Audio: 20_971_520, client.Video: 262_144_000, client.Text: 5_242_880, "HOLOGRAM": 0,
		} {
			if got := Limits(nil).Cap(mediaType); got != want {
				t.Errorf("%s: %d, want %d", mediaType, got, want)
			}
		}
	})
	t.Run("U8 settings override a cap, and leave the others as they are", func(t *testing.T) {
		own := Limits{client.Image: 1000, client.Audio: 0}
		for mediaType, want := range map[client.MediaType]int64{client.Image: 1000, client.Audio: 20 << 20, client.Video: 250 << 20} {
			if got := own.Cap(mediaType); got != want {
				t.Errorf("%s: %d, want %d", mediaType, got, want)
			}
		}
	})
	t.Run("U9 no doubt is left where the text cap in force is the smaller one", func(t *testing.T) {
		if got := (Limits{client.Text: 900 << 10}).TextNotice(900 << 10); !got.IsZero() {
			t.Errorf("says %q", got)
		}
	})
	t.Run("U9 a text is warned of from 900 KB on", func(t *testing.T) {
		for size, warned := range map[int64]bool{1: false, 900<<10 - 1: false, 900 << 10: true, 5 << 20: true} {
			if got := Limits(nil).TextNotice(size); (!got.IsZero()) != warned {
				t.Errorf("%d bytes: %q", size, got)
			}
		}
		want := "This text is 1.2 MB. The service names two limits for text, 900 KB and 5 MB, so it may refuse this one."
		if got := Limits(nil).TextNotice(1_258_291); got.String() != want {
			t.Errorf("says %q, want %q", got, want)
		}
	})
}

func TestSizeText(t *testing.T) {
	for bytes, want := range map[int64]string{
		-1: "0 bytes", 0: "0 bytes", 1: "1 byte", 1023: "1023 bytes", 1024: "1 KB", 900 << 10: "900 KB",
		1<<20 - 513: "1023 KB", 1<<20 - 512: "1 MB", 1 << 20: "1 MB", 5_452_595: "5.2 MB", 50 << 20: "50 MB",
		61<<20 + 200<<10: "61.2 MB", 1<<30 - 1: "1 GB", 1 << 30: "1 GB", 3 << 29: "1.5 GB",
	} {
		if got := SizeText(bytes); got != want {
			t.Errorf("%d: %q, want %q", bytes, got, want)
		}
	}
}
