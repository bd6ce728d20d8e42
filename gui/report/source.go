package report

import (
	"context"
	"errors"
	"image"

	"assay/client/report"
)

// Source is what one report is made of. Its methods block, end early with ctx, and are called on workers.
type Source interface {
	// Subject says what the report is about.
	Subject(ctx context.Context) (Subject, error)
	// Page is a page of the report as it will be written: of a case, the first one is on the case itself.
	Page(ctx context.Context, at int, o report.Options) (Page, error)
	// Table is the head and the first rows of a table.
	Table(ctx context.Context, o report.Options, most int) (head []string, rows [][]string, err error)
	// Beginning is how a file of that name begins.
	Beginning(ctx context.Context, name string, o report.Options, most int) (text string, whole bool, err error)
	// Write writes the report to a file, and calls progress as it goes on. notes are sentences on what came of it that the person has to know.
	Write(ctx context.Context, path string, w Writing, progress func(Progress)) (notes []string, err error)
}

// Writing is how a file is written.
type Writing struct {
	report.Options
	Stamp, Unsealed bool // of a bundle
}

// Progress is how far the writing is: in results, or in bytes of a bundle.
type Progress struct {
	Done, Total int64
	Bytes       bool
}

// ErrNoKey is beneath the error of a bundle that can't be sealed, because there is nowhere to keep a key.
var ErrNoKey = errors.New("there is no key to seal it with")

// Page is what a preview shows at once: a section with its pictures decoded.
type Page struct {
	Head     report.Head
	Section  *report.Section
	Picture  image.Image   // nil for none
	Heatmaps []image.Image // those of the section, in its order; nil for one that can't be shown
}
