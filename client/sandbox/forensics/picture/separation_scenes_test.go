package picture

import (
	"image"
	"math"
	"math/rand/v2"
)

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
