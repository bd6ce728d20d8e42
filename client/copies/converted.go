package copies

import (
	"context"
	"io"
	"os"

	"assay/client"
	"assay/client/ffmpeg"
	"assay/client/i18n"
	"assay/client/media"
	"assay/client/media/convert"
	"assay/client/submission"
)

// Able returns why the copy that a file needs can't be made on this computer; nil where it can, as far as is known before. Its error is a *Problem.
func (f *Folder) Able(file media.File, need submission.Need) error {
	if need == submission.NeedsNothing || file.Type == client.Image {
		return nil
	}
	tool, err := ffmpeg.Find()
	if err == nil && tool.Prober != "" {
		return nil
	}
	p := &Problem{Err: err}
	switch need {
	case submission.NeedsPart:
		p.Text = i18n.M("This clip is %s, over the service's limit. With the program ffmpeg, Assay can cut out the part to check. Install ffmpeg, then try again.",
			i18n.SizeMessage(file.Size))
	default:
		p.Text = i18n.M("The service does not take this kind of file. With the program ffmpeg, Assay can make a copy that it takes. Install ffmpeg, then try again.")
	}
	return p
}

// hidden is the part of the ID under which a copy lies from which one without metadata is made.
const hidden = "-whole"

// converted makes a copy in another format, or of a part.
func (f *Folder) converted(ctx context.Context, file media.File, id string, how submission.Copying) (made submission.Copy, err error) {
	from, err := media.Open(file)
	if err != nil {
		return made, err
	}
	defer from.Close() //nolint:errcheck // only read from
	var did convert.Made
	first := id
	if how.WithoutMetadata {
		first += hidden
		defer f.Remove(first) //nolint:errcheck // what is left of it is swept away at the next start
	}
	err = f.write(first, "", func(to *os.File) (err error) {
		did, err = convert.Copy(ctx, convert.Source{File: from, Path: file.Path, Size: file.Size, Type: file.Type}, to,
			convert.How{From: how.Part.From, To: how.Part.To, Most: how.Most})
		if err != nil {
			return err
		}
		if err := media.Unchanged(file); err != nil { // other programs opened it by its path
			return err
		}
		if err := sameBytes(ctx, from, file); err != nil {
			return err
		}
		return measure(ctx, to, &made)
	}, &made.Path)
	if err == nil && how.WithoutMetadata {
		made, err = f.plain(ctx, made, id, did.Extension)
	} else if err == nil {
		err = f.rename(&made, id, did.Extension)
	}
	if err != nil {
		return submission.Copy{}, said(err)
	}
	made.Format, made.Metadata, made.Note = did.Format, !how.WithoutMetadata, did.Note
	made.Part = submission.Part{From: did.From, To: did.To}
	return made, nil
}

// measure sets size and hash of a copy.
func measure(ctx context.Context, to *os.File, made *submission.Copy) error {
	info, err := to.Stat()
	if err != nil {
		return onDisk(err)
	}
	if _, err := to.Seek(0, io.SeekStart); err != nil {
		return onDisk(err)
	}
	made.Size = info.Size()
	made.SHA256, err = media.Hash(ctx, to, nil)
	return err
}

// plain makes of a copy one without metadata.
func (f *Folder) plain(ctx context.Context, whole submission.Copy, id, extension string) (submission.Copy, error) {
	info, err := os.Stat(whole.Path)
	if err != nil {
		return whole, onDisk(err)
	}
	file := media.File{Path: whole.Path, Name: id + extension, SendName: id + extension, Size: whole.Size, ModTime: info.ModTime(), SHA256: whole.SHA256}
	from, err := media.Open(file)
	if err != nil {
		return whole, onDisk(err)
	}
	defer from.Close() //nolint:errcheck // only read from
	return f.stripped(ctx, from, file, id)
}

// rename gives a copy the name with its extension.
func (f *Folder) rename(made *submission.Copy, id, extension string) error {
	path, err := f.pathOf(id, extension)
	if err != nil {
		return err
	}
	if err := os.Rename(made.Path, path); err != nil {
		return onDisk(err)
	}
	made.Path = path
	return nil
}
