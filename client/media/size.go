package media

import (
	"fmt"
	"strconv"
	"strings"
)

// SizeText writes a size in words: "0 bytes", "900 KB", "5.2 MB", "50 MB", "1.5 GB". KB, MB and GB are powers of 1024,
// as in the caps of the service. What is below 0 counts as 0.
func SizeText(bytes int64) string {
	const kb, mb, gb = 1 << 10, 1 << 20, 1 << 30
	switch {
	case bytes == 1:
		return "1 byte"
	case bytes < kb:
		return fmt.Sprintf("%d bytes", max(bytes, 0))
	case bytes < mb-kb/2: // what would round to 1024 KB is 1 MB
		return fmt.Sprintf("%d KB", (bytes+kb/2)/kb)
	case bytes < gb-mb/20:
		return oneDecimal(float64(bytes)/mb) + " MB"
	default:
		return oneDecimal(float64(bytes)/gb) + " GB"
	}
}

// oneDecimal rounds to one decimal place, which is left out where it is 0.
func oneDecimal(value float64) string {
	return strings.TrimSuffix(strconv.FormatFloat(value, 'f', 1, 64), ".0")
}

// grouped writes a number that is not negative with a comma before every three digits.
func grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
