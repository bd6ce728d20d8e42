// Package ffmpeg runs ffmpeg and ffprobe where they are installed.
package ffmpeg
