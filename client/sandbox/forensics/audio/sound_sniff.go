package audio

import "bytes"

// soundFormat is a container, or a container with its codec.
type soundFormat string

const (
	soundUnknown soundFormat = ""
	soundWAV     soundFormat = "wav"
	soundFLAC    soundFormat = "flac"
	soundMP3     soundFormat = "mp3"
	soundVorbis  soundFormat = "vorbis"
	soundOgg     soundFormat = "ogg" // with another codec
	soundMP4     soundFormat = "mp4"
	soundADTS    soundFormat = "adts"
)

// soundSniff tells the format by the first bytes, and by the extension where they
// leave it open: MPEG audio has no signature, just a pattern of eleven bits.
func soundSniff(data []byte, ext string) soundFormat {
	body := soundAfterID3(data)
	switch {
	case len(data) >= 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WAVE":
		return soundWAV
	case bytes.HasPrefix(body, []byte("fLaC")):
		return soundFLAC
	case bytes.HasPrefix(data, []byte("OggS")):
		if bytes.Contains(data[:min(len(data), 4096)], []byte("\x01vorbis")) {
			return soundVorbis
		}
		return soundOgg
	case len(data) >= 12 && string(data[4:8]) == "ftyp":
		return soundMP4
	case len(body) >= 2 && body[0] == 0xff && body[1]&0xf6 == 0xf0: // layer 0 is AAC's
		return soundADTS
	case len(body) >= 2 && body[0] == 0xff && body[1]&0xe0 == 0xe0, ext == "mp3":
		return soundMP3
	default:
		return soundUnknown
	}
}

// soundAfterID3 skips the tags that may come first. A tag that claims to be longer
// than the file leaves nothing.
func soundAfterID3(data []byte) []byte {
	for len(data) >= 10 && string(data[:3]) == "ID3" {
		size := 10 + (int(data[6]&0x7f)<<21 | int(data[7]&0x7f)<<14 | int(data[8]&0x7f)<<7 | int(data[9]&0x7f))
		if data[5]&0x10 != 0 { // a footer
			size += 10
		}
		data = data[min(size, len(data)):]
	}
	return data
}
