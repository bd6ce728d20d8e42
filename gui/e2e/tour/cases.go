//go:build e2e && linux

package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"assay/gui/e2e"
	"assay/gui/screens"
)

// visitCases shows how a case is made and filled in.
func visitCases(ctx context.Context, looks []look, pictures []string) error {
	var wrong []error
	for _, l := range looks {
		if err := (&visit{look: l, ctx: ctx, pictures: pictures}).run((*visit).cases); err != nil {
			wrong = append(wrong, fmt.Errorf("%s %s at scale %g: %w", l.theme, l.language, l.scale, err))
		}
		if ctx.Err() != nil {
			break
		}
	}
	return errors.Join(wrong...)
}

// casesLooks are light and dark in English, and light in German, whose words are the longest.
func casesLooks(light, dark look) []look {
	german := light
	german.language = "de"
	return []look{light, dark, german}
}

// caseLimit is how long the answers of a case's items may take.
const caseLimit = 60 * time.Second

// cases makes a case by keys, fills it in, and shows each sheet of it.
func (v *visit) cases() error {
	options := e2e.Options{Home: filepath.Join(v.dir, "assay"), Files: v.pictures}
	if err := v.settle(options.Home, sections{"service": sections{"use": "sandbox"}, "notifications": sections{"answers": false, "decisions": false}}); err != nil {
		return err
	}
	if err := v.open(options); err != nil {
		return err
	}
	if _, err := v.app.Answers(v.ctx, len(v.pictures), caseLimit); err != nil {
		return err
	}
	v.still = true
	const title = "Harbour statement"
	v.try(v.then("cases-empty", keyTo(screens.Cases)))
	v.try(v.then("cases-new", "n"))
	if err := errors.Join(v.typed(title), v.keys("Return")); err != nil {
		return err
	}
	v.try(v.keep("cases-fresh"))
	if err := v.keys(keyTo(screens.Results), "Home"); err != nil {
		return err
	}
	v.try(v.then("cases-choose", "c"))
	if err := v.keys("Return", "Return"); err != nil { // to the list, and the case in it
		return err
	}
	answers, err := v.call(options.Home, append([]string{"scan", "--json"}, v.pictures...)...) // the earlier ones
	if err != nil {
		return err
	}
	add := []string{"add", title, "--by", "Maria"}
	for _, found := range requestID.FindAllStringSubmatch(answers, -1) {
		add = append(add, found[1])
	}
	for _, words := range [][]string{
		add,
		{"check", title, "source", "The press office denies it", "--by", "Maria"},
		{"check", title, "earlier-copy", "None before 3 November", "--by", "Jonas"},
		{"ask", title, "Where was this taken?", "--by", "Maria"},
		{"ask", title, "Is the sound from the same day?", "--by", "Aylin"},
		{"answer", title, "1", "Pier 4, seen from the ferry ramp", "--because", "the cranes' numbers", "--link", "https://harbour.example/cams", "--by", "Jonas"},
		{"tag", title, "harbour, elections", "--by", "Maria"},
		{"conclude", title, "We don't run the picture. The press office denies the statement, and no copy older than 3 November was found.", "--by", "Maria"},
		{"reopen", title, "--by", "Jonas"},
	} {
		if _, err := v.call(options.Home, append([]string{"case"}, words...)...); err != nil {
			return err
		}
	}
	v.try(v.then("cases-in-the-viewer", "Escape", "End"))
	v.still = false
	v.try(v.then("cases-filled", keyTo(screens.Cases)))
	v.still = true
	for _, sheet := range []stop{
		{"cases-question", []string{"q"}}, {"cases-conclusion", []string{"c"}}, {"cases-elsewhere", []string{"l"}}, {"cases-add", []string{"a"}},
		{"cases-rename", []string{"e"}}, {"cases-tags", []string{"t"}}, {"cases-keys", []string{"question"}},
	} {
		v.try(v.then(sheet.screen, sheet.keys...))
		if err := v.keys("Escape"); err != nil {
			return err
		}
	}
	v.try(v.then("cases-note", "m"))
	return nil
}
