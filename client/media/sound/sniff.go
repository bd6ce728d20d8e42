package sound

import (
	"bytes"
	"io"
)

// kind is a container, or a container with its codec, as the first bytes show it.
type kind int

const (
	unknownKind kind = iota
	wavKind
	mp3Kind
	flacKind
	vorbisKind
	opusKind
	oggKind // with another codec
	adtsKind
	mp4Kind
	matroskaKind
	aviKind
)

// kinds are the words for each, and the demuxer that ffmpeg reads it with.
var kinds = [...]struct{ words, demuxer string }{
	unknownKind: {"unknown", ""}, wavKind: {"WAV", "wav"}, mp3Kind: {"MP3", "mp3"}, flacKind: {"FLAC", "flac"},
	vorbisKind: {"Ogg Vorbis", "ogg"}, opusKind: {"Ogg Opus", "ogg"}, oggKind: {"Ogg", "ogg"}, adtsKind: {"AAC", "aac"},
	mp4Kind: {"MP4", "mov"}, matroskaKind: {"Matroska", "matroska"}, aviKind: {"AVI", "avi"},
}

func (k kind) String() string { return kinds[k].words }

// sniff tells the kind by the bytes from which the content begins, tags aside.
func sniff(f *file) (kind, error) {
	head := make([]byte, 4096)
	n, err := f.ReadAt(head, f.content)
	if err != nil && err != io.EOF { //nolint:errorlint // a bare io.EOF, as io.ReaderAt promises
		return unknownKind, err
	}
	head = head[:n]
	at := func(i int, text string) bool { return len(head) >= i+len(text) && string(head[i:i+len(text)]) == text }
	switch {
	case (at(0, "RIFF") || at(0, "RF64")) && at(8, "WAVE"):
		return wavKind, nil
	case at(0, "RIFF") && at(8, "AVI "):
		return aviKind, nil
	case at(0, "fLaC"):
		return flacKind, nil
	case at(0, "OggS"):
		return sniffOgg(head), nil
	case at(4, "ftyp"), at(4, "moov"), at(4, "mdat"), at(4, "wide"), at(4, "pnot"):
		return mp4Kind, nil
	case at(0, "\x1a\x45\xdf\xa3"):
		return matroskaKind, nil
	case len(head) > 6 && head[0] == 0xff && head[1]&0xf6 == 0xf0: // a layer of 0 is AAC's
		return adtsKind, nil
	}
	if mp3, err := findMP3(f); err != nil || mp3 {
		return mp3Kind, err
	}
	return unknownKind, nil
}

func sniffOgg(head []byte) kind {
	switch {
	case bytes.Contains(head, []byte("\x01vorbis")):
		return vorbisKind
	case bytes.Contains(head, []byte("OpusHead")):
		return opusKind
	default:
		return oggKind
	}
}
