package audio

import (
	"bytes"
	"context"
	"errors"

	"assay/client/media/container"
)

// soundMP3Rates are the bit rates of MPEG audio layer III in kbit/s by index:
// MPEG 1, then MPEG 2 (ISO/IEC 11172-3 and 13818-3).
var soundMP3Rates = [2][16]int{
	{0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0},
	{0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0},
}

// soundMP3Frame gives the size in bytes of the frame that begins at data[0], or 0
// if none does.
func soundMP3Frame(data []byte) int {
	if len(data) < 4 || data[0] != 0xff || data[1]&0xe6 != 0xe2 { // sync and layer III
		return 0
	}
	version := data[1] >> 3 & 3 // 3: MPEG 1, 2: MPEG 2, 0: MPEG 2.5
	rate := [4]int{44100, 48000, 32000, 0}[data[2]>>2&3]
	if version == 1 || rate == 0 {
		return 0
	}
	padding := int(data[2] >> 1 & 1)
	if version == 3 {
		return soundMP3Size(144000*soundMP3Rates[0][data[2]>>4], rate, padding)
	}
	rate /= 2
	if version == 0 {
		rate /= 2
	}
	return soundMP3Size(72000*soundMP3Rates[1][data[2]>>4], rate, padding)
}

// soundMP3Size is 0 for the free and the forbidden bit rate.
func soundMP3Size(bits, rate, padding int) int {
	if bits == 0 {
		return 0
	}
	return bits/rate + padding
}

// soundMP3Frames cuts a file down to its frames: without the tags before and after,
// whose sizes the decoder would believe. A frame counts as the first if another
// follows it. A last frame without its end is errSoundCut; a file that was cut
// between two frames can't be told from a whole one.
func soundMP3Frames(data []byte) ([]byte, error) {
	const search = 1 << 16
	data = data[container.NewSource(context.Background(), bytes.NewReader(data), int64(len(data))).BehindID3():]
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
