package intake

import (
	"testing"
	"time"
)

// taken is how many requests a bucket lets go within a while, by one who asks as often as it says.
func taken(b *Bucket, from time.Time, within time.Duration) int {
	n := 0
	for now := from; now.Before(from.Add(within)); {
		if wait := b.Take(now); wait > 0 {
			now = now.Add(wait)
			continue
		}
		n++
	}
	return n
}

func TestBucket(t *testing.T) {
	minute := func(i int) time.Time { return began.Add(time.Duration(i) * time.Minute) }
	t.Run("so many a minute, and a few more after a rest", func(t *testing.T) {
		b := NewBucket(60)
		if got := taken(b, began, time.Minute); got < 60 || got > 60+bucketBurst {
			t.Errorf("%d in the first minute", got)
		}
		if got := taken(b, minute(1), time.Minute); got < 59 || got > 61 {
			t.Errorf("%d in the second", got)
		}
		if got := taken(b, minute(60), time.Minute); got > 60+bucketBurst {
			t.Errorf("%d after a long rest", got)
		}
	})
	t.Run("a busy service halves it, success raises it slowly", func(t *testing.T) {
		b := NewBucket(60)
		taken(b, began, time.Minute)
		b.Busy(minute(1), 0)
		if got := taken(b, minute(1), time.Minute); got < 28 || got > 31 {
			t.Errorf("%d a minute when halved", got)
		}
		for range 10 {
			b.Answered()
		}
		if got := taken(b, minute(2), time.Minute); got < 33 || got > 37 {
			t.Errorf("%d a minute after ten successes", got)
		}
		for range 1000 {
			b.Answered()
		}
		if got := taken(b, minute(3), time.Minute); got > 61 {
			t.Errorf("%d a minute after many", got)
		}
	})
	t.Run("requests that were under way together halve it once", func(t *testing.T) {
		b := NewBucket(60)
		taken(b, began, time.Minute)
		for range 4 {
			b.Busy(minute(1), 0)
		}
		if got := taken(b, minute(1), time.Minute); got < 28 {
			t.Errorf("%d a minute", got)
		}
	})
	t.Run("it never stops for good", func(t *testing.T) {
		b := NewBucket(60)
		for i := range 20 {
			b.Busy(minute(i), 0)
		}
		if got := taken(b, minute(20), 10*time.Minute); got < 19 {
			t.Errorf("%d in ten minutes", got)
		}
	})
	t.Run("Retry-After is obeyed, an absurd one within reason", func(t *testing.T) {
		for asked, want := range map[time.Duration]time.Duration{40 * time.Second: 40 * time.Second, 1000 * time.Hour: longestPenalty} {
			b := NewBucket(60)
			b.Busy(began, asked)
			if got := b.Take(began); got != want {
				t.Errorf("asked for %v: waits %v", asked, got)
			}
		}
	})
	t.Run("without a limit only Retry-After counts", func(t *testing.T) {
		b := NewBucket(0)
		for range 1000 {
			if wait := b.Take(began); wait != 0 {
				t.Fatalf("waits %v", wait)
			}
		}
		b.Busy(began, 40*time.Second)
		if got := b.Take(began); got != 40*time.Second {
			t.Errorf("waits %v", got)
		}
		if got := b.Take(minute(1)); got != 0 {
			t.Errorf("waits %v afterwards", got)
		}
	})
}
