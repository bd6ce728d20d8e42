package exchange_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"assay/client/assert"
	"assay/client/desk"
	"assay/client/desk/exchange"
	"assay/client/desk/postgres"
	"assay/client/desk/postgres/desktest"
	"assay/client/events"
)

// looks gives a person a window, in which shared cases can be open.
func (p *person) looks() {
	p.Looking = exchange.NewLooking(p.Events)
}

// sees are those who have the case open that a person has open.
func (p *person) sees() []string {
	_, others := p.Looking.Others()
	return others
}

func TestWhoHasACaseOpen(t *testing.T) {
	database, people := setup(t, "ines", "rui", "zoe")
	ines, rui, zoe := people[0], people[1], people[2]
	bridge, mill := desk.IDOf(ines.shares("A bridge", "bridge", rui, zoe)), desk.IDOf(ines.shares("A mill", "mill", zoe))
	for _, p := range people {
		p.looks()
	}
	told := rui.Events.Subscribe(events.Viewers)
	defer told.Close()
	proxy := zoe.through(t, database)
	inesLoop := ines.start(t)
	rui.start(t)
	zoe.start(t)
	viewers := func() (n int) {
		assert.NoError(t, database.Login(database.Owner).QueryRow(t.Context(), "SELECT count(*) FROM desk.viewers").Scan(&n))
		return n
	}
	until(t, "all are connected", func() bool { return inesLoop.Status().Connected })
	assert.Equal(t, 0, viewers())

	ines.Looking.At(bridge)
	rui.Looking.At(bridge)
	zoe.Looking.At(mill)
	until(t, "two see each other", func() bool {
		return len(ines.sees()) == 1 && ines.sees()[0] == rui.login && len(rui.sees()) == 1 && rui.sees()[0] == ines.login
	})
	until(t, "the third is in another case", func() bool { return viewers() == 3 })
	assert.Equal(t, 0, len(zoe.sees()))
	<-told.Ready()

	t.Run("who opens another case is in that one at once", func(t *testing.T) {
		zoe.Looking.At(bridge)
		assert.Equal(t, 0, len(zoe.sees())) // nothing of the case before
		until(t, "all see each other", func() bool { return len(ines.sees()) == 2 && len(rui.sees()) == 2 && len(zoe.sees()) == 2 })
	})
	t.Run("whose network is gone is shown nobody, and to nobody before a minute is over", func(t *testing.T) {
		proxy.Gone()
		until(t, "she is shown nobody", func() bool { return len(zoe.sees()) == 0 })
		does(t, database, "UPDATE desk.viewers SET at = at - interval '41 seconds' WHERE member = '"+zoe.login+"'")
		rui.Looking.At(uuid.Nil)
		until(t, "he has left", func() bool { return viewers() == 2 })
		rui.Looking.At(bridge) // he asks again
		until(t, "she isn't there", func() bool { return len(rui.sees()) == 1 && rui.sees()[0] == ines.login })
		proxy.Mend()
	})
	t.Run("who closes the window is gone at once", func(t *testing.T) {
		inesLoop.Close()
		assert.Equal(t, 0, len(ines.sees()))
		until(t, "the others see that", func() bool { return len(rui.sees()) == 0 || rui.sees()[0] != ines.login })
	})
	t.Run("of a case that somebody is not in, nothing is said either way", func(t *testing.T) {
		rui.Looking.At(mill)
		zoe.Looking.At(mill)
		until(t, "she is there", func() bool { return viewers() >= 1 })
		until(t, "he isn't", func() bool {
			var n int
			assert.NoError(t, database.Login(database.Owner).QueryRow(t.Context(), "SELECT count(*) FROM desk.viewers WHERE case_id = $1 AND member = $2", mill, rui.login).Scan(&n))
			return n == 0
		})
		assert.Equal(t, 0, len(rui.sees()))
		assert.Equal(t, 0, len(zoe.sees()))
	})
}

// TestSomebodyElsewhere asks the desk about contents that were checked in cases which the member is in and is not in.
func TestSomebodyElsewhere(t *testing.T) {
	database, people := setup(t, "ines", "rui")
	ines, rui := people[0], people[1]
	ines.shares("A bridge", "bridge")
	ines.shares("A mill", "mill", rui)
	at, err := postgres.ParseAddress(database.URL(database.Owner))
	assert.NoError(t, err)
	loop := rui.start(t)
	asks := func(content string) bool { return loop.CheckedElsewhere(t.Context(), sumOf(content)) }
	until(t, "he is connected", func() bool { return loop.Status().Connected })
	assert.Equal(t, false, asks("bridge")) // the desk does not tell that by itself
	assert.NoError(t, postgres.TellElsewhere(t.Context(), at, desktest.Password, true))
	assert.Equal(t, true, asks("bridge"))
	assert.Equal(t, false, asks("mill")) // his own case
	assert.Equal(t, false, asks("what nobody has checked"))
	assert.Equal(t, false, loop.CheckedElsewhere(t.Context(), "no hash"))
	if all := database.Backup(t); len(all) == 0 {
		t.Error("there is nothing in the database")
	} else if sum := sumOf("what nobody has checked"); strings.Contains(all, sum) {
		t.Error("the desk has kept what it was asked")
	}
	assert.NoError(t, postgres.TellElsewhere(t.Context(), at, desktest.Password, false))
	assert.Equal(t, false, asks("bridge"))
	loop.Close()
	assert.NoError(t, postgres.TellElsewhere(t.Context(), at, desktest.Password, true))
	assert.Equal(t, false, asks("bridge")) // nothing is asked offline
}
