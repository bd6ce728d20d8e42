package present

// Preview is how disturbing material is shown before a person asks to see it as it is.
type Preview string

// The ways to preview.
const (
	PreviewPlain   Preview = "" // as it is
	PreviewGrey    Preview = "grey"
	PreviewBlurred Preview = "blurred"
)

// PreviewChoice is what a person chose for all material. The zero value is no choice: what watched folders brought is grey, for
// nobody may have looked at it yet, and all else is as it is.
type PreviewChoice struct {
	Made    bool
	Preview Preview
}

// For is how one is shown. watched says that a watched folder brought it.
func (c PreviewChoice) For(watched bool) Preview {
	if !c.Made && watched {
		return PreviewGrey
	}
	return c.Preview
}

// previewAsItIs is PreviewPlain where it was chosen, as it is kept.
const previewAsItIs = "plain"

// Kept is the choice as text, to be kept for the next run.
func (c PreviewChoice) Kept() string {
	if c.Made && c.Preview == PreviewPlain {
		return previewAsItIs
	}
	return string(c.Preview)
}

// PreviewChoiceOf reads what Kept wrote; whatever else it is given is no choice.
func PreviewChoiceOf(kept string) PreviewChoice {
	switch p := Preview(kept); {
	case kept == previewAsItIs:
		return PreviewChoice{Made: true}
	case p == PreviewGrey || p == PreviewBlurred:
		return PreviewChoice{Made: true, Preview: p}
	}
	return PreviewChoice{}
}
