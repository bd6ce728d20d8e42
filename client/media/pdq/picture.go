package pdq

import (
	"image"
	"math"
	"slices"
)

// Orientation is one of the eight ways in which a picture can lie.
type Orientation int

// The orientations, in the order of Picture.Hashes.
const (
	AsItIs     Orientation = iota
	Rotated90              // counterclockwise
	Rotated180             //
	Rotated270             // counterclockwise
	FlippedV               // top to bottom
	FlippedH               // left to right, as in a mirror
	Transposed             // at the diagonal from the upper left corner
	Transverse             // at the other one
	orientations
)

// Orientations is how many there are.
const Orientations = int(orientations)

// Picture is what PDQ says of a picture.
type Picture struct {
	// Hashes are those of the picture in each orientation: one that was mirrored is found by the hash of its mirror image.
	Hashes [Orientations]Hash
	// Quality is how much there is to see in it, 0 to 100. Below MinQuality its hashes say nothing.
	Quality int
}

// Telling reports whether the hashes say something.
func (p Picture) Telling() bool { return p.Quality >= MinQuality }

// Parts are parts of a picture, by how much of its length each side loses: left, above, right, below. A picture that was cropped is found by a part of the
// whole one, one with a bar or a border around it by a part of itself, and one with a caption by what both have without it.
var Parts = [...][4]float64{
	{0.025, 0.025, 0.025, 0.025},
	{0.05, 0.05, 0.05, 0.05},
	{0, 0, 0, 0.05},
	{0, 0, 0, 0.1},
	{0, 0, 0, 0.2},
	{0, 0.05, 0, 0},
	{0, 0.1, 0, 0},
	{0.05, 0, 0, 0},
	{0.1, 0, 0, 0},
	{0, 0, 0.05, 0},
	{0, 0, 0.1, 0},
}

// OfParts computes the hashes of a picture's Parts as they are; that of a part in which there is too little to see is zero.
func OfParts(img *image.RGBA) (hashes [len(Parts)]Hash) {
	width, height := float64(img.Rect.Dx()), float64(img.Rect.Dy())
	for i, p := range Parts {
		part := image.Rect(int(p[0]*width), int(p[1]*height), int((1-p[2])*width), int((1-p[3])*height)).Add(img.Rect.Min)
		if of := Of(img.SubImage(part).(*image.RGBA)); of.Telling() {
			hashes[i] = of.Hashes[AsItIs]
		}
	}
	return hashes
}

const (
	reduced  = 64 // a side of the picture that the transform is made of
	kept     = 16 // a side of what is kept of the transform
	smallest = 5  // the smallest side of a picture of which the reference makes a hash
	passes   = 2  // of the blur: two boxes are a tent
)

type (
	plane  [reduced][reduced]float32
	coarse [kept][kept]float32
)

// Of computes the hashes of a picture, whatever its size and shape; what is transparent counts as white. The cost grows with its pixels: a picture
// that was fitted into 512 × 512 before has nearly the same hash as the whole. A picture of fewer than 5 × 5 pixels has the quality 0.
func Of(img *image.RGBA) Picture {
	size := img.Rect.Size()
	if size.X < smallest || size.Y < smallest {
		return Picture{}
	}
	small := reduce(luminance(img), size.X, size.Y)
	frequencies := transform(small)
	p := Picture{Quality: quality(small)}
	for o := range orientations {
		p.Hashes[o] = threshold(frequencies.oriented(o))
	}
	return p
}

// luminance is the brightness of each pixel, row by row, 0 to 255, with the weights of ITU-R BT.601.
func luminance(img *image.RGBA) []float32 {
	size := img.Rect.Size()
	luma := make([]float32, 0, size.X*size.Y)
	for y := range size.Y {
		row := img.Pix[y*img.Stride:][:4*size.X]
		for i := 0; i < len(row); i += 4 {
			white := 255 - row[i+3] // the pixels are premultiplied
			r, g, b := float32(row[i]+white), float32(row[i+1]+white), float32(row[i+2]+white)
			// Each product is rounded by itself, so that every processor comes to the same bits.
			luma = append(luma, float32(float32(0.299*r)+float32(0.587*g))+float32(0.114*b))
		}
	}
	return luma
}

