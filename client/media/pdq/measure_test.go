package pdq_test

import (
	"bytes"
	"flag"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/client/assert"
	"assay/client/media/pdq"
	"assay/client/media/picture"

	"github.com/disintegration/imaging"
)

// photos is a folder of photographs, from which the tables of README.md are made: go test -run Measure -v . -args -photos DIR
var photos = flag.String("photos", "", "measure with the photographs in this folder and below, and print the tables")

// alteration is something that is done to pictures.
type alteration struct {
	name string
	of   func(img *image.NRGBA) *image.NRGBA
	// least is the share of testdata's photographs that must be found: what is found today.
	least float64
}

// saved saves a picture as a JPEG and reads it again.
func saved(img image.Image, quality int) *image.NRGBA {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, &jpeg.Options{Quality: quality}); err != nil {
		panic(err)
	}
	again, err := jpeg.Decode(&b)
	if err != nil {
		panic(err)
	}
	return imaging.Clone(again)
}

// part crops a picture: each side loses a share of its length.
func part(img *image.NRGBA, left, top, right, bottom float64) *image.NRGBA {
	w, h := float64(img.Rect.Dx()), float64(img.Rect.Dy())
	return imaging.Crop(img, image.Rect(int(w*left), int(h*top), int(w*(1-right)), int(h*(1-bottom))))
}

// onScreen puts a picture on a grey screen, of whose sides it takes all but these shares.
func onScreen(img *image.NRGBA, left, top, right, bottom float64) *image.NRGBA {
	w, h := float64(img.Rect.Dx()), float64(img.Rect.Dy())
	screen := imaging.New(int(w/(1-left-right)), int(h/(1-top-bottom)), color.NRGBA{R: 240, G: 240, B: 242, A: 255})
	at := image.Pt(int(float64(screen.Rect.Dx())*left), int(float64(screen.Rect.Dy())*top))
	return imaging.Paste(screen, img, at)
}

// captioned covers a part of a picture, from a height down, with a white band and black marks like letters.
func captioned(img *image.NRGBA, height float64) *image.NRGBA {
	to := imaging.Clone(img)
	w, h := to.Rect.Dx(), to.Rect.Dy()
	top := h - int(float64(h)*height)
	draw.Draw(to, image.Rect(0, top, w, h), image.White, image.Point{}, draw.Src)
	letter := max(1, (h-top)/8)
	for x := 2 * letter; x < w-3*letter; x += 2 * letter {
		if (x/letter)%9 != 0 {
			draw.Draw(to, image.Rect(x, top+2*letter, x+letter, top+6*letter), image.Black, image.Point{}, draw.Src)
		}
	}
	return to
}

