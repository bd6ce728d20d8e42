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
)

// heatmapFile names heatmaps by number: model names never reach a path.
func heatmapFile(number int) string { return fmt.Sprintf("heatmap-%d.png", number) }

// keepArtifacts writes the files of an analysis and notes them in its outcome. The folder is noted first,
// so that the caller can discard it when this fails half-way. The report's heatmaps are let go.
func (s *Sandbox) keepArtifacts(o *outcome, report *forensics.ImageReport, data []byte) error {
	o.Artifacts = uuid.NewString()
	dir := path.Join(artifactsDir, o.Artifacts)
	if err := s.folder.root.Mkdir(dir, 0o700); err != nil {
		return err
	}
	for i, m := range report.Models {
		report.Models[i].Heatmap = nil // large, and not needed once it is written
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
	summary, err := json.Marshal(aggregationOf(report))
	if err != nil {
		return fmt.Errorf("aggregation: %w", err)
	}
	err = s.keepFile(path.Join(dir, aggregationFile), func(w io.Writer) error { _, err := w.Write(summary); return err })
	if err != nil {
		return fmt.Errorf("aggregation: %w", err)
	}
	small, err := thumbnail(data)
	if err != nil {
		s.log.Warn("a picture got no thumbnail", "error", err)
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

// aggregation is the JSON behind modelMetadataUrl, of the shape seen at services of this kind.
type aggregation struct {
	BBoxes      []aggregationBox  `json:"bboxes"`
	Conclusions map[string]string `json:"conclusions"` // a sentence by model name
	Image       aggregationImage  `json:"image"`
}

type aggregationImage struct {
	Width  int `json:"width"` // stored pixels, before the EXIF orientation
	Height int `json:"height"`
}

type aggregationBox struct {
	BBox        corners                  `json:"bbox"`
	Conclusions map[string]boxConclusion `json:"conclusions"` // by model name
}

type boxConclusion struct {
	Decision string `json:"decision"`
}

// corners frame a region in the picture's pixels.
type corners struct {
	TopLeft     point `json:"top_left"`
	TopRight    point `json:"top_right"`
	BottomRight point `json:"bottom_right"`
	BottomLeft  point `json:"bottom_left"`
}

type point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

func aggregationOf(report *forensics.ImageReport) aggregation {
	a := aggregation{
		BBoxes:      make([]aggregationBox, 0, len(report.BBoxes)),
		Conclusions: report.Conclusions,
		Image:       aggregationImage{Width: report.Width, Height: report.Height},
	}
	if a.Conclusions == nil {
		a.Conclusions = map[string]string{}
	}
	for _, b := range report.BBoxes {
		a.BBoxes = append(a.BBoxes, aggregationBox{
			BBox: corners{
				TopLeft: point{b.X0, b.Y0}, TopRight: point{b.X1, b.Y0},
				BottomRight: point{b.X1, b.Y1}, BottomLeft: point{b.X0, b.Y1},
			},
			Conclusions: map[string]boxConclusion{b.Model: {Decision: b.Decision}},
		})
	}
	return a
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
