package gui

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"assay/client/report"
)

// TestReportFonts writes a PDF with the toolkit's fonts: not every kind of font can stand in one.
func TestReportFonts(t *testing.T) {
	report.UseFonts(ReportFonts())
	path := filepath.Join(t.TempDir(), "empty.pdf")
	if err := report.Write(t.Context(), path, report.Options{}, func(func(*report.Result, error) bool) {}); err != nil {
		t.Fatal(err)
	}
	if content, err := os.ReadFile(path); err != nil || bytes.Count(content, []byte("/FontFile2")) != 3 {
		t.Errorf("%v: it holds %d fonts", err, bytes.Count(content, []byte("/FontFile2")))
	}
}
