package sandbox

import (
	"context"
	"errors"
	"io"
	"path"
	"runtime/debug"
	"strings"

	"assay/client/sandbox/forensics/video"

	"github.com/google/uuid"

	"assay/client"
)

// soundExtension is of the files that the sound of videos is kept in.
const soundExtension = ".wav"

// keepSound takes the sound out of a video and has it analysed as a submission of its own, whose requestId it returns. It
// is "" where that can't be done: the interface lets a video be without.
func (s *Sandbox) keepSound(ctx context.Context, clip record) string {
	reader, writer := io.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		err := errors.New("the extraction panicked")
		defer func() {
			if cause := recover(); cause != nil {
				s.log.Error("the extraction of sound panicked", "requestId", clip.RequestID, "cause", cause, "stack", string(debug.Stack()))
			}
			_ = writer.CloseWithError(err) // it never fails; without an error it is the end
		}()
		err = s.extractSound(ctx, s.objectPath(clip), writer)
	}()
	upload, err := s.receive(reader, -1, nil)
	_ = reader.Close() // so that the extraction ends too where the disk failed; it never fails
	<-done
	if err == nil {
		var e *entry
		if e, err = s.soundOf(clip); err == nil {
			if err = s.accept(e, upload); err == nil {
				return e.snapshot().record.RequestID
			}
		}
	}
	switch {
	case ctx.Err() != nil:
	case errors.Is(err, video.ErrNoFFmpeg), errors.Is(err, video.ErrNoSoundTrack):
		s.log.Info("a video has no result for its sound", "requestId", clip.RequestID, "reason", err)
	default:
		s.log.Error("the sound of a video can't be kept", "requestId", clip.RequestID, "error", err)
	}
	return ""
}

// soundOf finds the submission for the sound of a video, or makes it. There is one for each video, however often its
// analysis is done.
func (s *Sandbox) soundOf(clip record) (*entry, error) {
	for _, e := range s.all() {
		if e.snapshot().record.ExtractedFrom == clip.RequestID {
			return e, nil
		}
	}
	name := strings.TrimSuffix(clip.OriginalFileName, path.Ext(clip.OriginalFileName))
	name = shortened(name, maxName-len(soundExtension)) + soundExtension
	return s.enter(record{
		RequestID: uuid.NewString(), MediaID: uuid.NewString(), UserID: clip.UserID,
		FileName: underscored(name), OriginalFileName: name, Extension: soundExtension, MediaType: client.Audio,
		Asked: s.now().UTC(), ExtractedFrom: clip.RequestID,
	})
}
