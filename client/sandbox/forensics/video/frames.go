package video

import (
	"math"

	"assay/client/sandbox/forensics"
)

const (
	// fewestFilmFrames is how many frames are needed to judge movement.
	fewestFilmFrames = 8
	// stillFilm is the median change of a scene in which nothing moves, in levels.
	stillFilm = 0.4

	cutShift  = 12.0 // levels between the grids of two scenes
	cutFactor = 3.0  // how much more than the frames around

	frozenChange   = 0.1 // levels at most between frames that are the same, recoded
	frozenMovement = 1.0 // levels at least that the scene moves by
	frozenFrames   = 3   // changes in a row: 0.75 s at four frames a second

	againFrames   = 6    // frames in a row that occur a second time
	againDistance = 0.12 // of the movement from frame to frame, between the grids
	againMovement = 1.0  // levels at least from frame to frame

	grainFrames = 4   // on each side of a jump
	grainFactor = 2.5 // between the sides
	grainLevel  = 1.0 // levels at least on the louder side
)

// What the signs count for. None can reach FAKE: a paused shot, a looped
// animation and a switched-on light look the same.
const (
	frozenPoints = 0.50
	againPoints  = 0.60
	grainPoints  = 0.42
	quietPoints  = 0.05 // a frame without a sign
)

// filmScene is the frames between two cuts, from first up to, but not including, before.
type filmScene struct {
	first, after int
	movement     float64 // the median change
}

// judgeFilm looks for the three signs. A scene in which nothing moves has no score,
// and neither has the clip if that goes for all of them.
func judgeFilm(f *film) (forensics.Model, []Segment, []Frame) {
	scenes := f.scenes()
	points := make([]float64, len(f.frames))
	raise := func(first, after int, by float64) {
		for i := first; i < after; i++ {
			points[i] = max(points[i], by)
		}
	}
	span := func(first, after int) map[string]any {
		return map[string]any{"start": f.at(first), "end": f.at(after)}
	}
	frozen, again, grain := []map[string]any{}, []map[string]any{}, []map[string]any{}
	moving := 0
	for _, s := range scenes {
		if s.movement < stillFilm {
			continue
		}
		moving++
		raise(s.first, s.after, quietPoints)
		for _, run := range f.frozen(s) {
			raise(run.first, run.after, frozenPoints)
			frozen = append(frozen, span(run.first, run.after))
		}
		if at, factor := f.grainJump(s); at > 0 {
			raise(max(s.first, at-grainFrames), min(s.after, at+grainFrames), grainPoints)
			grain = append(grain, map[string]any{"time": f.at(at), "factor": factor})
		}
	}
	for _, r := range f.again() {
		raise(r.first, r.first+r.length, againPoints)
		d := span(r.first, r.first+r.length)
		d["first_seen"] = f.at(r.source)
		again = append(again, d)
	}

	short := len(f.frames) < fewestFilmFrames
	segments, frames := f.rows(scenes, points, short)
	data := map[string]any{
		"frames": len(f.frames), "seconds_per_frame": f.step, "scenes": len(scenes), "moving_scenes": moving,
		"frozen": frozen, "repeated": again, "grain_jumps": grain,
	}
	switch {
	case short:
		return forensics.NotApplicableModel(framesName, "The clip is too short: eight frames are needed, four a second at most.", data), segments, frames
	case moving == 0:
		return forensics.NotApplicableModel(framesName, "Nothing moves in this clip, so that its frames tell nothing.", data), segments, frames
	}
	strongest := 0.0
	for _, p := range points {
		strongest = max(strongest, p)
	}
	return forensics.ScoredModel(framesName, strongest, data), segments, frames
}

// at returns the time of a frame in seconds.
func (f *film) at(i int) float64 { return float64(i) * f.step }

// scenes cuts the film where the picture changes at once by much more than
// around it. Fades and wipes cut nothing.
func (f *film) scenes() []filmScene {
	var scenes []filmScene
	first := 0
	end := func(after int) {
		changes := make([]float64, 0, after-first)
		for i := first + 1; i < after; i++ {
			changes = append(changes, f.frames[i].change)
		}
		movement := forensics.Median(changes)
		scenes = append(scenes, filmScene{first, after, movement})
		first = after
	}
	for i := 1; i < len(f.frames); i++ {
		if f.isCut(i) {
			end(i)
		}
	}
	end(len(f.frames))
	return scenes
}

