package container

import (
	"strings"
	"testing"
)

func TestFormat(t *testing.T) {
	packets := "G" + strings.Repeat("\x00", 187)
	for name, c := range map[string]struct {
		data string
		want Format
	}{
		"nothing":                              {"", ""},
		"noise":                                {"\x00\x01\x02", ""},
		"a JPEG":                               {"\xff\xd8\xff\xe0", JPEG},
		"a PNG":                                {PNGSignature, PNG},
		"a GIF":                                {"GIF89a", GIF},
		"a WebP":                               {"RIFF\x00\x00\x00\x00WEBP", WebP},
		"a WAV":                                {"RIFF\x00\x00\x00\x00WAVE", WAV},
		"a WAV of more than 4 GB":              {"RF64\xff\xff\xff\xffWAVE", RF64},
		"an AVI":                               {"RIFF\x00\x00\x00\x00AVI ", AVI},
		"another RIFF":                         {"RIFF\x00\x00\x00\x00CDXA", ""},
		"half a RIFF":                          {"RIFF\x00\x00\x00\x00WE", ""},
		"MPEG-4":                               {"\x00\x00\x00\x10ftypisom", MP4},
		"MPEG-4 with sound alone":              {"\x00\x00\x00\x10ftypM4A ", M4A},
		"a HEIF":                               {"\x00\x00\x00\x10ftypheic", HEIF},
		"QuickTime":                            {"\x00\x00\x00\x10ftypqt  ", QuickTime},
		"QuickTime without a brand":            {"\x00\x00\x00\x10skip", QuickTime},
		"a FLAC":                               {"fLaC", FLAC},
		"a FLAC behind a tag":                  {"ID3\x04\x00\x00\x00\x00\x00\x01 fLaC", FLAC},
		"AAC":                                  {"\xff\xf1\x50\x80", AAC},
		"AAC behind a tag":                     {"ID3\x04\x00\x00\x00\x00\x00\x01 \xff\xf1\x50\x80", AAC},
		"MP3":                                  {"\xff\xfb\x90\x00", MP3},
		"a tag and anything":                   {"ID3\x04\x00\x00\x00\x00\x00\x01 anything", MP3},
		"half a tag":                           {"ID3\x04", MP3},
		"MPEG audio of layer II":               {"\xff\xfd\x90\x00", ""},
		"an Ogg":                               {"OggS\x00", Ogg},
		"Matroska":                             {"\x1aE\xdf\xa3", Matroska},
		"a FLV":                                {"FLV\x01", FLV},
		"an ASF":                               {"\x30\x26\xb2\x75", ASF},
		"an MPEG program stream":               {"\x00\x00\x01\xba", MPEGPS},
		"an MPEG transport stream":             {packets + packets, MPEGTS},
		"a packet alone":                       {packets, ""},
		"text that begins like such a stream":  {"Good morning", Text},
		"text that breaks off within a letter": {"caf\xc3", Text},
		"text in UTF-16":                       {"\xff\xfea\x00", Text},
		"a document":                           {"%PDF-1.7", PDF},
	} {
		t.Run(name, func(t *testing.T) {
			if got := FormatOf([]byte(c.data)); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
