package client

import (
	"io"
	"os"
)

// uploadBody hands the bare file to the transport, which then sends it by sendfile(2); how far it got
// is read from the file's offset, which sendfile moves.
func uploadBody(file *os.File) (io.ReadCloser, func() int64) {
	var last int64
	return file, func() int64 {
		if at, err := file.Seek(0, io.SeekCurrent); err == nil {
			last = at
		}
		return last // the transport closes the file once it is sent
	}
}
