package store

import (
	"fmt"
	"math"
	"time"
)

// moment is how a time is kept: nanoseconds since 1970, or nothing for the zero time. What nanoseconds cannot count to, such
// as the date of a file from the year 2500, is text: "s", the seconds, a point, nine digits. Either way every digit comes back.
// What is read is in local time.
type moment struct{ *time.Time }

// keep gives the value to bind.
func keep(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	if seconds := t.Unix(); seconds <= math.MinInt64/1_000_000_000 || seconds >= math.MaxInt64/1_000_000_000 {
		return fmt.Sprintf("s%d.%09d", seconds, t.Nanosecond())
	}
	return t.UnixNano()
}

// Scan reads what keep gave.
func (m moment) Scan(kept any) error {
	switch kept := kept.(type) {
	case nil:
		*m.Time = time.Time{}
	case int64:
		*m.Time = time.Unix(0, kept)
	case string:
		var seconds, nanoseconds int64
		if _, err := fmt.Sscanf(kept, "s%d.%d", &seconds, &nanoseconds); err != nil {
			return fmt.Errorf("%q is no time: %w", kept, err)
		}
		*m.Time = time.Unix(seconds, nanoseconds)
	default:
		return fmt.Errorf("a %T is no time", kept)
	}
	return nil
}
