package assets

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func TestTheSampleIsTheOneWhoseMakingIsWrittenDown(t *testing.T) {
	made, err := os.ReadFile(filepath.Join("..", "testdata", "pictures", "generated.png"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(made, Sample) {
		t.Error("assets/sample.png is not testdata/pictures/generated.png")
	}
}
