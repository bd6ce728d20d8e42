package sandbox

import (
	"context"
	"fmt"
	"image"
	"io"
	"path"
	"path/filepath"
	"strings"

	"assay/client"
	"assay/client/sandbox/forensics"
	"assay/client/sandbox/forensics/audio"
	"assay/client/sandbox/forensics/picture"
	"assay/client/sandbox/forensics/text"
	"assay/client/sandbox/forensics/video"
)

// findings are what the analysers of any kind of media found, in one form.
type findings struct {
	status      forensics.Status
	score       *float64
	reasons     []forensics.Reason // for NOT_APPLICABLE
	languages   []string
	models      []forensics.Model
	aggregation any                         // for JSON
	thumbnail   func() (image.Image, error) // a nil picture is none
	explain     func(io.Writer) error       // writes the page behind explainabilityUrl; nil for none
	sound       bool                        // a video's sound may be a result of its own
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

// examine runs the analysers for the media of a record. Its error is an *forensics.Unreadable or a sentence where there
// is something to say.
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
		thumbnail:   func() (image.Image, error) { return thumbnail(data) },
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

// objectPath is where the bytes lie, for what reads them by itself.
func (s *Sandbox) objectPath(r record) string {
	return filepath.Join(s.folder.root.Name(), objectsDir, r.Object)
}