// isCut reports whether a scene begins with frame i. Frames that repeat the one before
// say nothing about how much usually moves.
func (f *film) isCut(i int) bool {
	const around = 3
	shift := f.frames[i].shift
	if shift < cutShift {
		return false
	}
	var others []float64
	for k := max(1, i-around); k <= min(len(f.frames)-1, i+around); k++ {
		if k != i && f.frames[k].change >= frozenChange {
			others = append(others, f.frames[k].shift)
		}
	}
	usual := forensics.Median(others)
	return shift > cutFactor*usual
}

// filmRun is consecutive frames, from first up to, but not including, before.
type filmRun struct{ first, after int }

// frozen finds where a moving scene stands still and goes on: movement must be seen
// on both sides, since many clips begin or end with a still.
func (f *film) frozen(s filmScene) []filmRun {
	if s.movement < frozenMovement {
		return nil
	}
	var runs []filmRun
	for i := s.first + 1; i < s.after; {
		if f.frames[i].change >= frozenChange {
			i++
			continue
		}
		begin := i
		for i < s.after && f.frames[i].change < frozenChange {
			i++
		}
		if i-begin >= frozenFrames && begin > s.first+1 && i < s.after {
			runs = append(runs, filmRun{begin - 1, i})
		}
	}
	return runs
}

// filmRepeat is a run of frames that occurred earlier.
type filmRepeat struct{ source, first, length int }

// again finds moving frames that occur a second time, at the same pace and on the
// same raster of time as the film's frames; a repetition between them is missed.
func (f *film) again() []filmRepeat {
	var found []filmRepeat
	n := len(f.frames)
	taken := make([]bool, n) // frames that belong to a repetition already
	for lag := againFrames; lag < n; lag++ {
		for j := lag; j < n; {
			length, movement := 0, 0.0
			for j+length < n && !taken[j+length] && f.same(j+length-lag, j+length) {
				if length > 0 {
					movement += f.frames[j+length].shift
				}
				length++
			}
			if length >= againFrames && movement/float64(length-1) >= againMovement {
				found = append(found, filmRepeat{j - lag, j, length})
				for k := j; k < j+length; k++ {
					taken[k] = true
				}
			}
			j += max(1, length)
		}
	}
	return found
}

// same reports whether two frames differ by far less than what moves around them.
func (f *film) same(i, j int) bool {
	usual := math.Inf(1)
	for _, k := range []int{i, j} {
		around := f.frames[k].shift
		if k+1 < len(f.frames) {
			around = max(around, f.frames[k+1].shift)
		}
		usual = min(usual, around)
	}
	return f.frames[i].distance(&f.frames[j]) <= againDistance*usual
}

// grainJump finds the sharpest change of the grain inside a scene, where the
// brightness stays. at is 0 if there is none.
func (f *film) grainJump(s filmScene) (at int, factor float64) {
	median := func(first, after int) float64 {
		values := make([]float64, 0, after-first)
		for i := first; i < after; i++ {
			values = append(values, f.frames[i].noise)
		}
		return forensics.Median(values)
	}
	factor = grainFactor
	for i := s.first + grainFrames; i+grainFrames <= s.after; i++ {
		before, behind := median(i-grainFrames, i), median(i, i+grainFrames)
		loud, quiet := max(before, behind), min(before, behind)
		light := f.frames[i].mean / max(1, f.frames[i-1].mean)
		if loud >= grainLevel && loud > factor*max(quiet, 0.1) && light > 0.8 && light < 1.25 {
			at, factor = i, loud/max(quiet, 0.1)
		}
	}
	return at, factor
}

// rows converts scenes and frames for the report.
func (f *film) rows(scenes []filmScene, points []float64, short bool) ([]Segment, []Frame) {
	segments := make([]Segment, 0, len(scenes))
	frames := make([]Frame, 0, len(f.frames))
	for _, s := range scenes {
		segment := Segment{Start: f.at(s.first), End: f.at(s.after)}
		strongest := 0.0
		for i := s.first; i < s.after; i++ {
			frame := Frame{Time: f.at(i)}
			if !short && points[i] > 0 {
				frame.Score, frame.Decision = filmScore(points[i])
				strongest = max(strongest, points[i])
			}
			frames = append(frames, frame)
		}
		if strongest > 0 {
			segment.Score, segment.Decision = filmScore(strongest)
		}
		segments = append(segments, segment)
	}
	return segments, frames
}

// filmScore is a score and a decision as a model's row has them.
func filmScore(raw float64) (*float64, string) {
	m := forensics.ScoredModel(framesName, raw, map[string]any{})
	return m.Score, m.PartDecision()
}
