// Package recording shows a recording: waveform, what was reported of its parts, and a player.
package recording
