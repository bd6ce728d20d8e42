//go:build e2e && linux

package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"assay/gui/e2e"
	"assay/gui/e2e/scenes"
	"assay/gui/screens"
)

// step goes to a screen of which a picture is kept, and leads back.
type step struct {
	stop
	back []string // the keys that lead back; nil for Esc, none to stay
}

// steps goes from step to step, even after an error of a screen.
func (v *visit) steps(all ...step) error {
	for _, s := range all {
		if len(s.keys) > 0 {
			v.try(v.then(s.screen, s.keys...))
		} else {
			v.try(v.keep(s.screen))
		}
		if s.back == nil {
			s.back = []string{"Escape"}
		}
		if len(s.back) == 0 {
			continue
		}
		if err := v.keys(s.back...); err != nil {
			return err
		}
	}
	return nil
}

// incoming shows what the service does not take as it is, before it is sent: a phone's picture, what is too large, and a clip of which a part is chosen.
func (v *visit) incoming() error {
	files, err := v.writeIncoming(filepath.Join(v.dir, "Cards"))
	if err != nil {
		return err
	}
	home, err := v.home("incoming", sections{"copies": "ask", "gates": sections{"files": "ask"}})
	if err != nil {
		return err
	}
	options := e2e.Options{Home: home, Server: v.answered.service.URL(), Key: exampleKey}
	options.Files = files // they are in the inbox in this order
	if err := v.open(options); err != nil {
		return err
	}
	v.still = true
	if err := v.steps(
		step{stop{"incoming-1-inbox", []string{"Home"}}, []string{}},
		step{stop{"incoming-2-phone", []string{"s"}}, nil},
		step{stop{"incoming-3-clip", []string{"End", "s"}}, []string{}},
		step{stop{"incoming-4-part", []string{"Right", "Right", "i", "Right", "Right", "Right", "o"}}, nil},
	); err != nil {
		return err
	}
	if err := v.handOver(options, v.pictures[:3]...); err != nil {
		return err
	}
	return v.steps(step{stop{"incoming-5-several", []string{"ctrl+a", "s"}}, nil})
}

// writeIncoming writes a phone's picture, a recording and a clip over what the service takes of them.
func (v *visit) writeIncoming(folder string) ([]string, error) {
	const recordingSeconds, clipSize = 700, 300 << 20
	root, err := e2e.Root()
	if err != nil {
		return nil, err
	}
	phone, err := os.ReadFile(filepath.Join(root, "client", "media", "convert", "testdata", "phone.heic"))
	if err != nil {
		return nil, fmt.Errorf("a phone's picture: %w", err)
	}
	w := &fileWriter{folder: folder, pictures: v.pictures}
	w.put("IMG_0042.HEIC", phone)
	w.put("council meeting, whole.wav", tone(recordingSeconds, 220))
	samples, err := scenes.Samples(v.ctx, filepath.Dir(v.pictures[0]), filepath.Join(v.dir, "Samples"))
	if err != nil {
		return nil, err
	}
	clip, err := os.ReadFile(samples[len(samples)-1])
	if err != nil {
		return nil, fmt.Errorf("a clip: %w", err)
	}
	// What makes the clip large is a box of free space after its end, of which nothing is written.
	clip = append(binary.BigEndian.AppendUint32(clip, clipSize), "free"...)
	w.put("press call, whole.mp4", clip)
	files := w.take()
	return files, errors.Join(w.err, os.Truncate(files[len(files)-1], int64(len(clip)+clipSize-8)))
}

// sheets shows the sheets about results: reports, scanning again, verifying a bundle.
func (v *visit) sheets() error {
	home := filepath.Join(v.dir, "assay")
	if err := v.settle(home, sections{"service": sections{"use": "sandbox"}, "notifications": sections{"answers": false, "decisions": false}}); err != nil {
		return err
	}
	if _, err := v.desktop.StartKeychain(v.ctx, true); err != nil {
		return err
	}
	options := e2e.Options{Home: home, Files: v.pictures}
	if err := v.open(options); err != nil {
		return err
	}
	if _, err := v.app.Answers(v.ctx, len(v.pictures), caseLimit); err != nil {
		return err
	}
	v.still = true
	if err := v.keys(keyTo(screens.Results), "Home"); err != nil {
		return err
	}
	down := func(n int) []string { // the format of a report, by its place in the menu, from 1
		keys := []string{"Tab", "space"}
		for range n {
			keys = append(keys, "Down")
		}
		return append(keys, "Return")
	}
	if err := v.steps(
		step{stop{"sheets-1-report", []string{"ctrl+e"}}, down(3)},
		step{stop{"sheets-2-report-bundle", nil}, nil},
		step{stop{"sheets-3-selected", []string{"x", "j", "x", "j", "x"}}, []string{"ctrl+e"}},
		step{stop{"sheets-4-report-several", nil}, down(4)},
		step{stop{"sheets-5-report-table", nil}, []string{"Escape", "Escape"}},
	); err != nil {
		return err
	}
	answers, err := v.call(home, append([]string{"scan", "--json"}, v.pictures...)...) // the earlier ones
	if err != nil {
		return err
	}
	bundle := filepath.Join(v.dir, "Harbour.zip")
	words := []string{"export", "--out", bundle}
	const title = "Harbour statement"
	add := []string{"case", "add", title}
	for _, found := range requestID.FindAllStringSubmatch(answers, -1) {
		words, add = append(words, found[1]), append(add, found[1])
	}
	for _, one := range [][]string{{"case", "new", title}, add, words} {
		if _, err := v.call(home, one...); err != nil {
			return err
		}
	}
	content, err := os.ReadFile(bundle)
	if err != nil {
		return fmt.Errorf("a bundle: %w", err)
	}
	changed := filepath.Join(v.dir, "Harbour, as it came in.zip")
	content[len(content)/2] ^= 1
	if err := os.WriteFile(changed, content, 0o600); err != nil {
		return fmt.Errorf("a bundle: %w", err)
	}
	for screen, path := range map[string]string{"sheets-6-verify": bundle, "sheets-7-verify-changed": changed} {
		if err := v.handOver(e2e.Options{Home: home}, path); err != nil {
			return err
		}
		v.try(v.keep(screen))
		if err := v.keys("Escape"); err != nil {
			return err
		}
	}
	return v.steps(
		step{stop{"sheets-8-report-case", []string{keyTo(screens.Cases), "ctrl+e"}}, nil},
		step{stop{"sheets-9-scan-again", append([]string{keyTo(screens.Inbox), keyTo(screens.Cases)}, tabs(10, "space")...)}, nil},
	)
}
