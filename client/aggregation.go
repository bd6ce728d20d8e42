package client

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"

	"assay/client/i18n"
	"assay/client/plain"
)

// AggregationData is what Assay can read of an aggregation JSON. The interface names its parts but shows no inner structure, so each part is read
// where it has the expected shape and skipped where it has not; Raw holds all of it.
type AggregationData struct {
	Width, Height float64     // of the source in pixels, 0 where not given
	Boxes         []Box       // bboxes, of images
	Chunks        []Segment   // of recordings
	Scenes        []Segment   // of clips
	Frames        []Frame     // of clips
	Tubes         []Tube      // of clips
	Conclusions   []NamedJSON // by name; in the order sent where it is an object
	Context       json.RawMessage
	Models        []NamedJSON
	Ensembles     []NamedJSON
	Languages     []plain.Text
	Unread        map[string]int  // by part, how many entries of chunks, scenes and frames give no usable time
	Raw           json.RawMessage // byte for byte
}

// Point is a place in pixels of the source.
type Point struct{ X, Y float64 }

// Box is a region of an image; it may be rotated.
type Box struct {
	Index     int                       // its place in bboxes
	Corners   [4]Point                  // its index in bboxes
	Decisions map[plain.Text]plain.Text // by model
}

// Segment is a span of time, in seconds from the start.
type Segment struct {
	Index      int // of its entry in the list as sent
	Start, End float64
	Decision   plain.Text
	Score      Score                // as sent
	Scores     map[plain.Text]Score // by model, as sent
}

// Frame is one instant, in seconds from the start.
type Frame struct {
	Index    int // of its entry in the list as sent
	Time     float64
	Decision plain.Text
	Score    Score
	Scores   map[plain.Text]Score // by model, as sent
}

// Tube is a region followed through time, whose inner structure is not known.
type Tube struct {
	Segment *Segment // nil where it gives no start and end
	Raw     json.RawMessage
}

// NamedJSON is a part with its name, "" where it has none.
type NamedJSON struct {
	Name  plain.Text
	Value json.RawMessage
}

// The names under which times may be given: the interface shows none, so these are the usual ones.
var (
	startNames = []string{"start", "startTime", "start_time", "begin", "from"}
	endNames   = []string{"end", "endTime", "end_time", "stop", "to"}
	timeNames  = []string{"time", "timestamp", "t"}
)

// ReadAggregation reads an aggregation JSON as far as its shape is known. It fails, with KindAnswer, only if data is no JSON object.
func ReadAggregation(data []byte) (*AggregationData, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil || fields == nil {
		return nil, &Error{Op: "read the details of the analysis", Kind: KindAnswer, Message: i18n.M("The details of the analysis can't be read.")}
	}
	a := &AggregationData{Raw: bytes.Clone(data), Context: fields["contextResult"]}
	var image map[string]json.RawMessage
	if json.Unmarshal(fields["image"], &image) == nil {
		a.Width, _ = finite(image["width"])
		a.Height, _ = finite(image["height"])
	}
	for i, entry := range listIn(fields["bboxes"]) {
		if b, ok := readBox(objectIn(entry)); ok {
			b.Index = i
			a.Boxes = append(a.Boxes, b)
		}
	}
	a.Chunks, a.Scenes = readSegments(fields["chunks"]), readSegments(fields["scenes"])
	a.Frames = readFrames(fields["frames"])
	for i, entry := range listIn(fields["tubes"]) {
		tube := Tube{Raw: entry}
		if s, ok := readSegment(i, objectIn(entry)); ok {
			tube.Segment = &s
		}
		a.Tubes = append(a.Tubes, tube)
	}
	for part, read := range map[string]int{"chunks": len(a.Chunks), "scenes": len(a.Scenes), "frames": len(a.Frames)} {
		if unread := len(listIn(fields[part])) - read; unread > 0 {
			if a.Unread == nil {
				a.Unread = map[string]int{}
			}
			a.Unread[part] = unread
		}
	}
	a.Conclusions, a.Models, a.Ensembles = named(fields["conclusions"]), named(fields["models"]), named(fields["ensembles"])
	for _, entry := range listIn(fields["languages"]) {
		if language := textOf(entry); !language.IsZero() {
			a.Languages = append(a.Languages, language)
		}
	}
	return a, nil
}

