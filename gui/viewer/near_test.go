package viewer

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"assay/client"
	"assay/client/assert"
	"assay/client/nearly"
	"assay/client/store"
	"assay/client/verdict"
	"assay/gui/guitest"
	"assay/gui/kit"
	"assay/gui/present"
)

// nears are results of this name that are nearly the same in these ways.
func nears(name string, ways ...nearly.Likeness) []present.Near {
	var matches []nearly.Match
	for _, way := range ways {
		matches = append(matches, nearly.Match{Row: store.Row{ID: "near", Name: name, Status: client.Fake, Answered: time.Now()}, Like: way})
	}
	return present.NearsOf(matches, time.Now())
}

func TestWhatIsNearlyTheSame(t *testing.T) {
	near := func(n int) (all []present.Near) {
		for i := range n {
			all = append(all, present.Near{
				ID: fmt.Sprint("n", i), Sentence: fmt.Sprintf("Nearly the same as crop-%d.png", i), Mark: verdict.MarkFake, Words: "Likely manipulated, checked 3 Nov", Compared: i != 1,
			})
		}
		return all
	}
	// open shows a result that has so many.
	open := func(t *testing.T, n int, size fyne.Size) (d *fixture, calls *guitest.Calls) {
		c := samples(t)
		c.near = map[string][]present.Near{"fake.jpg": near(n)}
		d, calls = setup(t, c, size), new(guitest.Calls)
		d.CompareNear = func(id string, n present.Near) { calls.Did("compare " + id + " " + n.ID) }
		d.ListNear = func(id string, all []present.Near) { calls.Did(fmt.Sprint("list ", id, " ", len(all))) }
		d.see("fake.jpg")
		return d, calls
	}
	t.Run("is said with its own verdict, as a hint", func(t *testing.T) {
		d, calls := open(t, 1, wideSize)
		d.WantTexts("Nearly the same as crop-0.png", "Likely manipulated, checked 3 Nov", "A hint: each file keeps its own verdict")
		d.WantNoWords(" more")
		d.Tap("Compare")
		calls.Want(t, "compare fake.jpg n0")
	})
	t.Run("is a chip that says the same where there is little height", func(t *testing.T) {
		d, calls := open(t, 1, narrowSize)
		d.WantNoWords("crop-0.png", "A hint")
		var tip string
		for _, chip := range guitest.InSight[*kit.Chip](d.head.root) {
			if chip.Label() == "Nearly the same" {
				tip = chip.ToolTip()
			}
		}
		for _, part := range []string{"Nearly the same as crop-0.png", "Likely manipulated, checked 3 Nov", "A hint: each file keeps its own verdict"} {
			if !strings.Contains(tip, part) {
				t.Errorf("its tooltip is %q, without %q", tip, part)
			}
		}
		d.Click("Nearly the same")
		calls.Want(t, "compare fake.jpg n0")
		d.Resize(wideSize)
		d.WantTexts("Nearly the same as crop-0.png")
	})
	t.Run("is a chip with how many, which lists them, where there is little height", func(t *testing.T) {
		d, calls := open(t, 4, narrowSize)
		d.Click("Nearly the same · 4")
		calls.Want(t, "list fake.jpg 4")
	})
	t.Run("is listed where there are several", func(t *testing.T) {
		d, calls := open(t, 4, wideSize)
		d.Tap("and 3 more")
		calls.Want(t, "list fake.jpg 4")
	})
	t.Run("goes with the result", func(t *testing.T) {
		d, _ := open(t, 1, wideSize)
		d.see("other.jpg")
		d.WantNoWords("Nearly the same", "A hint")
	})
	t.Run("all of it, and the note, in the list", func(t *testing.T) {
		w := guitest.NewFrame(t, wideSize)
		var chosen string
		w.Display(NearList(near(3), func(n present.Near) { chosen = n.ID }), nil)
		w.WantTexts("Nearly the same as crop-0.png", "Nearly the same as crop-1.png", "Nearly the same as crop-2.png", "A hint: each file keeps its own verdict")
		w.Tap("Open")
		assert.Equal(t, "n1", chosen)
	})
}
