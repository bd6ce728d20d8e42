package intake

import (
	"testing"
)

// granted counts those of the slots that were granted.
func granted(all ...*slot) (n int) {
	for _, own := range all {
		select {
		case <-own.granted:
			n++
		default:
		}
	}
	return n
}

func TestTheNumberOfSlotsChangesWhileTheyAreInUse(t *testing.T) {
	reserve := func(limit, n int) (*slots, []*slot) {
		slots := newSlots(limit)
		all := make([]*slot, n)
		for i := range all {
			all[i] = slots.reserve()
		}
		return slots, all
	}
	t.Run("more slots are taken at once by those who wait, the first first", func(t *testing.T) {
		slots, all := reserve(1, 4)
		slots.resize(3)
		if granted(all[:3]...) != 3 || granted(all...) != 3 {
			t.Errorf("%d have a slot", granted(all...))
		}
	})
	t.Run("fewer take no slot from anybody, and who releases one is not followed until there are as few", func(t *testing.T) {
		slots, all := reserve(3, 5)
		slots.resize(1)
		if granted(all...) != 3 {
			t.Fatalf("%d have a slot", granted(all...))
		}
		all[0].Release()
		all[1].Release()
		if granted(all[3:]...) != 0 {
			t.Error("a slot was granted that there is not")
		}
		all[2].Release()
		if granted(all[3:]...) != 1 {
			t.Errorf("%d have a slot once there is one", granted(all[3:]...))
		}
	})
	t.Run("who gave up waiting leaves no slot behind", func(t *testing.T) {
		slots, all := reserve(1, 3)
		all[1].Release()
		slots.resize(2)
		if granted(all[2]) != 1 {
			t.Error("the one behind has no slot")
		}
		if late := slots.reserve(); granted(late) != 0 {
			t.Error("there is a slot too many")
		}
	})
	t.Run("fewer and more again give what there was", func(t *testing.T) {
		slots, all := reserve(2, 4)
		slots.resize(1)
		slots.resize(2)
		if granted(all...) != 2 {
			t.Errorf("%d have a slot", granted(all...))
		}
		all[0].Release()
		if granted(all[2]) != 1 || granted(all[3]) != 0 {
			t.Error("the slot goes to another than the next")
		}
	})
}
