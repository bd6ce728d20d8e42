package details

import (
	"context"
	"fmt"
	"testing"

	"fyne.io/fyne/v2"

	"assay/gui/guitest"
	"assay/gui/look"
	"assay/gui/present"
)

// source answers from memory.
type source struct {
	details map[string]Details
	err     error
	asked   []string
}

func (s *source) Details(_ context.Context, id string) (Details, error) {
	s.asked = append(s.asked, id)
	return s.details[id], s.err
}

// fixture is a pane in a test window, with the UI thread in the test's hands.
type fixture struct {
	t *testing.T
	*guitest.UI
	pane   *Pane
	source *source
	window fyne.Window
	copied []string
}

func setup(t *testing.T, mode look.Mode, width, height float32, all ...Details) *fixture {
	t.Helper()
	guitest.App(t, mode)
	s := &fixture{t: t, source: &source{details: map[string]Details{}}, UI: guitest.NewUI(t)}
	for _, d := range all {
		s.source.details[d.ID] = d
	}
	s.pane = New(Params{Workers: s.Workers(1), Source: s.source, Copy: func(text string) { s.copied = append(s.copied, text) }})
	s.window = guitest.Window(t, s.pane.Object(), fyne.NewSize(width, height))
	return s
}

// show shows a result and waits for what the worker read.
func (s *fixture) show(id string) {
	s.pane.Show(present.Viewer{ID: id})
	s.Next()
}

func (s *fixture) key(names ...fyne.KeyName) {
	for _, name := range names {
		s.window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: name})
	}
}

const hash = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

// harbour is a picture with everything.
func harbour() Details {
	exif := DetailGroup{Heading: "EXIF", From: "from the file", Rows: []DetailRow{
		{Label: "Camera", Value: "Camera X-100", Copy: "Camera X-100"}, {Label: "Lens", Value: "EF-S 18-55 mm f/3.5-5.6 IS II", Copy: "EF-S"},
		{Label: "Taken", Value: "2026-05-01 10:20:30 (no time zone given)", Copy: "2026-05-01 10:20:30"},
		{Label: "Camera's serial number", Value: "062062059949", Copy: "062062059949", Identifying: true},
		{Label: "Position", Value: "-33.857056, 151.211111 (33° 51′ 25.40″ S, 151° 12′ 40.00″ E)", Copy: "-33.857056, 151.211111", Identifying: true},
		{Label: "Description", Value: "The harbour at dawn, seen from the quay, with the two ferries that were said to have been there since midnight, and a crowd of people waiting.", Copy: "The harbour"},
	}}
	for i := range 300 {
		exif.Rows = append(exif.Rows, DetailRow{Label: fmt.Sprintf("Field %d", i), Value: fmt.Sprint(i), Copy: fmt.Sprint(i)})
	}
	return Details{ID: "harbour", Groups: []DetailGroup{
		{Heading: "File", From: "from this computer", Rows: []DetailRow{
			{Label: "Name", Value: "harbour-statement.jpg", Copy: "harbour-statement.jpg"},
			{Label: "Path", Value: "/home/desk/incoming/2026-05-01/a-very-long-folder-name-without-any-space-in-it-at-all/harbour-statement.jpg", Copy: "/home/desk"},
			{Label: "Size", Value: "1.2 MB (1,234,567 bytes)", Copy: "1234567"}, {Label: "SHA-256", Value: hash, Copy: hash, Hash: true},
		}},
		{Heading: "Answer", From: "from the service", Rows: []DetailRow{{Label: "Release", Value: "3.1.4", Copy: "3.1.4"}}},
		{Heading: "Content credentials (C2PA)", From: "from the file", State: CredentialsNotConfirmed,
			Text: "Content credentials are present, but could not be confirmed. The file was changed after it was signed. What they say is shown as stated.",
			Rows: []DetailRow{{Label: "Signed by", Value: "A. Photographer, The Desk", Copy: "A. Photographer, The Desk", Identifying: true}}},
		exif,
	}}
}
