//go:build e2e && linux

// Command tour makes screenshots where there is no display: it opens the built program on a virtual one, submits the pictures of testdata with a text,
// a recording and a clip, prints each verdict, and leaves a screenshot of every screen, light and dark, small and large, in build/tour. It does the same
// for an inbox with submissions in every state, the viewer with every medium and status (in build/tour/viewer, from a service with prepared answers),
// cases, watched folders, a history of years, and the first run, the settings, the review and every dialogue in each language (in build/tour/setup). It imports
// gui/e2e and what is below it, gui/screens for the table of screens, and client/store/storetest, which makes the history.
//
// Arguments name the parts to make (pictures, inbox, viewer, cases, folders, setup, history, and store: what the packages' metainfo names); the default is all. Flags, before the names, say in
// which looks: `tour -languages de,fr -sizes 900x600 -themes light -texts 1.5,2 -chapters gate setup`.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"

	"assay/gui/e2e"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	choice, out := setupFlags(flag.CommandLine)
	flag.Parse()
	err := tour(ctx, flag.Args(), choice, *out)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "tour:", err)
		os.Exit(1)
	}
}

// tour makes the wanted parts, or all if there are none, in the folder shots; "" is build/tour.
func tour(ctx context.Context, wanted []string, setup *setupChoice, shots string) (err error) {
	root, err := e2e.Root()
	if err != nil {
		return err
	}
	pictures, err := e2e.Pictures(root)
	if err != nil {
		return err
	}
	if shots == "" {
		shots = filepath.Join(root, "build", "tour")
	}
	if err := os.RemoveAll(shots); err != nil {
		return fmt.Errorf("clear old screenshots: %w", err)
	}
	var past *history
	wants := func(part string) bool { return len(wanted) == 0 || slices.Contains(wanted, part) }
	if wants("history") {
		if past, err = startHistory(ctx); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, past.close()) }()
	}

	light, dark := look{theme: "light", scale: 1, sizes: sizes, shots: shots}, look{theme: "dark", scale: 1, sizes: sizes, shots: shots}
	doubled := func(l look) look { l.scale = 2; return l }
	some := []look{light, dark, doubled(light)}
	some[2].sizes = sizes[:1]
	var asked []look
	if setup.given() {
		if asked, err = setup.looks(shots); err != nil {
			return err
		}
	}
	or := func(usual ...look) []look {
		if asked != nil {
			return asked
		}
		return usual
	}
	var wrong []error
	for _, part := range []struct {
		name string
		run  func() error
	}{
		{"pictures", func() error { return visitPictures(ctx, or(light, dark, doubled(light), doubled(dark)), pictures) }},
		{"inbox", func() error { return visitInbox(ctx, or(some...), pictures) }},
		{"viewer", func() error { return visitViewer(ctx, asked, shots, filepath.Dir(pictures[0])) }},
		{"cases", func() error { return visitCases(ctx, or(casesLooks(light, dark)...), pictures) }},
		{"folders", func() error { return visitFolders(ctx, or(some...), pictures) }},
		{"setup", func() error { return visitSetup(ctx, *setup, filepath.Join(shots, "setup"), pictures) }},
		{"store", func() error { return visitStore(ctx, light, pictures) }},
		{"history", func() error { return past.visit(ctx, or(some...)) }},
	} {
		if !wants(part.name) || ctx.Err() != nil {
			continue
		}
		if err := part.run(); err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %w", part.name, err))
		}
	}
	if ctx.Err() != nil {
		return errors.Join(wrong...)
	}
	kept := 0
	err = filepath.WalkDir(shots, func(path string, _ fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".png" {
			kept++
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("count screenshots: %w", err)
	}
	fmt.Printf("%d screenshots lie in %s\n", kept, shots)
	return errors.Join(wrong...)
}
