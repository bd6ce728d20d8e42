package pdq_test

import (
	"image"
	"image/color"
	"image/draw"
	"math/rand/v2"
	"testing"

	"assay/client/assert"
	"assay/client/media/pdq"

	"github.com/disintegration/imaging"
)

// rectangles draws a picture that every computer draws alike, of rectangles at places that a sequence of numbers says.
func rectangles(width, height, count int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(img, img.Rect, image.White, image.Point{}, draw.Src)
	state := uint32(count)
	next := func(most int) int {
		state = state*1664525 + 1013904223
		return int(state>>8) % most
	}
	for range count {
		left, top := next(width), next(height)
		place := image.Rect(left, top, left+1+next(width/2), top+1+next(height/2))
		fill := color.RGBA{R: uint8(next(256)), G: uint8(next(256)), B: uint8(next(256)), A: 255}
		draw.Draw(img, place, image.NewUniform(fill), image.Point{}, draw.Src)
	}
	return img
}

// The hashes were computed from the same pixels by ThreatExchange's reference in C++. README.md says what else was compared with it.
func TestHashesAreThoseOfTheReference(t *testing.T) {
	for _, of := range []struct {
		width, height, count int
		quality              int
		hash                 string
	}{
		{64, 64, 20, 100, "8286ffa4c05bffe62263dd695339a322ddca3071aec604da3dd882863ef05175"},
		{5, 5, 20, 100, "4e53e0f0b1ac9e27cb72c0f04e733f0fb18c695a4e53e0f0b1ac9e274e73c0f0"},
		{7, 300, 20, 100, "313c909e66db289c9926e4db4f25ca3734c8c56b1fc0c47b9f226ed19f6231ac"},
		{127, 129, 3, 13, "88de772188de772188de7721c8de2721d8de2731d8ce2731d8ce2731d8ce2731"},
		{300, 200, 40, 100, "dfb0260b9b1362cfb94b50e7bfe700c76a4751352c4b1035ffe89d3d0a04f582"},
		{512, 341, 60, 100, "b15bb4883f49970cf04f05dcbd72fd065de36b76e43601f4d5a06b5806ed2a81"},
		{777, 1000, 9, 100, "33b4bd84ecc3edfb619b52015a745a74ce03adcbedc3cc6123b433351003d9ce"},
		{1600, 1065, 80, 100, "b75cfad018912938e7ec57ec4453ba5aba70cda5050ca746dc5456d9320b772b"},
		{200, 200, 1, 24, "4f2cb0d3b0d34f2cb0d3b0d34f2cb0d3b0d34f2cb0d3b0d34f2cb0d3b0d34f2c"},
	} {
		p := pdq.Of(rectangles(of.width, of.height, of.count))
		if p.Quality != of.quality || p.Hashes[pdq.AsItIs].String() != of.hash {
			t.Errorf("{%d, %d, %d, %d, %q},", of.width, of.height, of.count, p.Quality, p.Hashes[pdq.AsItIs])
		}
	}
	t.Run("in each orientation", func(t *testing.T) {
		all := pdq.Of(rectangles(300, 200, 40)).Hashes
		for o, want := range [...]string{
			"dfb0260b9b1362cfb94b50e7bfe700c76a4751352c4b1035ffe89d3d0a04f582",
			"aa0d6bf612a95da2aaae7df2a28a55b28709e157865c5feb582ce8297fa1900b",
			"8ae188a18c46c860c80eea4deab2aa2d3f12bb87791eba9faabd379717515f28",
			"ff58011c07fcc108fffb9758a7dff718c25c02fdd309f5010d7942832af42aa1",
			"9fb099b48b138d30880baf18afe7ff382a47aeca284befcaffe862c20a040a7d",
			"8ae5555ece46351bdc1e15b2eab255d27f1244707d1e4560aabdc8685f51a0d7",
			"aa0d94c95aa9ae5daaaec22df28aaa4d97091fa8865ca054582c17d67fa17ff4",
			"ff581e2107fc00f7fff9208787df00e7c25cb402d30902be0d392d7c2af4c55e",
		} {
			if all[o].String() != want {
				t.Errorf("%d: %s", o, all[o])
			}
		}
	})
}