func readBox(entry map[string]json.RawMessage) (b Box, ok bool) {
	var corners map[string]map[string]json.RawMessage
	if json.Unmarshal(entry["bbox"], &corners) != nil {
		return Box{}, false
	}
	for i, name := range []string{"top_left", "top_right", "bottom_right", "bottom_left"} {
		x, okX := finite(corners[name]["x"])
		y, okY := finite(corners[name]["y"])
		if !okX || !okY {
			return Box{}, false
		}
		b.Corners[i] = Point{X: x, Y: y}
	}
	for _, c := range named(entry["conclusions"]) {
		var conclusion map[string]json.RawMessage
		if json.Unmarshal(c.Value, &conclusion) != nil || textOf(conclusion["decision"]).IsZero() {
			continue
		}
		if b.Decisions == nil {
			b.Decisions = map[plain.Text]plain.Text{}
		}
		b.Decisions[c.Name] = textOf(conclusion["decision"])
	}
	return b, true
}

// readSegments returns the spans whose end is after their start.
func readSegments(data json.RawMessage) []Segment {
	var segments []Segment
	for i, entry := range listIn(data) {
		if s, ok := readSegment(i, objectIn(entry)); ok {
			segments = append(segments, s)
		}
	}
	return segments
}

func readSegment(i int, entry map[string]json.RawMessage) (s Segment, ok bool) {
	start, okStart := numberNamed(entry, startNames)
	end, okEnd := numberNamed(entry, endNames)
	if !okStart || !okEnd || start < 0 || end <= start {
		return Segment{}, false
	}
	return Segment{
		Index: i, Start: start, End: end,
		Decision: textOf(entry["decision"]), Score: scoreOf(entry["score"]), Scores: scoresIn(entry["scores"]),
	}, true
}

func readFrames(data json.RawMessage) []Frame {
	var frames []Frame
	for i, entry := range listIn(data) {
		object := objectIn(entry)
		if at, ok := numberNamed(object, timeNames); ok && at >= 0 {
			frames = append(frames, Frame{
				Index: i, Time: at,
				Decision: textOf(object["decision"]), Score: scoreOf(object["score"]), Scores: scoresIn(object["scores"]),
			})
		}
	}
	return frames
}

func scoresIn(data json.RawMessage) (scores map[plain.Text]Score) {
	if json.Unmarshal(data, &scores) != nil || len(scores) == 0 {
		return nil
	}
	return scores
}

// named lists the members of an object, in the order sent, or the entries of a list, which may hold their own name.
func named(data json.RawMessage) []NamedJSON {
	var list []NamedJSON
	if entries := listIn(data); entries != nil {
		for _, entry := range entries {
			var own struct {
				Name plain.Text `json:"name"`
			}
			_ = decodeLenient(entry, &own) // an entry that is no object has no name
			list = append(list, NamedJSON{Name: own.Name, Value: entry})
		}
		return list
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	if opening, err := decoder.Token(); err != nil || opening != json.Delim('{') {
		return nil
	}
	for decoder.More() {
		key, err := decoder.Token()
		name, isText := key.(string)
		var value json.RawMessage
		if err != nil || !isText || decoder.Decode(&value) != nil {
			return list
		}
		list = append(list, NamedJSON{Name: plain.From(name), Value: value})
	}
	return list
}

func listIn(data json.RawMessage) (entries []json.RawMessage) {
	if json.Unmarshal(data, &entries) != nil {
		return nil
	}
	return entries
}

// objectIn decodes a JSON object; it is nil where data is none.
func objectIn(data json.RawMessage) (object map[string]json.RawMessage) {
	if json.Unmarshal(data, &object) != nil {
		return nil
	}
	return object
}

func numberNamed(entry map[string]json.RawMessage, names []string) (v float64, ok bool) {
	for _, name := range names {
		if v, ok = finite(entry[name]); ok {
			return v, true
		}
	}
	return 0, false
}

func finite(data json.RawMessage) (v float64, ok bool) {
	v, ok = scoreOf(data).Number()
	return v, ok && !math.IsInf(v, 0) && !math.IsNaN(v)
}

func scoreOf(data json.RawMessage) Score { return Score{raw: data} }

func textOf(data json.RawMessage) (text plain.Text) {
	if json.Unmarshal(data, &text) != nil {
		return plain.Text{}
	}
	return plain.From(strings.TrimSpace(text.Verbatim()))
}
