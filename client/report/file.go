package report

import (
	"context"
	"os"
	"slices"
	"strings"

	"assay/client/i18n"
	"assay/client/media"
	"assay/client/media/facts"
	"assay/client/verdict"
)

// File is what a file says of itself, which anybody can change: it is no part of the verdict.
type File struct {
	Format        string      `json:"format,omitempty"` // by its first bytes
	Width         int         `json:"width,omitempty"`  // pixels, as stored
	Height        int         `json:"height,omitempty"`
	Seconds       float64     `json:"seconds,omitempty"`
	Fields        []FileField `json:"fields"`            // EXIF, XMP, IPTC, tags
	LeftOut       int         `json:"leftOut,omitempty"` // how many fields that may identify somebody are left out
	Credentials   Credentials `json:"credentials"`
	CredentialsIn string      `json:"credentialsMeaning"` // in words
	Signer        string      `json:"signer,omitempty"`   // of the credentials, as stated
	Notes         []string    `json:"notes,omitempty"`    // what could not be read
}

// FileField is one statement.
type FileField struct {
	Key   string `json:"key"` // as the standard names it
	Label string `json:"label"`
	Value string `json:"value"`
}

// Credentials is what became of looking for content credentials (C2PA).
type Credentials string

// The outcomes. That there are none is not suspicious.
const (
	CredentialsNone         Credentials = "none"
	CredentialsIntact       Credentials = "intact"
	CredentialsNotConfirmed Credentials = "not confirmed"
	CredentialsNotSearched  Credentials = "not looked for" // in this kind of file
)

// file reads the person's own file; nil if it is not there any more, or is another one by now. An error is ctx's. Without identifying, what may
// identify somebody is left out.
func (e *evidence) file(ctx context.Context, hashes *media.Hashes, identifying bool) (*File, error) {
	info, err := os.Stat(e.sub.Path)
	if err != nil || !info.Mode().IsRegular() || info.Size() != e.sub.Size {
		return nil, ctx.Err()
	}
	opened, err := os.Open(e.sub.Path)
	if err != nil {
		return nil, ctx.Err()
	}
	defer opened.Close() //nolint:errcheck // only read from
	hash := media.Hash
	if hashes != nil {
		hash = hashes.Hash
	}
	if sum, err := hash(ctx, opened, nil); err != nil || sum != e.sub.SHA256 {
		return nil, ctx.Err()
	}
	read, err := facts.ReadFile(ctx, opened, e.sub.Name)
	if err != nil {
		return nil, ctx.Err()
	}
	return fileOf(read, identifying), nil
}

func fileOf(read facts.Facts, identifying bool) *File {
	f := &File{
		Format: read.Format.Words(), Width: read.Width, Height: read.Height, Seconds: read.Duration.Seconds(), Fields: []FileField{},
		Credentials: CredentialsNone, CredentialsIn: i18n.T("No content credentials in this file. Most files have none: that says nothing about it."), Notes: read.Notes,
	}
	for _, fields := range [][]facts.Field{read.EXIF, read.Embedded} {
		for _, field := range fields {
			if field.Identifying && !identifying {
				f.LeftOut++
				continue
			}
			f.Fields = append(f.Fields, FileField{oneLine(field.Key), oneLine(field.Label), oneLine(field.Value)})
		}
	}
	c := read.Credentials
	for _, a := range c.Actions {
		said := []string{strings.ReplaceAll(strings.TrimPrefix(a.Action, "c2pa."), "_", " "), a.SourceType[strings.LastIndexAny(a.SourceType, "/:")+1:]}
		if identifying {
			said = append(said, a.Agent, a.When)
		}
		said = slices.DeleteFunc(said, func(text string) bool { return text == "" })
		f.Fields = append(f.Fields, FileField{"c2pa.actions", i18n.T("Action, as its credentials state"), oneLine(strings.Join(said, ", "))})
	}
	switch {
	case c.State == facts.Intact:
		f.Credentials = CredentialsIntact
		f.CredentialsIn = i18n.T("Content credentials are present; signature and content match. Who signed is as stated in the file: the certificate was not checked against a list.")
	case c.State == facts.NotConfirmed:
		f.Credentials = CredentialsNotConfirmed
		f.CredentialsIn = i18n.F("Content credentials are present, but could not be confirmed. %s What they say is shown as stated.", c.Reason)
	case c.NotSearched:
		f.Credentials = CredentialsNotSearched
		f.CredentialsIn = i18n.T("Assay does not look for content credentials in this kind of file. That says nothing about it.")
	}
	if c.Signer != "" && !identifying {
		f.LeftOut++
	} else {
		f.Signer = oneLine(c.Signer)
	}
	return f
}

// mostFileRows is how many statements of a file a page has; the .json has all.
const mostFileRows = 40

// fileTable is what the file says of itself.
func (r *Result) fileTable() table {
	t := table{Heading: i18n.T("What the file says about itself"), Class: "file"}
	f := r.File
	if f == nil {
		t.Text = []string{i18n.T("The file is gone or has changed since. What it said about itself is not in this report.")}
		return t
	}
	add := func(label, value string) {
		if value != "" {
			t.Rows = append(t.Rows, row{text(label), text(value)})
		}
	}
	add(i18n.T("Format, by its first bytes"), f.Format)
	if f.Width > 0 && f.Height > 0 {
		add(i18n.T("Dimensions, as stored"), i18n.F("%d × %d pixels", f.Width, f.Height))
	}
	if f.Seconds > 0 {
		add(i18n.T("Length"), verdict.Clock(f.Seconds))
	}
	add(i18n.T("Content credentials (C2PA)"), f.CredentialsIn)
	add(i18n.T("Signed by"), f.Signer)
	for i, field := range f.Fields {
		if i == mostFileRows {
			t.Text = append(t.Text, i18n.N(len(f.Fields)-i, "%s more statement is in the .json.", "%s more statements are in the .json."))
			break
		}
		add(field.Label, field.Value)
	}
	if f.LeftOut > 0 {
		t.Text = append(t.Text, i18n.N(f.LeftOut, "%s statement that may identify a person, a place or a device is left out of this report.", "%s statements that may identify a person, a place or a device are left out of this report."))
	}
	t.Text = append(append(t.Text, f.Notes...),
		i18n.T("Anyone can change or remove what a file says about itself. It can support a judgement, but by itself it proves nothing, and its absence says nothing. The verdict does not use it."))
	return t
}
