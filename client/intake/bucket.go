package intake

import (
	"errors"
	"sync"
	"time"

	"assay/client"
)

// Rules of a Bucket.
const (
	bucketBurst    = 4               // requests that may follow one another at once after a rest
	slowest        = 2.0             // requests a minute that are left, however often the service is busy
	regained       = 0.5             // requests a minute more after each success
	halvedOnceIn   = 5 * time.Second // answers to requests that were under way together halve once
	longestPenalty = 5 * time.Minute // a longer Retry-After is not believed
)

// Bucket paces requests: so many a minute for all who share it. A busy service halves the rate, each success raises it
// again a little. It is safe on any goroutine, and knows no clock of its own.
type Bucket struct {
	mu     sync.Mutex
	most   float64 // requests a minute; 0: no limit
	rate   float64 // requests a minute now
	filled float64 // requests that may go at once
	at     time.Time
	halved time.Time
	until  time.Time // none before
}

// NewBucket returns a bucket of so many requests a minute; 0 or less is no limit but the service's own Retry-After.
func NewBucket(perMinute int) *Bucket {
	most := float64(max(perMinute, 0))
	return &Bucket{most: most, rate: most, filled: bucketBurst}
}

// Take takes leave for one request and returns 0; or it returns how long to wait before asking again.
func (b *Bucket) Take(now time.Time) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	if now.Before(b.until) {
		return b.until.Sub(now)
	}
	if b.most == 0 {
		return 0
	}
	if elapsed := now.Sub(b.at); elapsed > 0 {
		if !b.at.IsZero() {
			b.filled = min(bucketBurst, b.filled+elapsed.Minutes()*b.rate)
		}
		b.at = now
	}
	if b.filled >= 1 {
		b.filled--
		return 0
	}
	missing := (1 - b.filled) / b.rate * float64(time.Minute)
	return max(time.Millisecond, time.Duration(missing)) // never 0, which would say that it may go
}

// Busy says that the service answered 429 or 503, and for how long it wants to be left alone (0: it did not say).
func (b *Bucket) Busy(now time.Time, retryAfter time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if until := now.Add(min(max(retryAfter, time.Second), longestPenalty)); until.After(b.until) {
		b.until = until
	}
	if b.halved.IsZero() || now.Sub(b.halved) >= halvedOnceIn {
		b.rate, b.halved = max(b.rate/2, min(slowest, b.most)), now
	}
}

// Answered says that the service answered as it should.
func (b *Bucket) Answered() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rate = min(b.most, b.rate+regained)
}

// refused passes on what an error says of the service's load.
func (b *Bucket) refused(err error, now time.Time) {
	var e *client.Error
	if errors.As(err, &e) && e.Kind == client.KindBusy {
		b.Busy(now, e.RetryAfter)
	}
}
