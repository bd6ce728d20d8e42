// Package recording shows a recording: its waveform, what was reported of its parts, and a player. It is composed of gui/kit and
// gui/chart, plays by gui/player, and is used on the UI thread; what reads a disk or decodes runs on gui/work.
package recording
