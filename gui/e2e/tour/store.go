//go:build e2e && linux

package main

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"assay/gui/e2e"
	"assay/gui/screens"
)

// visitStore makes the screenshots that the packages' metainfo names, for stores and for the site: the window as it was designed, once.
func visitStore(ctx context.Context, l look, pictures []string) error {
	l.sizes = []image.Point{{X: 1280, Y: 800}}
	return (&visit{look: l, ctx: ctx, pictures: pictures, still: true}).run((*visit).store)
}

func (v *visit) store() error {
	options := e2e.Options{Home: filepath.Join(v.dir, "assay")}
	// The picture with a heatmap is the last, and so the first in the list.
	options.Files = slices.SortedStableFunc(slices.Values(v.pictures), func(a, b string) int {
		return cmp.Compare(strings.Count(a, "spliced"), strings.Count(b, "spliced"))
	})
	if err := v.settle(options.Home, sections{"service": sections{"use": "sandbox"}, "notifications": sections{"answers": false, "decisions": false}}); err != nil {
		return err
	}
	if err := v.open(options); err != nil {
		return err
	}
	if _, err := v.app.Answers(v.ctx, len(options.Files), caseLimit); err != nil {
		return err
	}
	v.try(v.keep("store-inbox"))
	if err := v.keys(keyTo(screens.Results), "Home"); err != nil {
		return err
	}
	v.try(v.then("store-viewer", "o"))
	const title = "Flood pictures from the valley"
	photographs := slices.DeleteFunc(slices.Clone(options.Files), func(path string) bool {
		return !strings.Contains(path, "mountains") && !strings.Contains(path, "peaks")
	})
	answers, err := v.call(options.Home, append([]string{"scan", "--json"}, photographs...)...) // the earlier ones
	if err != nil {
		return err
	}
	items := []string{"case", "add", title, "--by", "Maria"}
	for _, found := range requestID.FindAllStringSubmatch(answers, -1) {
		items = append(items, found[1])
	}
	for _, words := range [][]string{
		{"case", "new", title, "--by", "Maria"},
		items,
		{"case", "check", title, "source", "The sender answers, and has the original on the card", "--by", "Maria"},
		{"case", "check", title, "place", "Both ridges match the map", "--by", "Jonas"},
		{"case", "ask", title, "Who else was there that morning?", "--by", "Maria"},
		{"case", "note", title, "The agency's own copy is expected at noon.", "--by", "Aylin"},
	} {
		if _, err := v.call(options.Home, words...); err != nil {
			return err
		}
	}
	v.try(v.then("store-case", keyTo(screens.Cases)))
	return nil
}

// requestID is a result's in what scan prints.
var requestID = regexp.MustCompile(`"requestId":"([^"]+)"`)

// call runs a subcommand beside the window and returns what it prints.
func (v *visit) call(home string, words ...string) (string, error) {
	process, err := v.desktop.Launch(e2e.Options{Home: home, BySettings: true}, words...)
	if err != nil {
		return "", err
	}
	if code, err := process.Wait(stepLimit); err != nil || code != 0 {
		return "", fmt.Errorf("%s ended with exit code %d: %w: %s", words[:2], code, err, process.Errors)
	}
	return process.Output.String(), nil
}
