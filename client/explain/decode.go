package explain

import (
	"bytes"
	"io"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
)

// decoder gives data as UTF-8: by its byte order mark, by what its head declares where declared is asked for, as UTF-8 where it
// is that, and else as Windows-1252. Bytes that its encoding does not have are left for Clean.
func decoder(data []byte, declared bool) (io.Reader, error) {
	if rest, has := bytes.CutPrefix(data, []byte("\xef\xbb\xbf")); has {
		return bytes.NewReader(rest), nil
	}
	for mark, name := range map[string]string{"\xff\xfe": "utf-16le", "\xfe\xff": "utf-16be"} {
		if rest, has := bytes.CutPrefix(data, []byte(mark)); has {
			return charset.NewReaderLabel(name, bytes.NewReader(rest))
		}
	}
	name := "windows-1252"
	if declared {
		_, name, _ = charset.DetermineEncoding(data[:min(len(data), 1024)], "")
	}
	// Windows-1252 is also what is answered where nothing is declared.
	if name == "utf-8" || name == "windows-1252" && isMostlyUTF8(data) {
		return bytes.NewReader(data), nil
	}
	return charset.NewReaderLabel(name, bytes.NewReader(data))
}

// isMostlyUTF8 allows for one broken sequence in a thousand: a damaged page is still UTF-8.
func isMostlyUTF8(data []byte) bool {
	good, bad := 0, 0
	for i := 0; i < len(data); {
		if data[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 && (good == 0 || utf8.FullRune(data[i:])) { // it may have been cut within a character
			bad++
		} else {
			good++
		}
		i += size
	}
	return bad == 0 || bad*1000 <= good
}
