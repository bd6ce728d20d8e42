package intake

import (
	"testing"
)

// inPlace counts those of the turns that have their place.
func inPlace(all ...turn) (n int) {
	for _, own := range all {
		select {
		case <-own:
			n++
		default:
		}
	}
	return n
}

func TestTheNumberOfPlacesChangesWhileTheyAreInUse(t *testing.T) {
	stand := func(places, n int) (*turns, []turn) {
		turns := newTurns(places)
		all := make([]turn, n)
		for i := range all {
			all[i] = turns.stand()
		}
		return turns, all
	}
	t.Run("more places are taken at once by those who wait, the first first", func(t *testing.T) {
		turns, all := stand(1, 4)
		turns.resize(3)
		if inPlace(all[:3]...) != 3 || inPlace(all...) != 3 {
			t.Errorf("%d have a place", inPlace(all...))
		}
	})
	t.Run("fewer take no place from anybody, and who leaves is not followed until there are as few", func(t *testing.T) {
		turns, all := stand(3, 5)
		turns.resize(1)
		if inPlace(all...) != 3 {
			t.Fatalf("%d have a place", inPlace(all...))
		}
		turns.leave(all[0])
		turns.leave(all[1])
		if inPlace(all[3:]...) != 0 {
			t.Error("a place was given that there is not")
		}
		turns.leave(all[2])
		if inPlace(all[3:]...) != 1 {
			t.Errorf("%d have a place once there is one", inPlace(all[3:]...))
		}
	})
	t.Run("who gave up waiting leaves no place behind", func(t *testing.T) {
		turns, all := stand(1, 3)
		turns.leave(all[1])
		turns.resize(2)
		if inPlace(all[2]) != 1 {
			t.Error("the one behind has no place")
		}
		if late := turns.stand(); inPlace(late) != 0 {
			t.Error("there is a place too many")
		}
	})
	t.Run("fewer and more again give what there was", func(t *testing.T) {
		turns, all := stand(2, 4)
		turns.resize(1)
		turns.resize(2)
		if inPlace(all...) != 2 {
			t.Errorf("%d have a place", inPlace(all...))
		}
		turns.leave(all[0])
		if inPlace(all[2]) != 1 || inPlace(all[3]) != 0 {
			t.Error("the place goes to another than the next")
		}
	})
}
