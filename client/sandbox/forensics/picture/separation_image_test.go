package picture

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/client/media/mediatest"
	"assay/client/sandbox/forensics"
	"assay/client/sandbox/forensics/forensicstest"

	"github.com/disintegration/imaging"
)

// photoFolders names folders with photographs for BenchmarkSeparationImage,
// separated like the entries of PATH. Folders within them are not entered.
const photoFolders = "ASSAY_PHOTOS"

// tuningPhotos are the beginnings of the names of the photographs that limits were
// set on, here and in testdata/pictures. With ASSAY_PHOTOS_TUNING=1 the benchmark
// takes only these, for who wants to set limits anew.
var tuningPhotos = []string{
	"Bridge", "aitzgorri", "friends", "picosdeeuropa", "seeding", "Dune", "Storm",
	"mountains", "dogs-portrait", "peaks-composite", "dandelion",
}

// altering is a way to alter a picture before the last save.
type altering struct {
	name  string
	model string // whose business it is
	// alter changes base, which has no JPEG past; other is another picture.
	// The part that is moved is the liveliest of so many chosen by chance: a person
	// copies things more often than empty sky.
	alter func(t testing.TB, base, other *image.NRGBA, of int, chance *rand.Rand) image.Image
	of    int
	saves []int
}

var alterings = []altering{
	{"splice", elaName, splice, 4, []int{85, 90, 95}},
	{"splice-of-anything", elaName, splice, 1, []int{90}},
	{"copy-move", copyMoveName, copyWithin, 4, []int{75, 85, 92}},
	{"copy-move-of-anything", copyMoveName, copyWithin, 1, []int{85}},
}

// measuredSides are the lengths of the longer side to which pictures are scaled.
var measuredSides = []int{1600, 1000}

// splice puts a part of another picture that was saved at a lower quality, off
// its grid, into the base, which was saved at 80 before or never.
func splice(t testing.TB, base, other *image.NRGBA, of int, chance *rand.Rand) image.Image {
	low := throughJPEG(t, other, 50+chance.IntN(26))
	var into image.Image = base
	if chance.IntN(2) == 0 {
		into = throughJPEG(t, base, 80)
	}
	from, to := randomPatch(other, base.Bounds(), of, chance)
	return feathered(into, low, from, to, 1)
}

// copyWithin copies a part of the picture to another place in it, with soft edges.
func copyWithin(_ testing.TB, base, _ *image.NRGBA, of int, chance *rand.Rand) image.Image {
	for {
		from, to := randomPatch(base, base.Bounds(), of, chance)
		if !from.Overlaps(image.Rectangle{Min: to, Max: to.Add(from.Size())}) {
			return feathered(base, base, from, to, 2+chance.IntN(7))
		}
	}
}

// randomPatch chooses a part of 14 to 26 % of the shorter side, the liveliest of
// so many, and where it goes, which is left to chance.
func randomPatch(source *image.NRGBA, target image.Rectangle, of int, chance *rand.Rand) (image.Rectangle, image.Point) {
	size := source.Bounds()
	short := min(size.Dx(), size.Dy(), target.Dx(), target.Dy())
	w, h := short*(14+chance.IntN(13))/100, short*(14+chance.IntN(13))/100
	var from image.Rectangle
	most := -1
	for range of {
		at := image.Pt(chance.IntN(size.Dx()-w), chance.IntN(size.Dy()-h))
		tried := image.Rectangle{Min: at, Max: at.Add(image.Pt(w, h))}
		if lively := liveliness(source, tried); lively > most {
			from, most = tried, lively
		}
	}
	return from, image.Pt(chance.IntN(target.Dx()-w), chance.IntN(target.Dy()-h))
}

// liveliness sums how much green changes from one pixel to the fourth next.
func liveliness(m *image.NRGBA, r image.Rectangle) int {
	sum := 0
	for y := r.Min.Y; y < r.Max.Y-4; y++ {
		for x := r.Min.X; x < r.Max.X-4; x++ {
			at := m.PixOffset(x, y) + 1
			sum += distance(int(m.Pix[at]), int(m.Pix[at+16])) + distance(int(m.Pix[at]), int(m.Pix[at+4*m.Stride]))
		}
	}
	return sum
}

// feathered lays the part from of a picture over base at to, its edges fading
// over so many pixels.
func feathered(base, source image.Image, from image.Rectangle, to image.Point, fade int) image.Image {
	d := imaging.Clone(base)
	mask := image.NewAlpha(image.Rect(0, 0, from.Dx(), from.Dy()))
	for y := range from.Dy() {
		for x := range from.Dx() {
			inside := min(x, y, from.Dx()-1-x, from.Dy()-1-y) + 1
			mask.SetAlpha(x, y, color.Alpha{A: uint8(min(255*inside/fade, 255))}) // #nosec G115 -- at most 255
		}
	}
	draw.DrawMask(d, image.Rectangle{Min: to, Max: to.Add(from.Size())}, source, from.Min, mask, image.Point{}, draw.Over)
	return d
}

