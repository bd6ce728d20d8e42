package heat

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// shareRows does the work on so many rows on the processors that are free, and returns when all is done. Each call of
// work takes rows from next until there is none; an ended ctx ends them early.
func shareRows(ctx context.Context, rows int, work func(next func() (row int, ok bool))) {
	var taken atomic.Int64
	next := func() (int, bool) {
		row := int(taken.Add(1)) - 1
		return row, row < rows && ctx.Err() == nil
	}
	var helpers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), rows) - 1 {
		helpers.Go(func() { work(next) })
	}
	work(next)
	helpers.Wait()
}
