package media

import (
	"strings"
	"testing"
	"unicode/utf8"

	"assay/client"
)

func TestSendName(t *testing.T) {
	for name, tc := range map[string]struct{ name, want string }{
		"U5 a plain name stays":                                  {"IMG_2024-05.01.JPG", "IMG_2024-05.01.JPG"},
		"U5 special characters become underscores, one for each": {"a b&c(1)+é.png", "a_b_c_1__é.png"},
		"U5 separators of folders too":                           {`..\a/b:c.png`, ".._a_b_c.png"},
		"U5 letters and digits of any script stay":               {"मुंबई-東京-٣.mp4", "मुंबई-東京-٣.mp4"},
		"U5 an accent written apart stays with its letter":       {"Cafe\u0301.png", "Cafe\u0301.png"},
		"U5 an accent without a letter is special":               {"1\ufe0f\u20e3 \u0301.png", "1____.png"},
		"U5 emoji":                                      {"🎤👩‍🚀.mp3", "____.mp3"},
		"U5 control characters and line breaks":         {"a\x00b\nc\x7f.txt", "a_b_c_.txt"},
		"U5 marks that turn the direction of writing":   {"photo\u202egpj.exe.txt", "photo_gpj.exe.txt"},
		"U5 bytes that are no UTF-8":                    {"a\xff\xfeb.jpg", "a__b.jpg"},
		"U5 a slash in the extension":                   {"a.j/g", "a.j_g"},
		"U5 special characters in the extension":        {"a.j\npg", "a.j_pg"},
		"U5 nothing but an extension":                   {".jpg", "file.jpg"},
		"U5 nothing but dots":                           {"...jpg", "file.jpg"},
		"U5 nothing at all":                             {"", "file"},
		"U4 exactly 200 characters stay":                {strings.Repeat("ü", 196) + ".png", strings.Repeat("ü", 196) + ".png"},
		"U4 201 characters lose one, not the extension": {strings.Repeat("ü", 197) + ".png", strings.Repeat("ü", 196) + ".png"},
		"U4 250 characters with emoji":                  {strings.Repeat("🎤a", 123) + ".jpg", strings.Repeat("_a", 98) + ".jpg"},
		"U4 a name without an extension":                {strings.Repeat("n", 300), strings.Repeat("n", 200)},
		"U4 what is too long for an extension is none":  {"a." + strings.Repeat("x", 300), "a." + strings.Repeat("x", 198)},
	} {
		t.Run(name, func(t *testing.T) {
			if got := sendName(tc.name); got != tc.want {
				t.Errorf("%q, want %q", got, tc.want)
			}
		})
	}
}

func TestSendNameWithAToken(t *testing.T) {
	for name, tc := range map[string]struct{ name, want string }{
		"U5 the token stands before the extension":      {"a b.JPG", "a_b-1f2e3d.JPG"},
		"U5 a name without an extension ends in it":     {"notes", "notes-1f2e3d"},
		"U5 nothing but an extension":                   {".jpg", "file-1f2e3d.jpg"},
		"U4 the token counts among the 200 characters":  {strings.Repeat("ü", 300) + ".png", strings.Repeat("ü", 189) + "-1f2e3d.png"},
		"U4 a name that just fits with its token stays": {strings.Repeat("n", 189) + ".png", strings.Repeat("n", 189) + "-1f2e3d.png"},
		"U4 one character more is what the token costs": {strings.Repeat("n", 190) + ".png", strings.Repeat("n", 189) + "-1f2e3d.png"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := SendNameWith(tc.name, "1f2e3d"); got != tc.want {
				t.Errorf("%q, want %q", got, tc.want)
			}
		})
	}
}

func TestNeutralName(t *testing.T) {
	for name, tc := range map[string]struct {
		mediaType   client.MediaType
		name, token string
		want        string
	}{
		"a picture":                        {client.Image, "Jane Doe, home.JPG", "1a2b3c4d", "picture-1a2b3c4d.jpg"},
		"a recording":                      {client.Audio, "call with J.flac", "1a2b3c4d", "recording-1a2b3c4d.flac"},
		"a video":                          {client.Video, "VID_20260501_102030.MoV", "1a2b3c4d", "video-1a2b3c4d.mov"},
		"a text":                           {client.Text, "notes.txt", "1a2b3c4d", "text-1a2b3c4d.txt"},
		"without a token":                  {client.Image, "a.png", "", "picture.png"},
		"an extension that says something": {client.Image, "a.jane-doe", "1a2b3c4d", "picture-1a2b3c4d"},
		"a type that the service may add":  {"HOLOGRAM", "a.png", "1a2b3c4d", "file-1a2b3c4d.png"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := NeutralName(tc.mediaType, tc.name, tc.token); got != tc.want || sendName(got) != got {
				t.Errorf("%q, want %q", got, tc.want)
			}
		})
	}
}

func FuzzSendName(f *testing.F) {
	f.Add("a b.jpg")
	f.Add("\xff.\u202e\n")
	f.Add(strings.Repeat("🎤", 250) + ".webp")
	f.Fuzz(func(t *testing.T, name string) {
		sent := sendName(name)
		if n := utf8.RuneCountInString(sent); n == 0 || n > longestName || !utf8.ValidString(sent) || strings.HasPrefix(sent, "/") {
			t.Errorf("%q is sent as %q", name, sent)
		}
		with := SendNameWith(name, "1f2e3d")
		if n := utf8.RuneCountInString(with); n > longestName || !strings.Contains(with, "-1f2e3d") {
			t.Errorf("%q is sent with its token as %q", name, with)
		}
		if a, ok := TypeOf(with); ok {
			if b, _ := TypeOf(sent); a != b {
				t.Errorf("%q is sent as %q, with its token as %q", name, sent, with)
			}
		}
		if again := sendName(sent); again != sent {
			t.Errorf("%q is sent as %q, that as %q", name, sent, again)
		}
		before, supported := TypeOf(name)
		if after, still := TypeOf(sent); supported && (!still || before != after) {
			t.Errorf("%q, %s, is sent as %q, %s", name, before, sent, after)
		}
	})
}
