//go:build e2e && linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// montages lays the pictures of each screen side by side, four languages to a sheet, so that one glance compares them.
func montages(ctx context.Context, looks []look) error {
	folder := looks[0].shots
	files, err := filepath.Glob(filepath.Join(folder, "*.png"))
	if err != nil {
		return fmt.Errorf("screenshots: %w", err)
	}
	sheets := map[string][]string{} // by the name without its language
	for _, l := range looks {
		for _, file := range files {
			name := filepath.Base(file)
			mark := "-" + l.language + "-" + l.theme + "-"
			if screen, rest, found := strings.Cut(name, mark); found && !slices.Contains(sheets[screen+"-"+l.theme+"-"+rest], file) {
				sheets[screen+"-"+l.theme+"-"+rest] = append(sheets[screen+"-"+l.theme+"-"+rest], file)
			}
		}
	}
	out := filepath.Join(folder, "sheets")
	if err := os.MkdirAll(out, 0o750); err != nil {
		return fmt.Errorf("folder for sheets: %w", err)
	}
	var wrong []error
	for name, some := range sheets {
		if len(some) < 2 {
			continue
		}
		arguments := append(slices.Clone(some), "-tile", "2x", "-geometry", "+6+6", "-background", "#808080", filepath.Join(out, name))
		if said, err := exec.CommandContext(ctx, "montage", arguments...).CombinedOutput(); err != nil {
			wrong = append(wrong, fmt.Errorf("sheet %s: %w: %s", name, err, said))
		}
	}
	return errors.Join(wrong...)
}
