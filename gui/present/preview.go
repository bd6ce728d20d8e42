package present

// Preview is how disturbing material is shown before a person asks to see it as it is.
type Preview string

// The ways to preview.
const (
	PreviewPlain   Preview = "" // as it is
	PreviewGrey    Preview = "grey"
	PreviewBlurred Preview = "blurred"
)
