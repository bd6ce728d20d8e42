//go:build e2e && linux

package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"path/filepath"
	"time"

	"assay/gui/e2e"
)

// visit is a chapter in one look, on a desktop of its own.
type visit struct {
	look
	ctx      context.Context //nolint:containedctx // of the call that it lives for
	pictures []string
	others   *otherServices
	answered *answeredHome

	desktop *e2e.Desktop
	dir     string // the chapter's own folder
	app     *e2e.Assay
	still   bool    // whether not to scroll: over a picture, the wheel zooms
	wrong   []error // errors of screens, after which the visit goes on
}

// run runs a chapter.
func (v *visit) run(walk func(*visit) error) error {
	return v.onDesktop(v.ctx, func(desktop *e2e.Desktop, dir string) error {
		v.desktop, v.dir = desktop, dir
		err := walk(v)
		if v.app != nil {
			err = errors.Join(err, v.app.Stop())
		}
		return errors.Join(append(v.wrong, err)...)
	})
}

// home makes a folder for Assay with the look's settings and more. It keeps what is there already.
func (v *visit) home(name string, more sections) (string, error) {
	home := filepath.Join(v.dir, name)
	return home, v.settle(home, more)
}

// atService are the settings for a service.
func atService(address string) sections {
	return sections{"service": sections{"use": "service", "address": address}}
}

// open starts Assay, after closing the last one.
func (v *visit) open(options e2e.Options) (err error) {
	if v.app != nil {
		if err := v.app.Stop(); err != nil {
			return err
		}
		v.app = nil
	}
	options = v.options(options)
	options.BySettings = options.Server == ""
	v.app, err = v.desktop.StartAssay(v.ctx, options)
	if err != nil {
		return err
	}
	if err := v.app.Window.Place(v.ctx, 20, 30, v.pixels(v.sizes[0].X), v.pixels(v.sizes[0].Y)); err != nil {
		return err
	}
	return v.app.Window.Activate(v.ctx)
}

// handOver passes files and links to the open window.
func (v *visit) handOver(options e2e.Options, files ...string) error {
	before, err := v.app.Window.SettledBut(v.ctx, restless)
	if err != nil {
		return err
	}
	options = v.options(options)
	options.Files = files
	options.BySettings = options.Server == ""
	process, err := v.desktop.Launch(options)
	if err != nil {
		return err
	}
	if _, err := process.Wait(stepLimit); err != nil {
		return err
	}
	if _, err := v.app.Window.Differs(v.ctx, before, 0.0005); err != nil {
		return err
	}
	return v.app.Window.Activate(v.ctx)
}

// stepLimit is how long a step may take.
const stepLimit = 30 * time.Second

// keys presses keys and waits for their effect.
func (v *visit) keys(keys ...string) error {
	if err := v.app.Window.Keys(v.ctx, keys...); err != nil {
		return err
	}
	return v.pause()
}

// then presses keys that change the screen, waits for that, and keeps a picture.
func (v *visit) then(screen string, keys ...string) error {
	before, err := v.app.Window.Shot(v.ctx)
	if err == nil {
		err = v.app.Window.Keys(v.ctx, keys...)
	}
	if err == nil {
		_, err = v.app.Window.Differs(v.ctx, before, 0.0005)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", screen, err)
	}
	return v.keep(screen)
}

// typed types a text into what has the focus.
func (v *visit) typed(text string) error { return v.app.Window.Type(v.ctx, text) }

// keep keeps a picture of the screen at each size, and of its end if it scrolls.
func (v *visit) keep(screen string) error {
	for _, size := range v.sizes {
		shot, err := v.shoot(v.ctx, v.app.Window, size)
		if err != nil {
			v.wrong = append(v.wrong, fmt.Errorf("%s: %w", screen, err))
		}
		if shot == nil {
			return v.ctx.Err()
		}
		v.wrong = append(v.wrong, v.desktop.Keep(shot, v.named(screen, size)))
		if v.still {
			continue
		}
		end, err := v.wheel(size, "5")
		if err != nil {
			return fmt.Errorf("%s: %w", screen, err)
		}
		if end.Changed(shot) <= 4*restless {
			continue
		}
		v.wrong = append(v.wrong, v.desktop.Keep(end, v.named(screen+"-end", size)))
		if _, err := v.wheel(size, "4"); err != nil {
			return fmt.Errorf("%s: %w", screen, err)
		}
	}
	return nil
}

// wheel scrolls to an end of what is in the middle, and moves the pointer away.
func (v *visit) wheel(size image.Point, direction string) (*e2e.Shot, error) {
	const turns = "40"
	var hand []string
	for _, percent := range []int{97, 52} { // beside the columns of whole screens, and in the middle of sheets
		hand = append(hand, "mousemove", fmt.Sprint(20+v.pixels(size.X*percent/100)), fmt.Sprint(30+v.pixels(size.Y/2)), "sleep", "0.05",
			"click", "--repeat", turns, "--delay", "6", direction)
	}
	if _, err := v.desktop.Run(v.ctx, "xdotool", append(hand, v.away()...)...); err != nil {
		return nil, err
	}
	return v.rest()
}

// away moves the pointer out of the window without hovering over anything.
func (v *visit) away() []string {
	return []string{"sleep", "0.05", "mousemove", "26", fmt.Sprint(30 + v.pixels(380)), "sleep", "0.05", "mousemove", "1", "1"}
}

// rest waits until the window has come to rest.
func (v *visit) rest() (*e2e.Shot, error) { return rest(v.ctx, v.app.Window, restless, nil) }

func (v *visit) pause() error {
	select {
	case <-time.After(300 * time.Millisecond):
		return nil
	case <-v.ctx.Done():
		return v.ctx.Err()
	}
}

// try records an error of a screen, and goes on.
func (v *visit) try(err error) { v.wrong = append(v.wrong, err) }

// setKey puts a key into the desktop's keychain by `assay key set`.
func (v *visit) setKey(address, key string) error {
	binary, err := e2e.Binary()
	if err != nil {
		return err
	}
	line := `printf '%s\n' "$KEY" | "$ASSAY" key set --server "$SERVER"`
	process, err := v.desktop.StartWith([]string{"KEY=" + key, "ASSAY=" + binary, "SERVER=" + address}, "sh", "-c", line)
	if err != nil {
		return err
	}
	code, err := process.Wait(stepLimit)
	if err == nil && code != 0 {
		err = fmt.Errorf("key set ended with exit code %d: %s", code, process.Errors)
	}
	return err
}
