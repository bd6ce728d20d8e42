package bounded_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"assay/client/assert"
	"assay/client/bounded"
)

// endless has no end, and counts what was read of it.
type endless int64

func (e *endless) Read(p []byte) (int, error) {
	*e += endless(len(p))
	return len(p), nil
}

func isRefusal(err error, most int64) bool {
	var r *bounded.Refusal
	return errors.As(err, &r) && r.Most == most && r.Sentence() != ""
}

func TestReadAll(t *testing.T) {
	const most = 1000
	for _, size := range []int{0, 1, most - 1, most} {
		if read, err := bounded.ReadAll(iotest.OneByteReader(strings.NewReader(strings.Repeat("x", size))), most); err != nil || len(read) != size {
			t.Errorf("of %d bytes, %d are read: %v", size, len(read), err)
		}
	}
	if read, err := bounded.ReadAll(strings.NewReader(strings.Repeat("x", most+1)), most); !isRefusal(err, most) || read != nil {
		t.Errorf("a byte too many: %d bytes, %v", len(read), err)
	}
	var e endless
	if _, err := bounded.ReadAll(&e, most); !isRefusal(err, most) || e != most+1 {
		t.Errorf("without an end: %d bytes are read, %v", e, err)
	}
	if _, err := bounded.ReadAll(iotest.ErrReader(io.ErrUnexpectedEOF), most); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("the reader's error: %v", err)
	}
}

func TestReadUpTo(t *testing.T) {
	var e endless
	if read, err := bounded.ReadUpTo(&e, 10); err != nil || len(read) != 10 || e != 10 {
		t.Errorf("%d bytes of %d, %v", len(read), e, err)
	}
}

func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	assert.NoError(t, os.WriteFile(file, []byte("four"), 0o600))
	if read, err := bounded.ReadFile(file, 4); err != nil || string(read) != "four" {
		t.Errorf("%q, %v", read, err)
	}
	if _, err := bounded.ReadFile(file, 3); !isRefusal(err, 3) {
		t.Errorf("a byte too many: %v", err)
	}
	if _, err := bounded.ReadFile(dir, 4); !isRefusal(err, 0) {
		t.Errorf("a folder: %v", err)
	}
	if _, err := bounded.ReadFile(filepath.Join(dir, "gone"), 4); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what is not there: %v", err)
	}
}