// reduce blurs a picture with a tent as wide as what one pixel of the reduced one stands for, and takes those pixels out of it. It changes luma.
func reduce(luma []float32, width, height int) (small plane) {
	if width == reduced && height == reduced {
		for y := range small {
			copy(small[y][:], luma[y*width:])
		}
		return small
	}
	blurred := make([]float32, len(luma))
	for range passes {
		for y := range height {
			box(blurred[y*width:], luma[y*width:], width, 1, window(width))
		}
		for x := range width {
			box(luma[x:], blurred[x:], height, width, window(height))
		}
	}
	for y := range small {
		for x := range small[y] {
			small[y][x] = luma[centre(y, height)*width+centre(x, width)]
		}
	}
	return small
}

// window is how many pixels a pass of the blur averages: half of those that one reduced pixel stands for, rounded up.
func window(length int) int { return (length + 2*reduced - 1) / (2 * reduced) }

// centre is the pixel in the middle of those that a reduced one stands for.
func centre(i, length int) int { return int((float64(i) + 0.5) * float64(length) / reduced) }

// box writes, for each of n values that are stride apart, the average of the window around it, as far as there are values.
func box(to, from []float32, n, stride, window int) {
	ahead := (window+2)/2 - 1
	sum, count := float32(0), 0
	for i := -ahead; i < n; i++ {
		if next := i + ahead; next < n {
			sum += from[next*stride]
			count++
		}
		if last := i + ahead - window; last >= 0 {
			sum -= from[last*stride]
			count--
		}
		if i >= 0 {
			to[i*stride] = sum / float32(count)
		}
	}
}

// quality counts the steps in brightness between neighbours, in whole hundredths, so that faint ones don't count.
func quality(small plane) int {
	sum := 0
	step := func(one, other float32) {
		d := int((one - other) * 100 / 255)
		sum += max(d, -d)
	}
	for i := range reduced {
		for j := range reduced - 1 {
			step(small[i][j], small[i][j+1])
			step(small[j][i], small[j+1][i])
		}
	}
	return min(sum/90, 100)
}

// waves are the rows 1 to 16 of the discrete cosine transform of 64 values. Row 0, the average, is left out: a brighter picture has the same hash.
var waves = func() (all [kept][reduced]float32) {
	scale := float32(math.Sqrt(2.0 / reduced))
	for i := range all {
		for j := range all[i] {
			all[i][j] = float32(float64(scale) * math.Cos(math.Pi/2/reduced*float64(i+1)*float64(2*j+1)))
		}
	}
	return all
}()

// transform is the part of the two-dimensional cosine transform with the lowest frequencies.
func transform(small plane) (frequencies coarse) {
	var columns [kept][reduced]float32
	for i := range kept {
		for x := range reduced {
			sum := float32(0)
			for y := range reduced {
				sum += float32(waves[i][y] * small[y][x])
			}
			columns[i][x] = sum
		}
	}
	for i := range kept {
		for j := range kept {
			sum := float32(0)
			for x := range reduced {
				sum += float32(columns[i][x] * waves[j][x])
			}
			frequencies[i][j] = sum
		}
	}
	return frequencies
}

// oriented is the transform of the picture in another orientation: flipping a picture changes the sign of every other wave, and rotating it by a right
// angle swaps rows and columns as well. Row and column 0 hold wave 1, which is odd.
func (c coarse) oriented(o Orientation) (to coarse) {
	for i := range kept {
		for j := range kept {
			row, column := i%2 == 0, j%2 == 0 // whether flipping changes the sign
			var swap, negative bool
			switch o {
			case AsItIs:
			case Rotated90:
				swap, negative = true, column
			case Rotated180:
				negative = row != column
			case Rotated270:
				swap, negative = true, row
			case FlippedV:
				negative = row
			case FlippedH:
				negative = column
			case Transposed:
				swap = true
			case Transverse:
				swap, negative = true, row != column
			}
			value := c[i][j]
			if negative {
				value = -value
			}
			if swap {
				to[j][i] = value
			} else {
				to[i][j] = value
			}
		}
	}
	return to
}

// threshold sets the bit of every frequency that is stronger than the median one.
func threshold(frequencies coarse) (h Hash) {
	sorted := make([]float32, 0, kept*kept)
	for i := range frequencies {
		sorted = append(sorted, frequencies[i][:]...)
	}
	slices.Sort(sorted)
	median := sorted[len(sorted)/2-1] // the lower of the two in the middle
	for i := range kept {
		for j := range kept {
			if k := kept*i + j; frequencies[i][j] > median {
				h[k/64] |= 1 << (k % 64)
			}
		}
	}
	return h
}
