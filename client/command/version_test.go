package command

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"assay/client/assert"
	"assay/client/release"
	"assay/client/session"
)

// It opens nothing: a support desk asks for it when Assay can't be started otherwise.
func TestVersionSaysWhatItWasBuiltFrom(t *testing.T) {
	neverOpened := func(context.Context, *session.Host, []string) error {
		t.Error("the window was opened")
		return nil
	}
	for suffix, window := range map[string]Window{"\n": neverOpened, ", without a window\n": nil} {
		var out, errs bytes.Buffer
		code := Main(t.Context(), session.Options{}, []string{"--version", "--home", "/dev/null"}, strings.NewReader(""), &out, &errs, window)
		assert.Equal(t, ExitAnswered, code)
		assert.Equal(t, release.This().String()+suffix, out.String())
		assert.Equal(t, "", errs.String())
	}
}
