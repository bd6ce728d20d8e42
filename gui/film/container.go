package film

import (
	"io"
	"os"

	"assay/client/i18n"
)

// demuxer names the container of a file in ffmpeg's words, by its first bytes. Containers that ffmpeg would guess are left out on purpose:
// among them are playlists, which name other files.
func demuxer(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }() // opened for reading: nothing can be lost
	var head [12]byte
	n, err := io.ReadFull(f, head[:])
	if err != nil && n == 0 {
		return "", err
	}
	at := func(i int, texts ...string) bool {
		for _, text := range texts {
			if string(head[i:i+len(text)]) == text {
				return true
			}
		}
		return false
	}
	switch {
	case at(4, "ftyp", "moov", "mdat", "wide", "free", "skip", "pnot"):
		return "mov", nil
	case at(0, "\x1a\x45\xdf\xa3"):
		return "matroska", nil
	case at(0, "RIFF") && at(8, "AVI "):
		return "avi", nil
	case at(0, "OggS"):
		return "ogg", nil
	case at(0, "FLV"):
		return "flv", nil
	case at(0, "\x00\x00\x01\xba"):
		return "mpeg", nil
	case head[0] == 0x47:
		return "mpegts", nil
	case at(0, "\x30\x26\xb2\x75"):
		return "asf", nil
	}
	return "", &Unreadable{Words: i18n.T("This file is no clip that Assay knows.")}
}
