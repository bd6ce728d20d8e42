package picture

import (
	"errors"
	"io"
)

// gifFrames counts the frames of a GIF without decoding them. A GIF that ends
// before its trailer gives io.ErrUnexpectedEOF.
func gifFrames(data []byte) (int, error) {
	frames := 0
	err := walkGIF(data, func() { frames++ }, func(byte, []byte) {})
	return frames, err
}

// walkGIF goes through the blocks of a GIF and hands over each frame and each
// extension, by label, with its sub-blocks joined.
func walkGIF(data []byte, frame func(), extension func(label byte, content []byte)) error {
	const header, screen = 6, 7
	if len(data) < header+screen {
		return io.ErrUnexpectedEOF
	}
	rest, ok := skip(data[header+screen:], colourTable(data[10]))
	for ok && len(rest) > 0 {
		switch rest[0] {
		case 0x3b: // trailer
			return nil
		case 0x21:
			if len(rest) < 2 {
				return io.ErrUnexpectedEOF
			}
			label := rest[1]
			var content []byte
			content, rest, ok = subBlocks(rest[2:])
			if ok {
				extension(label, content)
			}
		case 0x2c:
			frame()
			if len(rest) < 11 {
				return io.ErrUnexpectedEOF
			}
			rest, ok = skip(rest[10:], colourTable(rest[9])+1) // and the LZW code size
			if ok {
				_, rest, ok = subBlocks(rest)
			}
		default:
			return errors.New("unknown GIF block")
		}
	}
	return io.ErrUnexpectedEOF
}

// colourTable is the length in bytes of the table that a flags byte announces.
func colourTable(flags byte) int {
	if flags&0x80 == 0 {
		return 0
	}
	return 3 << (flags&0x07 + 1)
}

func skip(data []byte, n int) ([]byte, bool) {
	if len(data) < n {
		return nil, false
	}
	return data[n:], true
}

// subBlocks joins length-prefixed blocks up to the empty one.
func subBlocks(data []byte) (content, rest []byte, ok bool) {
	for len(data) > 0 {
		n := int(data[0])
		if n == 0 {
			return content, data[1:], true
		}
		if len(data) < 1+n {
			return nil, nil, false
		}
		content = append(content, data[1:1+n]...)
		data = data[1+n:]
	}
	return nil, nil, false
}
