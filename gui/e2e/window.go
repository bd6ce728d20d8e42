//go:build e2e && linux

package e2e

import (
	"context"
	"fmt"
	"image"
	"strconv"
	"strings"
	"time"
)

// Window is a program's window on the desktop.
type Window struct {
	desktop *Desktop
	id      string
}

// Window waits for a visible window that xdotool's search finds, such as ("--name", "^Assay$").
func (d *Desktop) Window(ctx context.Context, search ...string) (*Window, error) {
	var id string
	err := Until(ctx, patience, "a window shows for "+strings.Join(search, " "), func() (bool, error) {
		found, err := d.Run(ctx, "xdotool", append([]string{"search", "--onlyvisible"}, search...)...)
		if err != nil { // xdotool fails if it finds nothing
			return false, nil
		}
		ids := strings.Fields(string(found))
		if len(ids) > 0 {
			id = ids[len(ids)-1]
		}
		return id != "", nil
	})
	if err != nil {
		return nil, err
	}
	return &Window{desktop: d, id: id}, nil
}

// Windows counts the visible windows that xdotool's search finds.
func (d *Desktop) Windows(ctx context.Context, search ...string) int {
	found, err := d.Run(ctx, "xdotool", append([]string{"search", "--onlyvisible"}, search...)...)
	if err != nil { // xdotool fails if it finds nothing
		return 0
	}
	return len(strings.Fields(string(found)))
}

// Size is the window's inner size in pixels.
func (w *Window) Size(ctx context.Context) (image.Point, error) {
	numbers, err := w.shellNumbers(ctx, "WIDTH", "HEIGHT", "getwindowgeometry", "--shell", w.id)
	return numbers, err
}

// shellNumbers runs xdotool and reads two of the NAME=number lines that it prints.
func (w *Window) shellNumbers(ctx context.Context, first, second string, arguments ...string) (image.Point, error) {
	out, err := w.desktop.Run(ctx, "xdotool", arguments...)
	if err != nil {
		return image.Point{}, err
	}
	numbers := map[string]int{}
	for line := range strings.Lines(string(out)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		if number, err := strconv.Atoi(value); err == nil {
			numbers[name] = number
		}
	}
	return image.Pt(numbers[first], numbers[second]), nil
}

// Place moves the window's frame to a position on the screen, gives it an inner size, and waits until it has that. It repeats the request, since a
// window manager under load sometimes loses it.
func (w *Window) Place(ctx context.Context, x, y, width, height int) error {
	var size image.Point
	var asked time.Time
	err := Until(ctx, patience, fmt.Sprintf("the window is %d × %d", width, height), func() (bool, error) {
		if time.Since(asked) > 3*time.Second {
			asked = time.Now()
			if _, err := w.desktop.Run(ctx, "xdotool", "windowmove", w.id, strconv.Itoa(x), strconv.Itoa(y),
				"windowsize", w.id, strconv.Itoa(width), strconv.Itoa(height)); err != nil {
				return false, err
			}
		}
		var err error
		size, err = w.Size(ctx)
		return size == image.Pt(width, height), err
	})
	if err != nil {
		return fmt.Errorf("%w (it is %d × %d)", err, size.X, size.Y)
	}
	return nil
}

// Activate raises and focuses the window. It waits for the X server's word: when the window manager says that the window is active, keys may still
// go elsewhere.
func (w *Window) Activate(ctx context.Context) error {
	if _, err := w.desktop.Run(ctx, "xdotool", "windowactivate", w.id); err != nil {
		return err
	}
	return Until(ctx, patience, "the window has the keyboard", func() (bool, error) {
		focused, err := w.desktop.Run(ctx, "xdotool", "getwindowfocus")
		return err == nil && strings.TrimSpace(string(focused)) == w.id, nil
	})
}

// Keys activates the window and presses keys in turn, by xdotool's names: "ctrl+2", "o", "bracketleft".
func (w *Window) Keys(ctx context.Context, keys ...string) error {
	if err := w.Activate(ctx); err != nil {
		return err
	}
	_, err := w.desktop.Run(ctx, "xdotool", append([]string{"key", "--delay", "60"}, keys...)...)
	return err
}

// Type types a text into what has the focus.
func (w *Window) Type(ctx context.Context, text string) error {
	_, err := w.desktop.Run(ctx, "xdotool", "type", "--delay", "10", "--", text)
	return err
}

// Click presses and releases the left button at a position in the window, as slowly as a hand.
func (w *Window) Click(ctx context.Context, x, y int) error {
	_, err := w.desktop.Run(ctx, "xdotool", "mousemove", "--window", w.id, strconv.Itoa(x), strconv.Itoa(y),
		"sleep", "0.1", "mousedown", "1", "sleep", "0.1", "mouseup", "1", "sleep", "0.1")
	return err
}

// onScreen converts a position in the window to one on the screen, by moving the pointer there: window managers differ in how the geometry that they
// report includes the frame.
func (w *Window) onScreen(ctx context.Context, inside image.Point) (image.Point, error) {
	return w.shellNumbers(ctx, "X", "Y", "mousemove", "--window", w.id, strconv.Itoa(inside.X), strconv.Itoa(inside.Y),
		"sleep", "0.05", "getmouselocation", "--shell")
}

// The directions of the wheel, as the X server numbers buttons.
const (
	wheelUp   = "4"
	wheelDown = "5"
)

// Point moves the pointer to a position in the window.
func (w *Window) Point(ctx context.Context, at image.Point) error {
	_, err := w.desktop.Run(ctx, "xdotool", append(w.pointTo(at), "sleep", "0.1")...)
	return err
}

func (w *Window) pointTo(at image.Point) []string {
	return []string{"mousemove", "--window", w.id, strconv.Itoa(at.X), strconv.Itoa(at.Y)}
}

// Drag drags from one position in the window to another, in small steps like a hand.
func (w *Window) Drag(ctx context.Context, from, to image.Point) error {
	const steps = 12
	hand := append(w.pointTo(from), "sleep", "0.1", "mousedown", "1", "sleep", "0.1")
	for step := 1; step <= steps; step++ {
		hand = append(hand, w.pointTo(from.Add(to.Sub(from).Mul(step).Div(steps)))...)
		hand = append(hand, "sleep", "0.02")
	}
	_, err := w.desktop.Run(ctx, "xdotool", append(hand, "sleep", "0.1", "mouseup", "1", "sleep", "0.1")...)
	return err
}

// Wheel turns the wheel by notches at a position in the window.
func (w *Window) Wheel(ctx context.Context, at image.Point, direction string, notches int) error {
	hand := append(w.pointTo(at), "sleep", "0.1")
	for range notches {
		hand = append(hand, "click", direction, "sleep", "0.05")
	}
	_, err := w.desktop.Run(ctx, "xdotool", hand...)
	return err
}
