package convert

import (
	"context"

	"assay/client/media/heif"
)

// ProblemOf is what is said of an error of ffmpeg.
func ProblemOf(err error) error {
	f := film{ctx: context.Background()}
	return f.problem(err)
}

// Statements reads what a file says of itself, as a TIFF and as a HEIF, and makes segments of it.
func Statements(data []byte) {
	t := readTIFF(data)
	t.pages()
	_ = statements{exif: t.exif(), xmp: t.value(tagXMP), profile: t.value(tagProfile)}.segments()
	about := heif.Read(data)
	_ = statements{exif: upright(about.EXIF), xmp: about.XMP, profile: about.Profile}.segments()
}
