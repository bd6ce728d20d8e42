package client

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
)

// AggregationData is what is recognised of an aggregation JSON. The interface names its parts and shows no inner structure, so
// each part is read where its shape is as expected and skipped where it is not; Raw holds all of it.
type AggregationData struct {
	Width, Height float64     // of the source in pixels, 0 where not said
	Boxes         []Box       // bboxes, of images
	Chunks        []Segment   // of recordings
	Scenes        []Segment   // of clips
	Frames        []Frame     // of clips
	Tubes         []Tube      // of clips
	Conclusions   []NamedJSON // by name, in the order sent where it is an object
	Context       json.RawMessage
	Models        []NamedJSON
	Ensembles     []NamedJSON
	Languages     []string
	Raw           json.RawMessage // byte for byte
}

// Point is a place in pixels of the source.
type Point struct{ X, Y float64 }

// Box is a region of an image; it may be rotated.
type Box struct {
	Corners   [4]Point          // top left, top right, bottom right, bottom left
	Decisions map[string]string // by model
}

// Segment is a span of time, in seconds from the start.
type Segment struct {
	Start, End float64
	Decision   string
	Score      Score            // as sent
	Scores     map[string]Score // by model, as sent
}

// Frame is one instant, in seconds from the start.
type Frame struct {
	Time     float64
	Decision string
	Score    Score
}

// Tube is a region followed through time, whose inner structure is not known.
type Tube struct{ Raw json.RawMessage }

// NamedJSON is a part with its name, "" where it has none.
type NamedJSON struct {
	Name  string
	Value json.RawMessage
}

// The names under which a time is told; the interface shows none, so that the usual ones are taken.
var (
	startNames = []string{"start", "startTime", "start_time", "begin", "from"}
	endNames   = []string{"end", "endTime", "end_time", "stop", "to"}
	timeNames  = []string{"time", "timestamp", "t"}
)

// ReadAggregation reads an aggregation JSON as far as it is recognised. It fails, with KindAnswer, only where data is no JSON object.
func ReadAggregation(data []byte) (*AggregationData, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil || fields == nil {
		return nil, &Error{Op: "read the details of the analysis", Kind: KindAnswer, Message: "The details of the analysis can't be read."}
	}
	a := &AggregationData{Raw: bytes.Clone(data), Context: fields["contextResult"]}
	var image map[string]json.RawMessage
	if json.Unmarshal(fields["image"], &image) == nil {
		a.Width, _ = finite(image["width"])
		a.Height, _ = finite(image["height"])
	}
	for _, entry := range objectsOf(fields["bboxes"]) {
		if b, ok := readBox(entry); ok {
			a.Boxes = append(a.Boxes, b)
		}
	}
	a.Chunks, a.Scenes = readSegments(fields["chunks"]), readSegments(fields["scenes"])
	for _, entry := range objectsOf(fields["frames"]) {
		if at, ok := numberNamed(entry, timeNames); ok && at >= 0 {
			a.Frames = append(a.Frames, Frame{Time: at, Decision: textOf(entry["decision"]), Score: scoreOf(entry["score"])})
		}
	}
	for _, entry := range listIn(fields["tubes"]) {
		a.Tubes = append(a.Tubes, Tube{Raw: entry})
	}
	a.Conclusions, a.Models, a.Ensembles = named(fields["conclusions"]), named(fields["models"]), named(fields["ensembles"])
	for _, entry := range listIn(fields["languages"]) {
		if language := textOf(entry); language != "" {
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
		if json.Unmarshal(c.Value, &conclusion) != nil || textOf(conclusion["decision"]) == "" {
			continue
		}
		if b.Decisions == nil {
			b.Decisions = map[string]string{}
		}
		b.Decisions[c.Name] = textOf(conclusion["decision"])
	}
	return b, true
}

// readSegments takes the spans that have a start and an end behind it.
func readSegments(data json.RawMessage) []Segment {
	var segments []Segment
	for _, entry := range objectsOf(data) {
		start, okStart := numberNamed(entry, startNames)
		end, okEnd := numberNamed(entry, endNames)
		if !okStart || !okEnd || start < 0 || end <= start {
			continue
		}
		s := Segment{Start: start, End: end, Decision: textOf(entry["decision"]), Score: scoreOf(entry["score"])}
		var scores map[string]Score
		if json.Unmarshal(entry["scores"], &scores) == nil && len(scores) > 0 {
			s.Scores = scores
		}
		segments = append(segments, s)
	}
	return segments
}

// named lists the members of an object in the order sent, or the entries of a list, which may tell their own name.
func named(data json.RawMessage) []NamedJSON {
	var list []NamedJSON
	if entries := listIn(data); entries != nil {
		for _, entry := range entries {
			var own struct {
				Name string `json:"name"`
			}
			_ = decodeLenient(entry, &own) // what is no object has no name
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
		list = append(list, NamedJSON{Name: name, Value: value})
	}
	return list
}

func listIn(data json.RawMessage) (entries []json.RawMessage) {
	if json.Unmarshal(data, &entries) != nil {
		return nil
	}
	return entries
}

// objectsOf lists the objects of a list, and skips what else is in it.
func objectsOf(data json.RawMessage) []map[string]json.RawMessage {
	var objects []map[string]json.RawMessage
	for _, entry := range listIn(data) {
		var object map[string]json.RawMessage
		if json.Unmarshal(entry, &object) == nil && object != nil {
			objects = append(objects, object)
		}
	}
	return objects
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

func textOf(data json.RawMessage) string {
	var text string
	if json.Unmarshal(data, &text) != nil {
		return ""
	}
	return strings.TrimSpace(text)
}
