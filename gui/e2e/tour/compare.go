//go:build e2e && linux

package main

import (
	"fmt"
	"path/filepath"
	"slices"

	"assay/gui/e2e"
	"assay/gui/e2e/scenes"
	"assay/gui/screens"
)

// compare shows two answers on one content, for each medium: in the ways in which heatmaps are compared, and where the numbers of a model stand.
func (v *visit) compare() error {
	some := scenes.Repeated(v.answered.scenes)
	service := scenes.Serve(some)
	defer service.Close()
	options := e2e.Options{Home: filepath.Join(v.dir, "assay"), Server: service.URL(), Key: exampleKey}
	if err := v.settle(options.Home, atService(service.URL())); err != nil {
		return err
	}
	slices.Reverse(some) // what is scanned last is first among the results
	for _, again := range []string{"--no-wait=false", "--again"} {
		for _, e := range some {
			path, err := e.Write(filepath.Join(v.dir, "Incoming"))
			if err != nil {
				return err
			}
			one := options
			one.Files = []string{path}
			process, err := v.desktop.Launch(one, "scan", again)
			if err != nil {
				return err
			}
			if code, err := process.Wait(answersLimit); err != nil || code != 0 {
				return fmt.Errorf("scan %s ended with exit code %d: %w: %s", e.Name, code, err, process.Errors)
			}
		}
	}
	if err := v.open(options); err != nil {
		return err
	}
	if err := v.keys(keyTo(screens.Results), "Home"); err != nil {
		return err
	}
	slices.Reverse(some)
	v.still = true
	for i, e := range some {
		if _, err := (&viewing{look: v.look, desktop: v.desktop, window: v.app.Window}).settled(v.ctx); err != nil { // wait until it shows something
			return err
		}
		v.try(v.then("compare-"+e.Key, "e"))
		if i == 0 {
			v.try(v.then("compare-"+e.Key+"-side-by-side", "3"))
			v.try(v.then("compare-"+e.Key+"-keys", "question"))
			if err := v.keys("Escape"); err != nil {
				return err
			}
		}
		if e.Answer.MediaType == "TEXT" {
			v.try(v.then("compare-"+e.Key+"-later", "2"))
		}
		if err := v.keys("Escape", "j"); err != nil {
			return err
		}
	}
	return nil
}
