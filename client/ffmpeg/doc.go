// Package ffmpeg runs ffmpeg and ffprobe, where they are installed, on files that nobody vouches for. It imports the
// standard library, and of Assay i18n and client/media/container.
//
// No shell is involved; a file is named by its whole path and can be read as nothing but a file; nothing in a file makes
// them fetch anything; they get neither the terminal nor what Assay's environment says about its key; and they end
// with the context, or when their time is up.
package ffmpeg
