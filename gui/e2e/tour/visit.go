//go:build e2e && linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"maps"
	"os"
	"path/filepath"
	"time"

	"assay/gui/e2e"
)

// visit is one chapter in one look, on a desktop of its own.
type visit struct {
	look
	ctx      context.Context //nolint:containedctx // of the one call that it lives for
	pictures []string
	others   *otherServices
	answered *answeredHome

	desktop *e2e.Desktop
	dir     string // the chapter's own
	app     *e2e.Assay
	still   bool    // what scrolls is left where it is: over a picture, the wheel makes it larger
	wrong   []error // screens that could not be kept; the next ones are tried all the same
}

// sections are a file of settings, by section.
type sections map[string]any

// run walks a chapter.
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

// home is a folder for Assay's things with the look's settings in it, and further ones. What was there before stays.
func (v *visit) home(name string, more sections) (string, error) {
	home := filepath.Join(v.dir, name)
	return home, v.settle(home, more)
}

// settle writes the settings of a home.
func (v *visit) settle(home string, more sections) error {
	all := sections{"version": 1, "appearance": sections{"language": v.language, "theme": v.theme}}
	maps.Copy(all, more)
	text, err := json.Marshal(all)
	if err == nil {
		err = os.MkdirAll(home, 0o700)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(home, "settings.json"), text, 0o600)
	}
	if err != nil {
		return fmt.Errorf("settings: %w", err)
	}
	return nil
}

// atService are the settings of an Assay that works with a service.
func atService(address string) sections {
	return sections{"service": sections{"use": "service", "address": address}}
}

// open starts Assay in place of the one that is open.
func (v *visit) open(options e2e.Options) (err error) {
	if v.app != nil {
		if err := v.app.Stop(); err != nil {
			return err
		}
		v.app = nil
	}
	options.Theme, options.Scale = v.theme, v.scale
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

// handOver gives files and links to the window that is open.
func (v *visit) handOver(options e2e.Options, files ...string) error {
	before, err := v.app.Window.SettledBut(v.ctx, restless)
	if err != nil {
		return err
	}
	options.Theme, options.Scale, options.Files = v.theme, v.scale, files
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

// stepLimit is how long a step may take at most.
const stepLimit = 30 * time.Second

// keys presses keys and lets what follows from them come.
func (v *visit) keys(keys ...string) error {
	if err := v.app.Window.Keys(v.ctx, keys...); err != nil {
		return err
	}
	return v.pause()
}

// then presses keys that show something else, waits for it, and keeps the screen.
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

// typed types a text into what has the keyboard.
func (v *visit) typed(text string) error { return v.app.Window.Type(v.ctx, text) }

// keep keeps the screen at each size, and its end where there is more of it than has room.
func (v *visit) keep(screen string) error {
	for _, size := range v.sizes {
		if err := v.app.Window.Place(v.ctx, 20, 30, v.pixels(size.X), v.pixels(size.Y)); err != nil {
			v.wrong = append(v.wrong, fmt.Errorf("%s: %w", screen, err))
		}
		shot, err := v.rest()
		if err != nil {
			return fmt.Errorf("%s: %w", screen, err)
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

// wheel turns the wheel to an end of what scrolls in the middle, and puts the pointer away.
func (v *visit) wheel(size image.Point, direction string) (*e2e.Shot, error) {
	const turns = "40"
	var hand []string
	for _, percent := range []int{97, 52} { // beside the columns of whole screens, and in the middle of what lies over them
		hand = append(hand, "mousemove", fmt.Sprint(20+v.pixels(size.X*percent/100)), fmt.Sprint(30+v.pixels(size.Y/2)), "sleep", "0.05",
			"click", "--repeat", turns, "--delay", "6", direction)
	}
	if _, err := v.desktop.Run(v.ctx, "xdotool", append(hand, v.away()...)...); err != nil {
		return nil, err
	}
	return v.rest()
}

// away takes the pointer out of the window by a way on which nothing is left pointed at.
func (v *visit) away() []string {
	return []string{"sleep", "0.05", "mousemove", "26", fmt.Sprint(30 + v.pixels(380)), "sleep", "0.05", "mousemove", "1", "1"}
}

// rest waits until the window has come to rest, and lets what a worker hands over be painted before.
func (v *visit) rest() (*e2e.Shot, error) {
	if err := v.pause(); err != nil {
		return nil, err
	}
	return v.app.Window.SettledBut(v.ctx, restless)
}

func (v *visit) pause() error {
	select {
	case <-time.After(300 * time.Millisecond):
		return nil
	case <-v.ctx.Done():
		return v.ctx.Err()
	}
}

// try notes what goes wrong with a screen, and goes on.
func (v *visit) try(err error) { v.wrong = append(v.wrong, err) }

// setKey has `assay key set` put a key into the desktop's keychain.
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
