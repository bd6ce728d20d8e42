// Package clip shows a clip: its frames, what was reported of its scenes, frames and tubes, and its sound. It is composed of gui/kit,
// gui/chart and gui/viewer/recording, takes frames by client/media/film, and is used on the UI thread; what reads a disk or decodes runs on
// gui/work.
package clip
