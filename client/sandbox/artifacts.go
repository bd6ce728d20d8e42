package sandbox

import (
	"encoding/json"
	"fmt"
	"image/png"
	"io"
	"path"

	"github.com/google/uuid"

	"assay/client"
	"assay/client/sandbox/forensics"
)

// The files of an analysis in its folder.
const (
	thumbnailFile   = "thumbnail.jpg"
	aggregationFile = "aggregation.json"
	explanationFile = "explanation.html"
)

// heatmapFile names heatmaps by number: model names never reach a path.
func heatmapFile(number int) string { return fmt.Sprintf("heatmap-%d.png", number) }

// keepArtifacts writes the files of an analysis and notes them in its outcome. The folder is noted first,
// so that the caller can discard it when this fails half-way. The heatmaps are let go.
func (s *Sandbox) keepArtifacts(o *outcome, found findings) error {
	o.Artifacts = uuid.NewString()
	dir := path.Join(artifactsDir, o.Artifacts)
	if err := s.folder.root.Mkdir(dir, 0o700); err != nil {
		return err
	}
	for i, m := range found.models {
		found.models[i].Heatmap = nil // large, and not needed once it is written
		if m.Heatmap == nil || !usableHeatmap(m) {
			continue
		}
		encoder := png.Encoder{CompressionLevel: png.BestSpeed}
		err := s.keepFile(path.Join(dir, heatmapFile(len(o.Heatmaps))), func(w io.Writer) error { return encoder.Encode(w, m.Heatmap) })
		if err != nil {
			return fmt.Errorf("heatmap of %s: %w", m.Name, err)
		}
		o.Heatmaps = append(o.Heatmaps, m.Name)
	}
	summary, err := json.Marshal(found.aggregation)
	if err != nil {
		return fmt.Errorf("aggregation: %w", err)
	}
	err = s.keepFile(path.Join(dir, aggregationFile), func(w io.Writer) error { _, err := w.Write(summary); return err })
	if err != nil {
		return fmt.Errorf("aggregation: %w", err)
	}
	if found.explain != nil {
		if err := s.keepFile(path.Join(dir, explanationFile), found.explain); err != nil {
			return fmt.Errorf("explanation: %w", err)
		}
		o.Explained = true
	}
	small, err := found.thumbnail()
	if err != nil {
		s.log.Warn("a picture got no thumbnail", "error", err)
	}
	if small == nil {
		return nil // the interface lets it be missing
	}
	err = s.keepFile(path.Join(dir, thumbnailFile), func(w io.Writer) error { return encodeThumbnail(w, small) })
	if err != nil {
		return fmt.Errorf("thumbnail: %w", err)
	}
	o.Thumbnail = true
	return nil
}

// usableHeatmap reports whether the interface promises a heatmap for such a row: an artificial, non-ensemble model's.
func usableHeatmap(m forensics.Model) bool {
	return m.Status == forensics.Fake && !m.Ensemble
}

func (s *Sandbox) keepFile(name string, write func(io.Writer) error) (err error) {
	file, err := s.folder.create(name)
	if err != nil {
		return err
	}
	defer func() {
		if closing := file.Close(); err == nil {
			err = closing
		}
	}()
	return write(file)
}

// heatmapNumber finds the file of a model's heatmap.
func (o *outcome) heatmapNumber(model string) (number int, found bool) {
	for i, name := range o.Heatmaps {
		if name == model {
			return i, true
		}
	}
	return 0, false
}

// invalidHeatmap reports whether a model that has no heatmap is still listed with a link that leads nowhere, as the
// interface warns: all but the artificial ones, for which an entry is a promise.
func (o *outcome) invalidHeatmap(m client.Model) bool {
	return m.IsEnsemble() || m.Status != client.Fake
}
