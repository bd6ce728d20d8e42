//go:build e2e && linux

package exhibit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// All makes every exhibit, from the pictures of a folder and what the media tools of this computer can make; clips need ffmpeg.
func All(ctx context.Context, pictures string) (exhibits []*Exhibit, err error) {
	scratch, err := os.MkdirTemp("", "assay-exhibits-")
	if err != nil {
		return nil, fmt.Errorf("folder for media: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()
	s, g := newStudio(ctx, scratch), &gallery{folder: pictures}
	for _, some := range [][]*Exhibit{g.pictures(), s.recordings(), s.clips(pictures), texts()} {
		exhibits = append(exhibits, some...)
	}
	if err := errors.Join(s.err, g.err); err != nil {
		return nil, fmt.Errorf("exhibits: %w", err)
	}
	return exhibits, nil
}

// Samples writes one recording, one clip and one text into a folder, for analysers that are real; what this computer can't make is left out.
func Samples(ctx context.Context, pictures, folder string) (paths []string, err error) {
	scratch, err := os.MkdirTemp("", "assay-samples-")
	if err != nil {
		return nil, fmt.Errorf("folder for media: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()
	s := newStudio(ctx, scratch)
	voice := s.speech("en-gb", statement)
	sound, as := s.encoded(voice, ".mp3")
	samples := []*Exhibit{{Key: "text", Name: "statement.txt", Content: []byte(strings.Join(english, ""))}, {Key: "recording", Name: "voice note" + as, Content: sound}}
	if s.ffmpeg {
		samples = append(samples, &Exhibit{Key: "clip", Name: "press call.mp4", Content: s.clip(filepath.Join(pictures, "mountains.jpg"), voice, 480, 270)})
	}
	if s.err != nil {
		return nil, fmt.Errorf("samples: %w", s.err)
	}
	for _, e := range samples {
		path, err := e.Write(folder)
		if err != nil {
			return nil, err
		}
		paths = append(paths, path)
	}
	return paths, nil
}
