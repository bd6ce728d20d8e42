//go:build e2e && linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"assay/gui/e2e"
	"assay/gui/e2e/scenes"
	"assay/gui/screens"
)

// folders shows how a folder is added, and the card for it.
func (v *visit) folders() error {
	if err := v.settle(filepath.Join(v.dir, "assay"), nil); err != nil {
		return err
	}
	v.sizes = v.sizes[:1] // one size, since keys scroll the screen
	return v.addFolders()
}

// resultsShown are the scenes to show in each language.
var resultsShown = []string{"image-fake", "audio-fake", "video-voice-clone", "text-fake"}

// results shows the inbox, the results and the viewer.
func (v *visit) results() error {
	home := v.answered.home
	if err := v.settle(home, atService(v.answered.service.URL())); err != nil {
		return err
	}
	if err := v.open(e2e.Options{Home: home, Server: v.answered.service.URL(), Key: exampleKey}); err != nil {
		return err
	}
	v.try(v.keep("inbox-1"))
	v.try(v.then("inbox-2-selected", "ctrl+a"))
	v.try(v.then("inbox-3-nothing-found", "Escape", "slash", "x", "q", "z"))
	if err := v.keys("Escape", "Escape", keyTo(screens.Results), "Home"); err != nil {
		return err
	}
	v.still = true
	v.try(v.keep("results-1"))
	v.try(v.then("results-2-selected", "x", "j", "x"))
	if err := v.keys("Escape", "Escape", "Home"); err != nil {
		return err
	}
	at := 0
	for _, key := range resultsShown {
		i := slices.IndexFunc(v.answered.scenes, func(e *scenes.Scene) bool { return e.Key == key })
		if i < 0 {
			return fmt.Errorf("no scene %s", key)
		}
		for ; at < i; at++ {
			if err := v.keys("j"); err != nil {
				return err
			}
		}
		if _, err := (&viewing{look: v.look, desktop: v.desktop, window: v.app.Window}).settled(v.ctx); err != nil { // wait until it shows something
			return err
		}
		v.still = strings.HasPrefix(key, "image")
		v.try(v.keep("viewer-" + key))
		if i == 0 {
			v.try(v.then("viewer-"+key+"-overlay", "2"))
			v.try(v.then("viewer-"+key+"-full-window", "f"))
			v.try(v.then("viewer-"+key+"-everything-covered", "ctrl+shift+h"))
			if err := v.keys("ctrl+shift+h", "Escape"); err != nil {
				return err
			}
			v.try(v.then("viewer-"+key+"-keys", "question"))
			if err := v.keys("Escape"); err != nil {
				return err
			}
			v.pages(key)
			v.try(v.then("viewer-"+key+"-judgement", "v", "Tab", "Tab", "space"))
			if err := v.keys("Escape", "Escape"); err != nil {
				return err
			}
		}
	}
	return nil
}

// pages keeps a picture of each page about a result, and goes back to the first. The open page is found by colours that are known for some themes.
func (v *visit) pages(key string) {
	if _, known := accents[v.theme]; !known {
		return
	}
	w := &viewing{look: v.look, desktop: v.desktop, window: v.app.Window}
	for _, page := range []tab{modelsTab, detailsTab, dataTab, historyTab} {
		v.try(w.keep(v.ctx, "viewer-"+key+"-page-"+tabNames[page], view{name: tabNames[page], tab: page}))
	}
	v.try(w.keep(v.ctx, "", view{tab: modelsTab}))
}

// gate shows the review, and files that wait for it in the inbox.
func (v *visit) gate() error {
	files, err := writeGateFiles(filepath.Join(v.dir, "From the source"), v.pictures)
	if err != nil {
		return err
	}
	home, err := v.home("gate", sections{"gates": sections{"files": "never", "links": "never"}})
	if err != nil {
		return err
	}
	options := e2e.Options{Home: home, Server: v.answered.service.URL(), Key: exampleKey}
	first := options
	first.Files = append(files.stay, "https://social.example/p/CqX81")
	if err := v.open(first); err != nil {
		return err
	}
	v.try(v.keep("gate-01-source-identifying"))
	if err := v.settle(home, sections{"gates": sections{"files": "sensitive", "links": "sensitive"}}); err != nil {
		return err
	}
	first.Files = []string{files.identifying}
	if err := v.open(first); err != nil {
		return err
	}
	v.try(v.keep("gate-02-sensitive"))
	v.try(v.then("gate-03-one", "Home", "s"))
	v.try(v.then("gate-04-one-neutral", "shift+Tab", "shift+Tab", "shift+Tab", "space"))
	if err := v.keys("Escape"); err != nil {
		return err
	}
	for _, one := range []struct{ screen, what string }{
		{"gate-05-link", "https://social.example/status/1839204711?utm_source=share"},
		{"gate-06-text", files.text},
		{"gate-07-damaged", files.damaged},
		{"gate-08-nothing-found", files.plain},
		{"gate-09-long-name", files.long},
	} {
		if err := v.handOver(options, one.what); err != nil {
			return err
		}
		v.try(v.then(one.screen, "Home", "s"))
		if err := v.keys("Escape"); err != nil {
			return err
		}
	}
	if err := v.handOver(options, files.many...); err != nil {
		return err
	}
	v.try(v.then("gate-10-selected", "ctrl+a"))
	v.try(v.then("gate-11-many", "s"))
	v.try(v.then("gate-12-many-together", "Tab", "Tab", "space"))
	if err := v.keys("Escape", "Escape"); err != nil {
		return err
	}
	// One is never to be sent.
	if err := v.keys("Home", "s"); err != nil {
		return err
	}
	if err := v.keys("Tab", "space"); err != nil { // from "Not now" down to "Never send"
		return err
	}
	v.try(v.then("gate-13-decided", "Escape", "Home", "j", "j"))
	v.try(v.then("gate-14-keys", "question"))
	return nil
}

// gateFiles are the files for the review.
type gateFiles struct {
	identifying, text, damaged, plain, long string
	stay, many                              []string
}

func writeGateFiles(folder string, pictures []string) (gateFiles, error) {
	w := &fileWriter{folder: folder, pictures: pictures}
	one := func(name string, content []byte) string {
		w.put(name, content)
		return w.take()[0]
	}
	var jpeg []byte
	for _, picture := range pictures {
		if filepath.Base(picture) == "mountains.jpg" {
			content, err := os.ReadFile(picture)
			if err != nil {
				return gateFiles{}, err
			}
			jpeg = content
		}
	}
	f := gateFiles{
		identifying: one("IMG_20261119_083211.jpg", scenes.WithOwner(jpeg)),
		text:        one("statement of the witness.txt", []byte("I was there on Thursday. I saw the two lorries come from the north, and nobody was in the street then.\n")),
		damaged:     one("cut off.jpg", scenes.WithOwner(jpeg)[:len(jpeg)/2]),
	}
	w.copies("plain.png")
	f.plain = w.take()[0]
	w.copies("from the source who must not be named, as it came in over the secure line on Thursday night, not cropped, second of nine.jpg")
	f.long = w.take()[0]
	w.copies("passport scan.jpg", "whistleblower memo.png")
	f.stay = w.take()
	for i := range 7 {
		w.put(numbered("DSC%05d.jpg", 7)[i], append(scenes.WithOwner(jpeg), byte(i)))
	}
	w.put("recording of the meeting.wav", tone(2, 300))
	f.many = w.take()
	return f, w.err
}