// measuredPhoto is a picture to measure with.
type measuredPhoto struct {
	name string
	data []byte // as found; nil for a drawn scene
	m    *image.NRGBA
}

// measuredPhotos reads what testdata and ASSAY_PHOTOS hold, and draws scenes where
// that is nothing.
func measuredPhotos(t testing.TB) []measuredPhoto {
	tuning := os.Getenv("ASSAY_PHOTOS_TUNING") == "1"
	var photos []measuredPhoto
	for _, folder := range append([]string{picturesDir}, filepath.SplitList(os.Getenv(photoFolders))...) {
		entries, err := os.ReadDir(folder)
		if err != nil {
			t.Fatalf("%s: %v", photoFolders, err)
		}
		for _, e := range entries {
			suffix := strings.ToLower(filepath.Ext(e.Name()))
			tuned := slices.ContainsFunc(tuningPhotos, func(begin string) bool { return strings.HasPrefix(e.Name(), begin) })
			if (suffix != ".jpg" && suffix != ".jpeg") || tuned != tuning || (tuning && folder == picturesDir) {
				continue
			}
			data := mediatest.Read(t, filepath.Join(folder, e.Name()))
			m, err := jpeg.Decode(bytes.NewReader(data))
			if err != nil {
				t.Fatalf("%s: %v", e.Name(), err)
			}
			// Held as the largest size that is measured; 12 megapixels each would fill the memory.
			photos = append(photos, measuredPhoto{e.Name(), data, imaging.Fit(m, measuredSides[0], measuredSides[0], imaging.Lanczos)})
		}
	}
	if len(photos) > 0 {
		return photos
	}
	for seed := range uint64(8) {
		photos = append(photos, measuredPhoto{name: fmt.Sprintf("drawn scene %d", seed), m: photoLike(measuredSides[0], 1066, seed)})
	}
	return photos
}

// photoLike draws a landscape that an analyser meets like a photograph: a sky that
// is nearly even, hills one behind the other with texture of all scales, soft light,
// and grain that grows with brightness. No part of it repeats.
func photoLike(w, h int, seed uint64) *image.NRGBA {
	chance := rand.New(rand.NewPCG(seed, 11)) // #nosec G404 -- a repeatable picture, no secret
	texture := newTerrain(chance)
	hills := [3]float64{0.30 + 0.1*chance.Float64(), 0.48 + 0.1*chance.Float64(), 0.68 + 0.1*chance.Float64()}
	tint := [4][3]float64{{0.85, 0.95, 1.1}, {0.85, 0.95, 1.05}, {0.9, 1.05, 0.8}, {1.05, 1, 0.75}}
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	for x := range w {
		var ridge [3]float64
		for i := range ridge {
			ridge[i] = float64(h) * (hills[i] + 0.16*(texture.at(float64(x)/float64(w)*(3+2*float64(i)), float64(31*i), 6)-0.5))
		}
		for y := range h {
			layer := 0
			for i, edge := range ridge {
				if float64(y) > edge {
					layer = i + 1
				}
			}
			u, v := float64(x)/60, float64(y)/60
			light := 205 - 60*float64(y)/float64(h) + 14*(texture.at(u/8, v/8, 3)-0.5)
			if layer > 0 {
				near := float64(layer)
				rough := texture.at(u*(1+near)/2+97*near, v*(1+near)/2, 7)
				light = 150 - 22*near + (50+30*near)*(rough-0.5) + 40*(texture.at(u/5, v/5+9*near, 3)-0.5)
			}
			grain := (1.2 + 0.012*light) * chance.NormFloat64()
			for c := range 3 {
				m.Pix[m.PixOffset(x, y)+c] = uint8(min(max(light*tint[layer][c]+grain, 4), 251)) // #nosec G115 -- bounded
			}
			m.Pix[m.PixOffset(x, y)+3] = 255
		}
	}
	return m
}

// terrain is value noise: chance numbers on a grid, interpolated, the sum of several
// octaves. It does not repeat within 1024 units of its finest octave.
type terrain struct {
	values []float64 // 1024 × 1024
}

func newTerrain(chance *rand.Rand) *terrain {
	t := &terrain{values: make([]float64, 1<<20)}
	for i := range t.values {
		t.values[i] = chance.Float64()
	}
	return t
}

// at is about 0.5 on average.
func (t *terrain) at(x, y float64, octaves int) float64 {
	sum, weight, whole := 0.0, 1.0, 0.0
	for range octaves {
		left, top := math.Floor(x), math.Floor(y)
		fx, fy := x-left, y-top
		fx, fy = fx*fx*(3-2*fx), fy*fy*(3-2*fy)
		i, j := int(left), int(top)
		upper := t.value(i, j)*(1-fx) + t.value(i+1, j)*fx
		lower := t.value(i, j+1)*(1-fx) + t.value(i+1, j+1)*fx
		sum += weight * (upper*(1-fy) + lower*fy)
		whole += weight
		weight *= 0.6
		x, y = 2*x+17, 2*y+29
	}
	return sum / whole
}