func TestHashesInEachOrientationAreNearThoseOfThatPicture(t *testing.T) {
	img := rectangles(320, 256, 40)
	all := pdq.Of(img).Hashes
	for o, oriented := range map[pdq.Orientation]*image.NRGBA{
		pdq.Rotated90: imaging.Rotate90(img), pdq.Rotated180: imaging.Rotate180(img), pdq.Rotated270: imaging.Rotate270(img),
		pdq.FlippedV: imaging.FlipV(img), pdq.FlippedH: imaging.FlipH(img),
		pdq.Transposed: imaging.Transpose(img), pdq.Transverse: imaging.Transverse(img),
	} {
		upright := pdq.Of(&image.RGBA{Pix: oriented.Pix, Stride: oriented.Stride, Rect: oriented.Rect}).Hashes[pdq.AsItIs]
		for other := range all {
			if d, near := upright.Distance(all[other]), pdq.Orientation(other) == o; near != (d <= pdq.DefaultLimit) {
				t.Errorf("a picture of orientation %d is %d from the hash of orientation %d", o, d, other)
			}
		}
	}
}

func TestQuality(t *testing.T) {
	flat := image.NewRGBA(image.Rect(0, 0, 200, 100))
	draw.Draw(flat, flat.Rect, image.NewUniform(color.RGBA{R: 90, G: 120, B: 200, A: 255}), image.Point{}, draw.Src)
	for what, of := range map[string]struct {
		img     *image.RGBA
		telling bool
	}{
		"much to see":         {rectangles(200, 100, 40), true},
		"a clear sky":         {flat, false},
		"nothing but clear":   {image.NewRGBA(image.Rect(0, 0, 200, 100)), false},
		"too small to see":    {rectangles(4, 100, 40), false},
		"no pixels":           {image.NewRGBA(image.Rectangle{}), false},
		"as small as can be":  {rectangles(5, 5, 40), true},
		"one row of the sky":  {flat.SubImage(image.Rect(0, 0, 200, 5)).(*image.RGBA), false},
		"a part of a picture": {rectangles(300, 300, 40).SubImage(image.Rect(50, 50, 250, 250)).(*image.RGBA), true},
	} {
		if p := pdq.Of(of.img); p.Telling() != of.telling || p.Quality > 100 {
			t.Errorf("%s: quality %d", what, p.Quality)
		}
	}
}

func TestClearPixelsAreWhite(t *testing.T) {
	img := rectangles(200, 100, 30)
	open, white := image.NewRGBA(img.Rect), image.NewRGBA(img.Rect)
	copy(open.Pix, img.Pix)
	copy(white.Pix, img.Pix)
	draw.Draw(open, image.Rect(40, 20, 160, 80), image.Transparent, image.Point{}, draw.Src)
	draw.Draw(white, image.Rect(40, 20, 160, 80), image.White, image.Point{}, draw.Src)
	assert.Equal(t, pdq.Of(open), pdq.Of(white))
}

func TestBytes(t *testing.T) {
	h := pdq.Of(rectangles(300, 200, 40)).Hashes[0]
	again, err := pdq.FromBytes(h.Bytes())
	assert.NoError(t, err)
	assert.Equal(t, h, again)
	if _, err := pdq.FromBytes(h.Bytes()[:31]); err == nil {
		t.Error("31 bytes are taken for a hash")
	}
}

// random returns a hash in which each bit is as likely as not.
func random(r *rand.Rand) (h pdq.Hash) {
	for i := range h {
		h[i] = r.Uint64()
	}
	return h
}

// flipped returns a hash in which count other bits are set.
func flipped(r *rand.Rand, h pdq.Hash, count int) pdq.Hash {
	for _, bit := range r.Perm(256)[:count] {
		h[bit/64] ^= 1 << (bit % 64)
	}
	return h
}

func TestIndexFindsWhatComparingWithAllFinds(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // a test that can be repeated
	var x pdq.Index
	x.Near(pdq.Hash{}, pdq.DefaultLimit, func(int, int) { t.Error("something is found in an empty index") })
	var all []pdq.Hash
	for range 500 {
		h := random(r)
		for _, distance := range []int{0, 0, 1, 15, 16, 17, 30, 31, 32, 33, 60} {
			all = append(all, flipped(r, h, distance))
		}
	}
	for _, h := range all {
		x.Add(h)
	}
	assert.Equal(t, len(all), x.Len())
	most := 0
	for _, limit := range []int{0, 1, 16, pdq.DefaultLimit, 32, 60} {
		for _, h := range all[:330] {
			want, got := map[int]int{}, map[int]int{}
			for number, other := range all {
				if d := h.Distance(other); d <= limit {
					want[number] = d
				}
			}
			x.Near(h, limit, func(number, distance int) {
				if _, twice := got[number]; twice {
					t.Errorf("%d is found twice", number)
				}
				got[number] = distance
			})
			assert.Equal(t, want, got)
			most = max(most, len(got))
		}
	}
	if most < 11 {
		t.Errorf("at most %d were found: too few to show anything", most)
	}
}
