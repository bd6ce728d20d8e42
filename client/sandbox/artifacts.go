package sandbox

import (
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"net/http"
	"path"
	"strings"

	"github.com/disintegration/imaging"
	"github.com/google/uuid"

	"assay/client"
	"assay/client/sandbox/forensics"
	"assay/client/sandbox/forensics/picture"
)

// The files of an analysis in its folder.
const (
	thumbnailFile   = "thumbnail.jpg"
	aggregationFile = "aggregation.json"
	explanationFile = "explanation.html"
)

// heatmapFile names heatmaps by number: model names never reach a path.
func heatmapFile(number int) string { return fmt.Sprintf("heatmap-%d.png", number) }

// keepArtifacts writes the files of an analysis and names them in its outcome. The folder is named first, so that the caller can discard it if this
// fails half-way. It drops the heatmaps from memory.
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
		return nil // the interface allows it to be missing
	}
	err = s.keepFile(path.Join(dir, thumbnailFile), func(w io.Writer) error { return encodeThumbnail(w, small) })
	if err != nil {
		return fmt.Errorf("thumbnail: %w", err)
	}
	o.Thumbnail = true
	return nil
}

// usableHeatmap reports whether the interface promises a heatmap for a model: one that is artificial and no ensemble.
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

// invalidHeatmap reports whether a model without a heatmap is listed all the same, with a link that leads nowhere, as the interface warns: all are
// but artificial ones, for which an entry is a promise.
func (o *outcome) invalidHeatmap(m client.Model) bool {
	return m.IsEnsemble() || m.Status != client.Fake
}

const heatmapsPath = "heatmaps/"

// getArtifact serves what a signed link in a result leads to: the original, the thumbnail, the aggregation JSON, a heatmap or a text's explanation.
// If the link is valid but there is no such file, it is denied, as by a storage that lists nothing.
func (s *Sandbox) getArtifact(w http.ResponseWriter, r *http.Request) {
	e, ok := s.signedObject(w, r)
	if !ok {
		return
	}
	name, contentType, found := e.snapshot().record.artifact(r.PathValue("artifact"))
	if !found {
		s.deny(w, "Access Denied")
		return
	}
	file, err := s.folder.root.Open(name)
	if err != nil {
		s.deny(w, "Access Denied") // it was replaced in this moment
		return
	}
	defer file.Close() //nolint:errcheck // it was only read
	facts, err := file.Stat()
	if err != nil {
		s.log.Error("a file can't be read", "error", err)
		s.storageFail(w, http.StatusInternalServerError, "InternalError", "The sandbox could not read the file.")
		return
	}
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Content-Security-Policy", "sandbox") // an upload comes from a stranger: a browser must run nothing of it
	http.ServeContent(w, r, "", facts.ModTime(), file)
}

// artifact finds the file for a path below the object's; "" is the object itself.
func (r record) artifact(below string) (name, contentType string, found bool) {
	if !r.uploaded() {
		return "", "", false
	}
	if below == "" {
		return path.Join(objectsDir, r.Object), kinds[r.Extension].contentType, true
	}
	o := r.Outcome
	if o == nil || o.Artifacts == "" {
		return "", "", false
	}
	switch dir := path.Join(artifactsDir, o.Artifacts); {
	case below == aggregationFile:
		return path.Join(dir, aggregationFile), "application/json", true
	case below == explanationFile && o.Explained:
		return path.Join(dir, explanationFile), "text/html; charset=utf-8", true
	case below == thumbnailFile && o.Thumbnail:
		return path.Join(dir, thumbnailFile), "image/jpeg", true
	default:
		model, isHeatmap := strings.CutPrefix(below, heatmapsPath)
		if number, kept := o.heatmapNumber(strings.TrimSuffix(model, ".png")); isHeatmap && kept {
			return path.Join(dir, heatmapFile(number)), "image/png", true
		}
		return "", "", false
	}
}

// thumbnailSide is the longest side of a thumbnail in pixels.
const thumbnailSide = 320

// thumbnail makes a small picture, turned upright, on white where the original is transparent. It is only called for pictures that the analysers have
// accepted, so that their size is known to be bearable.
func thumbnail(ctx context.Context, data []byte) (made image.Image, err error) {
	defer func() {
		if cause := recover(); cause != nil { // a fault of a decoder costs the thumbnail only
			made, err = nil, fmt.Errorf("decoder: %v", cause)
		}
	}()
	reduced, err := picture.Reduced(ctx, data, thumbnailSide)
	if err != nil {
		return nil, err
	}
	return small(reduced), nil
}

// small scales a picture down to the size of thumbnails.
func small(picture image.Image) image.Image {
	fitted := imaging.Fit(picture, thumbnailSide, thumbnailSide, imaging.Box)
	ground := imaging.New(fitted.Bounds().Dx(), fitted.Bounds().Dy(), color.White)
	return imaging.Overlay(ground, fitted, image.Point{}, 1)
}

func encodeThumbnail(w io.Writer, small image.Image) error {
	return jpeg.Encode(w, small, &jpeg.Options{Quality: 80})
}
