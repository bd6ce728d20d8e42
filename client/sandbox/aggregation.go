package sandbox

import (
	"assay/client/sandbox/forensics"
	"assay/client/sandbox/forensics/audio"
	"assay/client/sandbox/forensics/picture"
	"assay/client/sandbox/forensics/text"
	"assay/client/sandbox/forensics/video"
)

// imageAggregation is the JSON behind a picture's modelMetadataUrl, in the shape seen at services of this kind.
type imageAggregation struct {
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

// corners are the corners of a region in the picture's pixels.
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

func aggregationOfImage(report *picture.Report) imageAggregation {
	a := imageAggregation{
		BBoxes:      make([]aggregationBox, 0, len(report.BBoxes)),
		Conclusions: orEmpty(report.Conclusions),
		Image:       aggregationImage{Width: report.Width, Height: report.Height},
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

// modelAggregation is the common part of the aggregations of sound, video and text.
type modelAggregation struct {
	Models      []aggregationRow  `json:"models"`
	Ensembles   []aggregationRow  `json:"ensembles"`
	Conclusions map[string]string `json:"conclusions"` // a sentence by model name
}

type aggregationRow struct {
	Name   string           `json:"name"`
	Status forensics.Status `json:"status"`
	Score  *float64         `json:"score"` // strictly between 0 and 100
}

func aggregationOfModels(models []forensics.Model, conclusions map[string]string) modelAggregation {
	a := modelAggregation{Models: []aggregationRow{}, Ensembles: []aggregationRow{}, Conclusions: orEmpty(conclusions)}
	for _, m := range models {
		row := aggregationRow{Name: m.Name, Status: m.Status, Score: m.Score}
		if m.Ensemble {
			a.Ensembles = append(a.Ensembles, row)
		} else {
			a.Models = append(a.Models, row)
		}
	}
	return a
}

// audioAggregation is that of a recording; times are in seconds from its beginning.
type audioAggregation struct {
	modelAggregation
	Chunks     []audioChunk `json:"chunks"`
	Languages  []string     `json:"languages"`
	Duration   float64      `json:"duration"`
	SampleRate int          `json:"sampleRate"`
	Channels   int          `json:"channels"`
}

type audioChunk struct {
	Start    float64             `json:"start"`
	End      float64             `json:"end"`
	Scores   map[string]*float64 `json:"scores"` // by model name
	Decision string              `json:"decision,omitempty"`
}

func aggregationOfAudio(report *audio.Report) audioAggregation {
	a := audioAggregation{
		modelAggregation: aggregationOfModels(report.Models, report.Conclusions),
		Chunks:           make([]audioChunk, 0, len(report.Chunks)),
		Languages:        append([]string{}, report.Languages...),
		Duration:         report.Duration, SampleRate: report.SampleRate, Channels: report.Channels,
	}
	for _, c := range report.Chunks {
		a.Chunks = append(a.Chunks, audioChunk{Start: c.Start, End: c.End, Scores: c.Scores, Decision: c.Decision})
	}
	return a
}

// textAggregation is that of a text; marks count bytes of the text as UTF-8.
type textAggregation struct {
	modelAggregation
	Languages []string   `json:"languages"`
	Marks     []textMark `json:"marks"`
}

type textMark struct {
	Start int     `json:"start"`
	End   int     `json:"end"` // exclusive
	Kind  string  `json:"kind"`
	Score float64 `json:"score"`
}

func aggregationOfText(report *text.Report) textAggregation {
	a := textAggregation{
		modelAggregation: aggregationOfModels(report.Models, report.Conclusions),
		Languages:        append([]string{}, report.Languages...),
		Marks:            make([]textMark, 0, len(report.Marks)),
	}
	for _, m := range report.Marks {
		a.Marks = append(a.Marks, textMark{Start: m.Start, End: m.End, Kind: m.Kind, Score: m.Score})
	}
	return a
}

// videoAggregation is that of a clip; times are in seconds from its beginning.
type videoAggregation struct {
	modelAggregation
	Scenes    []videoScene   `json:"scenes"`
	Frames    []videoFrame   `json:"frames"`
	Container map[string]any `json:"container"` // what the file says of itself
	Width     int            `json:"width"`     // pixels as shown
	Height    int            `json:"height"`
	Duration  float64        `json:"duration"`
}

type videoScene struct {
	Start    float64  `json:"start"`
	End      float64  `json:"end"`
	Score    *float64 `json:"score"`
	Decision string   `json:"decision,omitempty"`
}

type videoFrame struct {
	Time     float64  `json:"time"`
	Score    *float64 `json:"score"`
	Decision string   `json:"decision,omitempty"`
}

func aggregationOfVideo(report *video.Report) videoAggregation {
	a := videoAggregation{
		modelAggregation: aggregationOfModels(report.Models, report.Conclusions),
		Scenes:           make([]videoScene, 0, len(report.Scenes)),
		Frames:           make([]videoFrame, 0, len(report.Frames)),
		Container:        report.Facts,
		Width:            report.Width, Height: report.Height, Duration: report.Duration,
	}
	for _, s := range report.Scenes {
		a.Scenes = append(a.Scenes, videoScene{Start: s.Start, End: s.End, Score: s.Score, Decision: s.Decision})
	}
	for _, f := range report.Frames {
		a.Frames = append(a.Frames, videoFrame{Time: f.Time, Score: f.Score, Decision: f.Decision})
	}
	return a
}

// orEmpty returns an empty map for nil.
func orEmpty(texts map[string]string) map[string]string {
	if texts == nil {
		return map[string]string{}
	}
	return texts
}
