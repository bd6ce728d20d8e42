package present_test

import (
	"testing"

	"assay/gui/present"
)

func TestPreviewChoice(t *testing.T) {
	t.Run("without one, what a watched folder brought is grey, and all else as it is", func(t *testing.T) {
		var none present.PreviewChoice
		if none.For(true) != present.PreviewGrey || none.For(false) != present.PreviewPlain {
			t.Errorf("%q, %q", none.For(true), none.For(false))
		}
	})
	t.Run("once made it holds for all, and over a restart", func(t *testing.T) {
		for _, p := range []present.Preview{present.PreviewPlain, present.PreviewGrey, present.PreviewBlurred} {
			kept := present.PreviewChoiceOf(present.PreviewChoice{Made: true, Preview: p}.Kept())
			if kept.For(true) != p || kept.For(false) != p {
				t.Errorf("%q: %q, %q", p, kept.For(true), kept.For(false))
			}
		}
	})
	t.Run("what was never chosen, or is not understood, is none", func(t *testing.T) {
		for _, kept := range []string{"", present.PreviewChoice{}.Kept(), "sepia"} {
			if got := present.PreviewChoiceOf(kept); got != (present.PreviewChoice{}) {
				t.Errorf("%q: %+v", kept, got)
			}
		}
	})
}
