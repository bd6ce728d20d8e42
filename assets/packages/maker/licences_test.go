package main

import (
	"os"
	"strings"
	"testing"

	"assay/client/assert"
)

func TestLicencesAreOfWhatIsLinked(t *testing.T) {
	binary, err := os.Executable()
	assert.NoError(t, err)
	printed := makes(t, "licences", binary)
	for _, want := range []string{"\nInter\n=====\n", "\nGo 1.", "\ngithub.com/spf13/cobra v", "Apache License"} {
		if !strings.Contains(printed, want) {
			t.Errorf("%q is not in it", want)
		}
	}
	if strings.Contains(printed, "\nfyne.io/fyne") {
		t.Error("it has what is not linked into this binary")
	}
	refuses(t, "licences", "licences.go")
}
