// Package clip shows a clip: frames, what was reported of its scenes, and its sound.
package clip