func (t *terrain) value(i, j int) float64 { return t.values[(j&1023)<<10|i&1023] }

// measured is one analysed file: the scores by model, 0 where there is none.
type measured struct {
	quality int // of the last save; 0: the file as found
	scores  map[string]float64
}

func measure(t testing.TB, data []byte, quality int) measured {
	report := analysed(t, data)
	m := measured{quality, map[string]float64{}}
	for _, row := range report.Models {
		if row.Raw != nil {
			m.scores[row.Name] = *row.Raw
		}
	}
	return m
}

// BenchmarkSeparationImage measures how well the analysers tell altered pictures
// from untouched ones, over photographs that no limit was set on. doc.go says what
// it gave on two of Debian's packages of photographs.
//
//	ASSAY_PHOTOS=/usr/share/backgrounds:/usr/share/backgrounds/mate/nature \
//	  go test -run '^$' -bench BenchmarkSeparationImage -benchtime=1x -timeout 30m ./client/sandbox/forensics
//
// The AUC is the chance that an altered picture scores higher than an untouched one,
// a tie counting half; a model that does not apply counts as 0.
func BenchmarkSeparationImage(b *testing.B) {
	photos := measuredPhotos(b)
	for b.Loop() {
		var untouched []measured
		altered := make([][]measured, len(alterings))
		for i, photo := range photos {
			chance := rand.New(rand.NewPCG(uint64(i), 7)) // #nosec G404 -- repeatable, no secret
			if photo.data != nil {
				untouched = append(untouched, measure(b, photo.data, 0))
			}
			for _, side := range measuredSides {
				base := imaging.Fit(photo.m, side, side, imaging.Lanczos)
				other := imaging.Fit(photos[(i+1)%len(photos)].m, side, side, imaging.Lanczos)
				for _, quality := range []int{75, 85, 92} {
					untouched = append(untouched, measure(b, asJPEG(b, base, quality), quality))
				}
				untouched = append(untouched, measure(b, asJPEG(b, throughJPEG(b, base, 80), 90), 90))
				for k, a := range alterings {
					for _, quality := range a.saves {
						altered[k] = append(altered[k], measure(b, asJPEG(b, a.alter(b, base, other, a.of, chance), quality), quality))
					}
				}
			}
		}
		for k, a := range alterings {
			printed(b, separationTable(a, untouched, altered[k], len(photos)))
			b.ReportMetric(forensicstest.AreaUnderCurve(scoresOf(a.model, altered[k]), scoresOf(a.model, untouched)), a.name+"-AUC")
			b.ReportMetric(forensicstest.AreaUnderCurve(scoresOf(ensembleName, altered[k]), scoresOf(ensembleName, untouched)), a.name+"-ensemble-AUC")
		}
	}
	names := make([]string, 0, len(photos))
	for _, p := range photos {
		names = append(names, p.name)
	}
	printed(b, fmt.Sprintf("%d pictures: %s\n", len(photos), strings.Join(names, ", ")))
}

// printed writes to standard output, since a benchmark's log is cut after ten lines.
func printed(t testing.TB, text string) {
	t.Helper()
	if _, err := os.Stdout.WriteString("\n" + text); err != nil {
		t.Fatal(err)
	}
}

// separationTable is a line for all, and one for each quality of the last save.
func separationTable(a altering, untouched, altered []measured, photos int) string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s (%d pictures, %d untouched files)\n%-12s %7s %28s %14s %18s %18s\n", a.name, photos, len(untouched),
		"last save", "altered", "AUC "+a.model, "AUC ensemble", "altered flagged", "untouched flagged")
	line := func(name string, some []measured) {
		fmt.Fprintf(&s, "%-12s %7d %28.3f %14.3f %11.0f %% FAKE %11.1f %% FAKE\n", name, len(some),
			forensicstest.AreaUnderCurve(scoresOf(a.model, some), scoresOf(a.model, untouched)),
			forensicstest.AreaUnderCurve(scoresOf(ensembleName, some), scoresOf(ensembleName, untouched)),
			flagged(scoresOf(a.model, some)), flagged(scoresOf(a.model, untouched)))
	}
	line("all", altered)
	for _, quality := range a.saves {
		line(fmt.Sprint(quality), slices.DeleteFunc(slices.Clone(altered), func(m measured) bool { return m.quality != quality }))
	}
	return s.String()
}

func scoresOf(model string, files []measured) []float64 {
	scores := make([]float64, 0, len(files))
	for _, f := range files {
		scores = append(scores, f.scores[model])
	}
	return scores
}

// flagged is how many per cent are FAKE.
func flagged(scores []float64) float64 {
	n := 0
	for _, s := range scores {
		if forensics.ScoredModel("", s, map[string]any{}).Status == forensics.Fake {
			n++
		}
	}
	return 100 * float64(n) / float64(max(len(scores), 1))
}
