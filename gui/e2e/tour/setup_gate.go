//go:build e2e && linux

package main

import (
	"os"
	"path/filepath"

	"assay/gui/e2e"
)

// gate shows what may leave, as it asks and as it stands in the inbox.
func (v *setupVisit) gate() error {
	files, err := layOutGate(filepath.Join(v.dir, "From the source"), v.pictures)
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
	v.try(v.then("gate-04-one-copy", "shift+Tab", "shift+Tab", "space", "shift+Tab", "Down"))
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
	v.try(v.then("gate-12-many-copies", "shift+Tab", "shift+Tab", "space", "shift+Tab", "Down"))
	if err := v.keys("Escape", "Escape"); err != nil {
		return err
	}
	// One is kept here, and of one it is said for good that it never leaves.
	if err := v.keys("Home", "h", "j", "s"); err != nil {
		return err
	}
	if err := v.keys("shift+Tab", "space"); err != nil {
		return err
	}
	v.try(v.then("gate-13-decided", "Escape", "Home", "j", "j"))
	v.try(v.then("gate-14-keys", "question"))
	return nil
}

// gateFiles are what is asked about.
type gateFiles struct {
	identifying, text, damaged, plain, long string
	stay, many                              []string
}

func layOutGate(folder string, pictures []string) (gateFiles, error) {
	w := &deskWriter{folder: folder, pictures: pictures}
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
		identifying: one("IMG_20261119_083211.jpg", withOwner(jpeg)),
		text:        one("statement of the witness.txt", []byte("I was there on Thursday. I saw the two lorries come from the north, and nobody was in the street then.\n")),
		damaged:     one("cut off.jpg", withOwner(jpeg)[:len(jpeg)/2]),
	}
	w.copies("plain.png")
	f.plain = w.take()[0]
	w.copies("from the source who must not be named, as it came in over the secure line on Thursday night, not cropped, second of nine.jpg")
	f.long = w.take()[0]
	w.copies("passport scan.jpg", "whistleblower memo.png")
	f.stay = w.take()
	for i := range 7 {
		w.put(numbered("DSC%05d.jpg", 7)[i], append(withOwner(jpeg), byte(i)))
	}
	w.put("recording of the meeting.wav", tone(2, 300))
	f.many = w.take()
	return f, w.err
}
