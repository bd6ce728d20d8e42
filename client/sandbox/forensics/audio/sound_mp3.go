package audio

import (
	"errors"

	"assay/client/media/container"
)

// soundMP3Frame gives the size in bytes of the frame that begins at data[0], or 0 if none of layer III does.
func soundMP3Frame(data []byte) int {
	header := container.ReadMPEGHeader(data)
	if !header.LayerIII() {
		return 0
	}
	return int(header.FrameLength())
}

// soundMP3Frames cuts a file down to its frames: without the tags before and after,
// whose sizes the decoder would believe. A frame counts as the first if another
// follows it. A last frame without its end is errSoundCut; a file that was cut
// between two frames can't be told from a whole one.
func soundMP3Frames(data []byte) ([]byte, error) {
	const search = 1 << 16
	data = data[container.SourceOf(data).BehindID3():]
	first := -1
	for i := 0; i < min(len(data), search); i++ {
		size := soundMP3Frame(data[i:])
		if size > 0 && i+size < len(data) && soundMP3Frame(data[i+size:]) > 0 {
			first = i
			break
		}
	}
	if first < 0 {
		return nil, errors.New("no two frames follow one another")
	}
	end := first
	for {
		size := soundMP3Frame(data[end:])
		if size == 0 {
			break
		}
		if end+size > len(data) {
			return nil, errSoundCut
		}
		end += size
	}
	// What follows is a tag, or the frames go on after a gap, and the decoder finds
	// them itself.
	if rest := data[end:]; len(rest) > search {
		end = len(data)
	}
	return data[first:end], nil
}
