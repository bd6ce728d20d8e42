//go:build e2e && linux

package e2e

import (
	"context"
	"fmt"
	"time"
)

// Copy puts something into the clipboard, in a form such as image/png, as another program does that goes on running. What is copied comes
// from a file, so that it stands in no process's arguments.
func (d *Desktop) Copy(ctx context.Context, form, file string) error {
	if _, err := d.Start("xclip", "-quiet", "-selection", "clipboard", "-t", form, "-i", file); err != nil {
		return err
	}
	return Until(ctx, 10*time.Second, fmt.Sprintf("%s is in the clipboard", form), func() (bool, error) {
		there, err := d.Run(ctx, "xclip", "-o", "-selection", "clipboard", "-t", "TARGETS")
		return err == nil && len(there) > 0, nil
	})
}
