//go:build !darwin

package finder

// Opened returns a channel on which nothing ever comes: files that are opened with a program are its arguments here.
func Opened() <-chan []string { return make(chan []string, most) }