var alterations = []alteration{
	{"JPEG, quality 90", func(i *image.NRGBA) *image.NRGBA { return saved(i, 90) }, 1},
	{"JPEG, quality 70", func(i *image.NRGBA) *image.NRGBA { return saved(i, 70) }, 1},
	{"JPEG, quality 50", func(i *image.NRGBA) *image.NRGBA { return saved(i, 50) }, 1},
	{"JPEG, quality 30", func(i *image.NRGBA) *image.NRGBA { return saved(i, 30) }, 1},
	{"scaled to 200 %", func(i *image.NRGBA) *image.NRGBA { return imaging.Resize(i, 2*i.Rect.Dx(), 0, imaging.Linear) }, 1},
	{"scaled to 50 %", func(i *image.NRGBA) *image.NRGBA { return imaging.Resize(i, i.Rect.Dx()/2, 0, imaging.Linear) }, 1},
	{"scaled to 25 %, quality 50", func(i *image.NRGBA) *image.NRGBA {
		return saved(imaging.Resize(i, i.Rect.Dx()/4, 0, imaging.Linear), 50)
	}, 1},
	{"brighter by 20 %", func(i *image.NRGBA) *image.NRGBA { return imaging.AdjustBrightness(i, 20) }, 1},
	{"darker by 20 %", func(i *image.NRGBA) *image.NRGBA { return imaging.AdjustBrightness(i, -20) }, 1},
	{"more contrast, by 30 %", func(i *image.NRGBA) *image.NRGBA { return imaging.AdjustContrast(i, 30) }, 1},
	{"grey", func(i *image.NRGBA) *image.NRGBA { return imaging.Grayscale(i) }, 1},
	{"blurred", func(i *image.NRGBA) *image.NRGBA { return imaging.Blur(i, float64(i.Rect.Dx())/250) }, 1},
	{"mirrored", func(i *image.NRGBA) *image.NRGBA { return saved(imaging.FlipH(i), 80) }, 0.85},
	{"rotated by 90°", func(i *image.NRGBA) *image.NRGBA { return saved(imaging.Rotate90(i), 80) }, 0.85},
	{"cropped by 2 %, all round", func(i *image.NRGBA) *image.NRGBA { return part(i, 0.01, 0.01, 0.01, 0.01) }, 1},
	{"cropped by 5 %, all round", func(i *image.NRGBA) *image.NRGBA { return part(i, 0.025, 0.025, 0.025, 0.025) }, 1},
	{"cropped by 10 %, all round", func(i *image.NRGBA) *image.NRGBA { return part(i, 0.05, 0.05, 0.05, 0.05) }, 1},
	{"cropped by 5 %, below", func(i *image.NRGBA) *image.NRGBA { return part(i, 0, 0, 0, 0.05) }, 1},
	{"cropped by 10 %, below", func(i *image.NRGBA) *image.NRGBA { return part(i, 0, 0, 0, 0.1) }, 1},
	{"cropped by 10 %, left", func(i *image.NRGBA) *image.NRGBA { return part(i, 0.1, 0, 0, 0) }, 1},
	{"cropped by 3 %, right", func(i *image.NRGBA) *image.NRGBA { return part(i, 0, 0, 0.03, 0) }, 0.7},
	{"cropped by 7 %, below", func(i *image.NRGBA) *image.NRGBA { return part(i, 0, 0, 0, 0.07) }, 0.85},
	{"cropped by 6 %, left, and 3 %, above", func(i *image.NRGBA) *image.NRGBA { return part(i, 0.06, 0.03, 0, 0) }, 0},
	{"cropped by 15 %, below", func(i *image.NRGBA) *image.NRGBA { return part(i, 0, 0, 0, 0.15) }, 0},
	{"cropped by 20 %, all round", func(i *image.NRGBA) *image.NRGBA { return part(i, 0.1, 0.1, 0.1, 0.1) }, 0},
	{"screenshot, bars of 8 % above and 6 % below", func(i *image.NRGBA) *image.NRGBA { return onScreen(i, 0, 0.08, 0, 0.06) }, 0},
	{"screenshot, a bar of 5 % above", func(i *image.NRGBA) *image.NRGBA { return onScreen(i, 0, 0.05, 0, 0) }, 1},
	{"screenshot, a bar of 10 % above", func(i *image.NRGBA) *image.NRGBA { return onScreen(i, 0, 0.1, 0, 0) }, 1},
	{"screenshot, a border of 2 %", func(i *image.NRGBA) *image.NRGBA { return onScreen(i, 0.01, 0.01, 0.01, 0.01) }, 1},
	{"screenshot, a border of 10 %", func(i *image.NRGBA) *image.NRGBA { return onScreen(i, 0.05, 0.05, 0.05, 0.05) }, 1},
	{"captioned, 10 % of the height", func(i *image.NRGBA) *image.NRGBA { return captioned(i, 0.1) }, 1},
	{"captioned, 15 % of the height", func(i *image.NRGBA) *image.NRGBA { return captioned(i, 0.15) }, 1},
	{"captioned, 20 % of the height", func(i *image.NRGBA) *image.NRGBA { return captioned(i, 0.2) }, 1},
	{"captioned, 25 % of the height", func(i *image.NRGBA) *image.NRGBA { return captioned(i, 0.25) }, 1},
}

