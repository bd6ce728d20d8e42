package bundle

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"path"
	"strings"
	"time"

	"assay/client/i18n"
	"assay/client/verdict"
)

// info is the content of InfoFile. Its lines are fixed English, because programs read them.
func (w *writer) info() []byte {
	var text bytes.Buffer
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&text, "%s: %s\n", name, strings.Join(strings.Fields(value), " "))
		}
	}
	if !w.o.Made.IsZero() {
		line(InfoDate, w.o.Made.UTC().Format(time.DateOnly))
	}
	line(InfoOxum, w.oxum())
	line(InfoIdentifier, w.identifier())
	line(InfoAgent, strings.TrimSpace("Assay "+w.o.Version))
	line(InfoVersion, w.o.Version)
	line(InfoFormat, FormatVersion)
	if w.Service.Sandbox {
		line(InfoSandbox, "true")
		line(InfoNote, string(verdict.SandboxNote))
	}
	return text.Bytes()
}

// oxum is the size of the payload in bytes, and its number of files.
func (w *writer) oxum() string {
	var size int64
	for _, e := range w.payload {
		size += e.size
	}
	return fmt.Sprintf("%d.%d", size, len(w.payload))
}

// identifier is the case's ID, or the request ID of the only result.
func (w *writer) identifier() string {
	switch {
	case w.o.Case != nil:
		return w.o.Case.ID
	case len(w.items) == 1:
		return w.items[0].sub.RequestID
	}
	return ""
}

// leftOut writes what the bundle lacks, in the person's language.
func (w *writer) leftOut() error {
	if len(w.done.Lacks) == 0 {
		return nil
	}
	return w.addText(LeftOutFile, []byte(strings.Join(w.done.Lacks, "\n")+"\n"))
}

// title is the title of the bundle: the case's, or a general one.
func (w *writer) title() string {
	if w.o.Case != nil {
		return w.o.Case.Title
	}
	return i18n.T("Evidence bundle")
}

// crate writes a description of the payload's files: RO-Crate 1.1, whose root is the payload's folder.
func (w *writer) crate() error {
	type reference struct {
		ID string `json:"@id"`
	}
	type entity struct {
		ID          string      `json:"@id"`
		Type        string      `json:"@type"`
		About       *reference  `json:"about,omitempty"`
		ConformsTo  *reference  `json:"conformsTo,omitempty"`
		Name        string      `json:"name,omitempty"`
		Description string      `json:"description,omitempty"`
		Date        string      `json:"datePublished,omitempty"`
		Licence     string      `json:"license,omitempty"` //nolint:misspell // the name of the field
		Identifier  string      `json:"identifier,omitempty"`
		Format      string      `json:"encodingFormat,omitempty"`
		Size        string      `json:"contentSize,omitempty"`
		Parts       []reference `json:"hasPart,omitempty"`
	}
	description := i18n.T("Results of a media deepfake-detection service, and what they are based on.")
	if w.Service.Sandbox {
		description += " " + i18n.T(verdict.SandboxNote)
	}
	root := entity{ID: "./", Type: "Dataset", Name: w.title(), Description: description, Date: w.o.Made.UTC().Format(time.RFC3339),
		Licence: "No licence is granted.", Identifier: w.identifier()}
	var files []entity
	for _, e := range w.payload {
		name := strings.TrimPrefix(e.name, PayloadFolder)
		root.Parts = append(root.Parts, reference{urlPath(name)})
		files = append(files, entity{ID: urlPath(name), Type: "File", Name: path.Base(name), Format: formatOf(name), Size: fmt.Sprint(e.size)})
	}
	graph := append([]entity{
		{ID: path.Base(CrateFile), Type: "CreativeWork", About: &reference{"./"}, ConformsTo: &reference{"https://w3id.org/ro/crate/1.1"}}, root,
	}, files...)
	text, err := json.MarshalIndent(map[string]any{"@context": "https://w3id.org/ro/crate/1.1/context", "@graph": graph}, "", "  ")
	if err != nil {
		return fmt.Errorf("describe the bundle: %w", err)
	}
	return w.addText(CrateFile, append(text, '\n'))
}

// formats are the media types of what is in every bundle. Those of the system differ from computer to computer.
var formats = map[string]string{
	".html": "text/html", ".pdf": "application/pdf", ".json": "application/json", ".ndjson": "application/x-ndjson", ".txt": "text/plain",
	".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".webp": "image/webp", ".gif": "image/gif",
	EntryEnding: "text/plain", ProofEnding: "text/plain", ReceivedEnding: "text/plain",
}

func formatOf(name string) string { return formats[strings.ToLower(path.Ext(name))] }

// urlPath is a path as the identifier of a file: a relative reference.
func urlPath(name string) string { return (&url.URL{Path: name}).String() }
