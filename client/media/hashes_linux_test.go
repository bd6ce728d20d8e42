package media

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"assay/client/assert"
)

func TestAFileRewrittenInPlaceWithItsTimeSetBackIsReadAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.txt")
	at := time.Now().Add(-time.Hour)
	write := func(text string) {
		t.Helper()
		assert.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		assert.NoError(t, os.Chtimes(path, at, at))
	}
	h := NewHashes(time.Now)
	write("one")
	hash(t, h, path)
	write("two")
	if sum, read := hash(t, h, path); !read || sum != sumOf("two") {
		t.Errorf("%s, read %v", sum, read)
	}
}
