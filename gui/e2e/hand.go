//go:build e2e && linux

package e2e

import (
	"context"
	"image"
	"strconv"
)

// The wheel's two directions, as the X server counts buttons.
const (
	wheelUp   = "4"
	wheelDown = "5"
)

// Point moves the pointer to a place inside the window.
func (w *Window) Point(ctx context.Context, at image.Point) error {
	_, err := w.desktop.Run(ctx, "xdotool", append(w.pointTo(at), "sleep", "0.1")...)
	return err
}

func (w *Window) pointTo(at image.Point) []string {
	return []string{"mousemove", "--window", w.id, strconv.Itoa(at.X), strconv.Itoa(at.Y)}
}

// Drag takes hold of what lies at one place inside the window and lets it go at another, in small steps as a hand does.
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

// Wheel turns the wheel by notches over a place inside the window.
func (w *Window) Wheel(ctx context.Context, at image.Point, direction string, notches int) error {
	hand := append(w.pointTo(at), "sleep", "0.1")
	for range notches {
		hand = append(hand, "click", direction, "sleep", "0.05")
	}
	_, err := w.desktop.Run(ctx, "xdotool", hand...)
	return err
}
