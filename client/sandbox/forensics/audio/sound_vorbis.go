package audio

import (
	"errors"

	"assay/client/media/container"
	"assay/client/media/sound"
)

// errSoundVorbis says that a Vorbis stream is not what its specification allows.
var errSoundVorbis = errors.New("malformed Vorbis stream")

// soundVorbisPages cuts an Ogg file down to its first stream, from the first page to the one that ends it, and checks the headers. A file
// without a last page is errSoundCut.
func soundVorbisPages(data []byte) ([]byte, error) {
	const pageHeader = 27
	src := container.SourceOf(data)
	var packets [][]byte // the first three: identification, comments, setup
	var packet []byte
	var last container.Page
	malformed := false
	src.OggPages(func(page container.Page) bool {
		last, malformed = page, len(page.Lacing) == 0
		for _, piece := range page.Pieces() {
			if len(packets) == 3 {
				break
			}
			packet = append(packet, data[piece.Start:piece.End]...)
			if piece.Ends {
				packets, packet = append(packets, packet), nil
			}
		}
		return !page.Ends && !malformed
	})
	end := last.Whole.End
	if !malformed && !last.Ends {
		if head, ok := src.Head(end, pageHeader); !ok || string(head[:4]) == "OggS" {
			return nil, errSoundCut
		}
		malformed = true
	}
	if malformed || len(packets) < 3 {
		return nil, errSoundVorbis
	}
	if _, _, err := sound.CheckVorbisHeaders(packets); err != nil {
		return nil, err
	}
	return data[:end], nil
}
