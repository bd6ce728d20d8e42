package sandbox

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"path"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/google/uuid"

	"assay/client"
	"assay/client/sandbox/forensics"
	"assay/client/sandbox/forensics/audio"
	"assay/client/sandbox/forensics/picture"
	"assay/client/sandbox/forensics/text"
	"assay/client/sandbox/forensics/video"
)

// findings are the findings of the analysers of any kind of media, in one form.
type findings struct {
	status      forensics.Status
	score       *float64
	reasons     []forensics.Reason // for NOT_APPLICABLE
	languages   []string
	models      []forensics.Model
	aggregation any                         // to be encoded as JSON
	thumbnail   func() (image.Image, error) // a nil picture means none
	explain     func(io.Writer) error       // writes the page behind explainabilityUrl; nil for none
	sound       bool                        // a video's sound may have a result of its own
}

func noThumbnail() (image.Image, error) { return nil, nil }

// modelNames are the models of a kind of media, in the order in which they report, the ensemble last.
func modelNames(media client.MediaType) []string {
	switch media {
	case client.Image:
		return picture.Models()
	case client.Audio:
		return audio.Models()
	case client.Video:
		return video.Models()
	case client.Text:
		return text.Models()
	}
	return nil
}

// examine runs the analysers for the media of a record. Its error is a *forensics.Unreadable, or a sentence.
func (s *Sandbox) examine(ctx context.Context, r record, finished func(forensics.Model)) (findings, error) {
	if r.MediaType == client.Video { // too large to be held in memory
		return s.examineVideo(ctx, r, finished)
	}
	data, err := s.folder.root.ReadFile(path.Join(objectsDir, r.Object))
	if err == nil && int64(len(data)) != r.Size {
		err = fmt.Errorf("%d bytes of %d are there", len(data), r.Size)
	}
	if err != nil {
		s.log.Error("an upload can't be read back", "requestId", r.RequestID, "error", err)
		return findings{}, sentence("The sandbox could not read the upload back.")
	}
	switch r.MediaType {
	case client.Image:
		return s.examineImage(ctx, data, finished)
	case client.Audio:
		return s.examineAudio(ctx, data, r.Extension, finished)
	default:
		return s.examineText(ctx, data, finished)
	}
}

func (s *Sandbox) examineImage(ctx context.Context, data []byte, finished func(forensics.Model)) (findings, error) {
	report, err := s.analyseImage(ctx, data, finished)
	if err != nil {
		return findings{}, err
	}
	return findings{
		status: report.Status, score: report.Score, reasons: report.Reasons, models: report.Models,
		aggregation: aggregationOfImage(report),
		thumbnail:   func() (image.Image, error) { return thumbnail(ctx, data) },
	}, nil
}

func (s *Sandbox) examineAudio(ctx context.Context, data []byte, extension string, finished func(forensics.Model)) (findings, error) {
	report, err := s.analyseAudio(ctx, data, strings.TrimPrefix(extension, "."), finished)
	if err != nil {
		return findings{}, err
	}
	return findings{
		status: report.Status, score: report.Score, reasons: report.Reasons, languages: report.Languages, models: report.Models,
		aggregation: aggregationOfAudio(report), thumbnail: noThumbnail,
	}, nil
}

func (s *Sandbox) examineText(ctx context.Context, data []byte, finished func(forensics.Model)) (findings, error) {
	report, err := text.Analyse(ctx, data, finished)
	if err != nil {
		return findings{}, err
	}
	decoded, err := text.Decode(data)
	if err != nil {
		return findings{}, err
	}
	return findings{
		status: report.Status, score: report.Score, reasons: report.Reasons, languages: report.Languages, models: report.Models,
		aggregation: aggregationOfText(report), thumbnail: noThumbnail,
		explain: func(w io.Writer) error { return report.Explain(w, decoded) },
	}, nil
}

func (s *Sandbox) examineVideo(ctx context.Context, r record, finished func(forensics.Model)) (findings, error) {
	report, err := s.analyseVideo(ctx, s.objectPath(r), finished)
	if err != nil {
		return findings{}, err
	}
	return findings{
		status: report.Status, score: report.Score, models: report.Models,
		aggregation: aggregationOfVideo(report), sound: report.HasAudio,
		thumbnail: func() (image.Image, error) {
			if report.Thumbnail == nil {
				return nil, nil
			}
			return small(report.Thumbnail), nil
		},
	}, nil
}

// objectPath is the path of the bytes, for programs that read them by themselves.
func (s *Sandbox) objectPath(r record) string {
	return filepath.Join(s.folder.root.Name(), objectsDir, r.Object)
}

// soundExtension is the extension of the files that the sound of videos is kept in.
const soundExtension = ".wav"

// keepSound extracts the sound of a video, submits it as a submission of its own, and returns its request ID. It is "" where that is not possible:
// the interface allows a video to have none.
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
			_ = writer.CloseWithError(err) // it never fails; with nil it marks the end
		}()
		err = s.extractSound(ctx, s.objectPath(clip), writer)
	}()
	upload, err := s.receive(reader, -1, nil)
	_ = reader.Close() // ends the extraction if the disk failed; it never fails
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

// soundOf finds or makes the submission for the sound of a video. There is one for each video, however often it is analysed.
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