// hashed is what Assay computes of a picture: it is fitted first.
func hashed(img image.Image) (h hashes) {
	fitted := picture.Fit(img, 512, 512)
	return hashes{pdq.Of(fitted), pdq.OfParts(fitted)}
}

type hashes struct {
	pdq.Picture
	parts [len(pdq.Parts)]pdq.Hash
}

// alone is how far a picture is from another in its nearest orientation, and distance is the same with the parts of both.
func alone(original, altered hashes) int {
	nearest := 256
	for _, h := range altered.Hashes {
		nearest = min(nearest, h.Distance(original.Hashes[pdq.AsItIs]))
	}
	return nearest
}

func distance(original, altered hashes) int {
	nearest, none := alone(original, altered), pdq.Hash{}
	for i, part := range original.parts {
		if part != none {
			nearest = min(nearest, part.Distance(altered.Hashes[pdq.AsItIs]))
		}
		if of := altered.parts[i]; of != none {
			nearest = min(nearest, of.Distance(original.Hashes[pdq.AsItIs]))
			if part != none {
				nearest = min(nearest, of.Distance(part))
			}
		}
	}
	return nearest
}

// photographs are the pictures in a folder and below that can be decoded, fitted into 1024 pixels, and have something to see in them.
func photographs(t *testing.T, folder string) (all []*image.NRGBA, names []string) {
	t.Helper()
	root, err := os.OpenRoot(folder)
	assert.NoError(t, err)
	defer root.Close() //nolint:errcheck // only read from
	assert.NoError(t, fs.WalkDir(root.FS(), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || !slices.Contains([]string{".jpg", ".jpeg", ".png", ".webp"}, strings.ToLower(filepath.Ext(path))) {
			return err
		}
		file, err := root.Open(path)
		if err != nil {
			return err
		}
		defer file.Close() //nolint:errcheck // only read from
		p, err := picture.Decode(t.Context(), file, picture.Limits{LongSide: 1024})
		if err != nil || !hashed(p.Image).Telling() {
			t.Logf("left out: %s (%v)", path, err)
			return nil
		}
		all, names = append(all, imaging.Clone(p.Image)), append(names, path)
		return nil
	}))
	return all, names
}

func TestMeasure(t *testing.T) {
	folder := filepath.Join("..", "..", "..", "testdata", "pictures")
	if *photos != "" {
		folder = *photos
	}
	originals, names := photographs(t, folder)
	of := make([]hashes, len(originals))
	for i, img := range originals {
		of[i] = hashed(img)
	}
	t.Logf("%d photographs", len(originals))
	for _, a := range alterations {
		var distances []int
		found, whole := 0, 0
		for i, img := range originals {
			altered := hashed(a.of(img))
			d := distance(of[i], altered)
			distances = append(distances, d)
			if d <= pdq.DefaultLimit {
				found++
			}
			if alone(of[i], altered) <= pdq.DefaultLimit {
				whole++
			}
		}
		slices.Sort(distances)
		share := float64(found) / float64(len(originals))
		t.Logf("| %s | %.0f %% | %.0f %% | %d, %d, %d |", a.name, 100*float64(whole)/float64(len(originals)), 100*share, distances[0], distances[len(distances)/2], distances[len(distances)-1])
		if *photos == "" && share < a.least {
			t.Errorf("%s: %d of %d are found, which were %.0f %% of them", a.name, found, len(originals), 100*a.least)
		}
	}
	near, pairs, least := 0, 0, 256
	for i, one := range of {
		for j, other := range of[:i] {
			d := distance(one, other)
			pairs++
			least = min(least, d)
			if d <= pdq.DefaultLimit {
				near++
				t.Logf("near: %s and %s, by %d", names[i], names[j], d)
			}
		}
	}
	t.Logf("%d of %d pairs of different photographs are near; the least distance is %d", near, pairs, least)
	if *photos == "" && near != 2 { // a photograph and its splice, and two drawings of the same shapes
		t.Errorf("%d pairs are near, which were 2", near)
	}
}
