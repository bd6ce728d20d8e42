package report

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"assay/client/durable"
	"assay/client/i18n"
	"assay/client/plain"
)

// formats are the formats of reports, by file extension, in the order in which they are listed for a person.
var formats = []format{
	{".json", writeJSON},     // one document
	{".ndjson", writeNDJSON}, // a Result a line
	{".csv", writeCSV},       // a row a result, for other programs
	{".xlsx", writeXLSX},     // a row a result, for a spreadsheet; a second sheet has a row a model
	{".html", writeHTML},     // a page for people: it needs no network, and prints
	{".pdf", writePDF},       // likewise, in pages: for a file of papers, a printer, an editor's desk
}

type format struct {
	ending string
	write  func(ctx context.Context, w io.Writer, o Options, results iter.Seq2[*Result, error]) error
}

// Media chooses the pictures of a page.
type Media string

// The choices. "" omits the pictures of sensitive submissions: those whose gate is not send.
const (
	MediaNone     Media = "none"     // hashes alone
	MediaReceived Media = "received" // each picture, as it was received
	// The next two are for bundles, which may have the files themselves. To a page they are what MediaReceived is.
	MediaSent Media = "sent" // what the service received
	MediaBoth Media = "both"
)

// Medias are the choices of Media but for "".
var Medias = []Media{MediaNone, MediaReceived, MediaSent, MediaBoth}

// CheckName returns an *Error if a file name's extension is that of no format.
func CheckName(path string) error {
	_, err := formatOf(path)
	return err
}

func formatOf(path string) (format, error) {
	ending := strings.ToLower(filepath.Ext(path))
	var known []string
	for _, f := range formats {
		if f.ending == ending {
			return f, nil
		}
		known = append(known, f.ending)
	}
	return format{}, &Error{Text: i18n.F("The ending of the file's name chooses the format. Use one of %s.", strings.Join(known, ", "))}
}

// Write writes a report to a file, completely or not at all, even after a crash. The results are read one at a time; an error from them or from
// ctx ends the writing and is returned. Errors about the file are an *Error.
func Write(ctx context.Context, path string, o Options, results iter.Seq2[*Result, error]) error {
	form, err := formatOf(path)
	if err != nil {
		return err
	}
	there, err := os.Lstat(path)
	switch {
	case err == nil && there.IsDir():
		return &Error{Text: i18n.F("%s is a folder: name a file.", shown(path))}
	case err == nil && !o.Replace:
		return &Error{Text: i18n.F("%s already exists. Assay did not change it.", shown(path)), Err: fs.ErrExist}
	}
	err = durable.Write(path, durable.Options{Temp: ".assay-*.tmp", ForOthers: true}, func(w io.Writer) error {
		return form.render(ctx, w, o, results)
	})
	return WriteError(ctx, path, err)
}

// Render writes a report in the format of an extension, such as ".html", to w. Its errors are those of Write but for the file.
func Render(ctx context.Context, w io.Writer, ending string, o Options, results iter.Seq2[*Result, error]) error {
	form, err := formatOf(ending)
	if err != nil {
		return err
	}
	return form.render(ctx, w, o, results)
}

// WriteError returns an *Error for an error of the disk to which a file or folder at path was to be written. What is a sentence already, and an error
// after the end of ctx, stays as it is.
func WriteError(ctx context.Context, path string, err error) error {
	if err == nil || !i18n.MessageOf(err, i18n.Message{}).IsZero() || ctx.Err() != nil {
		return err
	}
	return &Error{Text: fileProblem(path, err), Err: err}
}

// render writes in the language of the options; o.shown is what becomes of each result.
func (f format) render(ctx context.Context, w io.Writer, o Options, results iter.Seq2[*Result, error]) error {
	return i18n.In(o.Language, func() error { return f.write(ctx, w, o.careful(), o.shown(untilEnded(ctx, results))) })
}

// untilEnded yields the results until ctx ends.
func untilEnded(ctx context.Context, results iter.Seq2[*Result, error]) iter.Seq2[*Result, error] {
	return func(yield func(*Result, error) bool) {
		for r, err := range results {
			if err == nil {
				err = ctx.Err()
			}
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
}

// fileProblem is why a file could not be written.
func fileProblem(path string, err error) string {
	folder := shown(filepath.Dir(path))
	switch {
	case durable.IsFull(err):
		return i18n.F("The disk of %s is full. Nothing was written.", folder)
	case errors.Is(err, fs.ErrNotExist):
		return i18n.F("There is no folder %s.", folder)
	case errors.Is(err, fs.ErrPermission):
		return i18n.F("You may not write to %s.", folder)
	}
	return i18n.F("Assay can't write to %s, and nothing was written. Check that its disk is connected.", folder)
}

// shown is a path in a sentence.
func shown(path string) plain.Text { return plain.From(path) }
