package gui

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/assets/reportfonts"
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

// TestBothBuildsHaveTheSameFonts: for the same result, Assay with its window and without it write the same PDF. Where the toolkit brings other
// fonts than before, copy them into assets/reportfonts.
func TestBothBuildsHaveTheSameFonts(t *testing.T) {
	of := ReportFonts()
	for name, same := range map[string]bool{
		"regular": bytes.Equal(of.Regular, reportfonts.Regular), "bold": bytes.Equal(of.Bold, reportfonts.Bold), "mono": bytes.Equal(of.Mono, reportfonts.Mono),
	} {
		if !same {
			t.Errorf("the window's %s font is not the one of assets/reportfonts", name)
		}
	}
}

func TestWhatTheSystemOpensIsHandedOverUntilTheWindowCloses(t *testing.T) {
	ctx, end := context.WithCancel(t.Context())
	opened, taken := make(chan []string), [][]string(nil)
	done := make(chan struct{})
	go func() {
		defer close(done)
		takeOpened(ctx, opened, func(_ context.Context, given []string) error {
			taken = append(taken, given)
			return errors.New("the disk is full") // the next one is taken all the same
		}, slog.New(slog.DiscardHandler))
	}()
	opened <- []string{"/a.jpg", "/b.jpg"}
	opened <- []string{"/c.jpg"}
	end()
	<-done
	if diff := cmp.Diff([][]string{{"/a.jpg", "/b.jpg"}, {"/c.jpg"}}, taken); diff != "" {
		t.Error(diff)
	}
}
