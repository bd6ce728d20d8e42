package report

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"html/template"
	"image"
	"image/jpeg"
	"io"
	"os"

	"assay/client"
	"assay/client/bounded"
	"assay/client/media/picture"
	"assay/client/store"
	"assay/client/submission"
	"assay/client/vault"
	"assay/client/verdict"
)

// shownSide is the longer side of a picture in a report, in pixels, which is enough for a page.
const shownSide = 1200

// evidence is the source of a Result, for the formats that show more than its fields.
type evidence struct {
	records *store.Store
	sub     submission.Submission
}

// shownPicture is a picture in a report.
type shownPicture struct {
	jpeg   []byte
	Size   image.Point // as shown, upright
	Source image.Point // of the whole picture
	Format string
	// Received means that it was made from the file itself, rather than from the service's thumbnail.
	Received    bool
	orientation int
}

// picture returns the picture that a result is about, reduced: from the person's own file if its hash still matches, else from the service's
// thumbnail. It is nil if neither can be shown.
func (e *evidence) picture(ctx context.Context) (*shownPicture, error) {
	if e.sub.Type == client.Image && e.sub.Path != "" {
		data, err := bounded.ReadFile(e.sub.Path, picture.DefaultLimits.MaxBytes)
		if sum := sha256.Sum256(data); err == nil && hex.EncodeToString(sum[:]) == e.sub.SHA256 {
			if p, err := decoded(ctx, bytes.NewReader(data), picture.Limits{LongSide: shownSide}); p != nil || err != nil {
				if p != nil {
					p.Received = true
				}
				return p, err
			}
		}
	}
	file, _, err := e.records.Artifact(ctx, e.sub.RequestID, vault.Thumbnail, "")
	if err != nil {
		return nil, ctx.Err() // there is no readable one
	}
	defer file.Close() //nolint:errcheck // only read from
	return decoded(ctx, file, picture.Limits{LongSide: shownSide})
}

// decoded returns a picture as a JPEG without metadata; nil if it can't be decoded. An error is ctx's.
func decoded(ctx context.Context, r io.Reader, limits picture.Limits) (*shownPicture, error) {
	p, err := picture.Decode(ctx, r, limits)
	if err != nil {
		return nil, ctx.Err()
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, p.Image, &jpeg.Options{Quality: 85}); err != nil {
		return nil, fmt.Errorf("write a picture of the report: %w", err)
	}
	return &shownPicture{
		jpeg: out.Bytes(), Size: p.Image.Bounds().Size(), Source: p.Source, Format: p.Format, orientation: p.Orientation,
	}, nil
}

// shownHeatmap is a model's heatmap in a report.
type shownHeatmap struct {
	Model  string
	Note   string // explains that it shows where the model reacted
	png    []byte
	size   image.Point
	SHA256 string // of the heatmap as it was received
	// Over means that it is drawn over the picture. It is drawn beside it if their shapes differ too much, or if there is no picture.
	Over bool
}

// heatmaps returns a result's heatmaps from the vault, in the order of the answer. Their pixels are neither mixed nor recoloured.
func (e *evidence) heatmaps(ctx context.Context, over *shownPicture) (all []shownHeatmap, err error) {
	for _, h := range e.sub.Result.UsableHeatmaps() {
		model := h.Model.Verbatim() //nolint:forbidigo // the vault's key is the name as sent
		file, kept, err := e.records.Artifact(ctx, e.sub.RequestID, vault.Heatmap, model)
		if err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			continue // the vault does not have it
		}
		heat, err := readHeatmap(ctx, file, over)
		if err != nil {
			return nil, err
		}
		if heat != nil {
			heat.Model, heat.Note, heat.SHA256 = h.Model.Clip(longestID).String(), verdict.HeatmapNote(h.Model), kept.SHA256
			all = append(all, *heat)
		}
	}
	return all, nil
}

func readHeatmap(ctx context.Context, file *os.File, over *shownPicture) (*shownHeatmap, error) {
	defer file.Close() //nolint:errcheck // only read from
	p, err := picture.Decode(ctx, file, picture.Limits{LongSide: shownSide, MaxBytes: client.MaxHeatmap, Unsmoothed: true})
	if err != nil {
		return nil, ctx.Err()
	}
	img := p.Image
	heat := &shownHeatmap{}
	if over != nil {
		turn := picture.LayerOrientation(&picture.Picture{Source: over.Source, Orientation: over.orientation}, p.Source)
		heat.Over = !picture.AspectDiffers(over.Source, picture.Upright(p.Source, turn))
		full := picture.FullOf(img, 1)
		size := picture.Upright(full.Size(), turn)
		img = full.LayerRegion(ctx, turn, size, image.Rectangle{Max: size}, size.X, size.Y)
	}
	var out bytes.Buffer
	if err := picture.EncodePNG(ctx, &out, img, nil); err != nil {
		return nil, fmt.Errorf("write a heatmap of the report: %w", err)
	}
	heat.png, heat.size = out.Bytes(), img.Bounds().Size()
	return heat, nil
}

// Data is the picture for a page.
func (p *shownPicture) Data() template.URL { return dataURL("image/jpeg", p.jpeg) }

// Data is the heatmap for a page.
func (h shownHeatmap) Data() template.URL { return dataURL("image/png", h.png) }

// dataURL embeds a picture in the page.
func dataURL(kind string, data []byte) template.URL {
	return template.URL("data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(data)) //nolint:gosec // made here, of pixels
}
