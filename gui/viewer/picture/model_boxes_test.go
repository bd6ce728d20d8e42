package picture

import (
	"image"
	"testing"

	"assay/client"
	"assay/client/assert"
)

func TestBoxesOf(t *testing.T) {
	read := func(text string) *client.AggregationData {
		a, err := client.ReadAggregation([]byte(text))
		assert.NoError(t, err)
		return a
	}
	const rotated = `"bbox":{"top_left":{"x":10,"y":0},"top_right":{"x":20,"y":10},"bottom_right":{"x":10,"y":20},"bottom_left":{"x":0,"y":10}}`
	t.Run("A8 a box has its corners and each model's decision as sent, by the model's name", func(t *testing.T) {
		got := BoxesOf(read(`{"bboxes":[{` + rotated + `,"conclusions":{"svc-oak":{"decision":"ARTIFICIAL"},"svc-elm":{"decision":"made up"}}},"odd",{` + rotated + `}]}`))
		corners := [4]client.Point{{X: 10}, {X: 20, Y: 10}, {X: 10, Y: 20}, {Y: 10}}
		want := []Box{
			{Number: 1, Field: "bboxes[0]", Corners: corners, Words: []string{"svc-elm: made up", "svc-oak: ARTIFICIAL"}},
			{Number: 3, Field: "bboxes[2]", Corners: corners},
		}
		assert.Equal(t, want, got)
	})
	t.Run("A8 no boxes, and ones of an unexpected shape", func(t *testing.T) {
		for _, text := range []string{`{}`, `{"bboxes":7}`, `{"bboxes":[{"bbox":"none"},3]}`} {
			if got := BoxesOf(read(text)); len(got) != 0 {
				t.Errorf("%s: %v", text, got)
			}
		}
		if BoxesOf(nil) != nil {
			t.Error("boxes of nothing")
		}
	})
}

func TestBoxGround(t *testing.T) {
	stored, upright := image.Pt(400, 300), image.Pt(300, 400)
	for _, c := range []struct {
		name          string
		width, height float64
		want          BoxGround
		ok            bool
	}{
		{"no size declared: the stored pixels", 0, 0, BoxGround{Size: stored}, true},
		{"the file's size", 400, 300, BoxGround{Size: stored}, true},
		{"a smaller copy", 200, 150, BoxGround{Size: image.Pt(200, 150)}, true},
		{"a copy whose side was rounded", 133, 100, BoxGround{Size: image.Pt(133, 100)}, true},
		{"a copy that was turned upright", 300, 400, BoxGround{Size: upright, Upright: true}, true},
		{"another shape", 400, 400, BoxGround{}, false},
		{"less than a pixel", 0.1, 0.1, BoxGround{}, false},
		{"half a size", 400, 0, BoxGround{Size: stored}, true},
		{"far too large a number", 1e300, 1, BoxGround{}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := BoxGroundOf(&client.AggregationData{Width: c.width, Height: c.height}, stored, upright)
			if ok != c.ok || got != c.want {
				t.Errorf("%+v, %v", got, ok)
			}
		})
	}
}
