// Package finder has the files that the Finder opens with this program: by "Open with", or dropped on its icon. macOS starts no second process for them
// and passes no arguments, but sends the program an event, for which the toolkit has no ear. It imports the standard library and purego.
package finder

// most is how many events may wait to be taken. One has all files that were opened at once.
const most = 64
