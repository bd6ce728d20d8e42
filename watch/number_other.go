//go:build !unix

package watch

import "io/fs"

// fileNumber is 0: to ask for a file's number is to open the file, which costs more than to take one that was renamed for new
// and read it once more.
func fileNumber(_ fs.FileInfo) uint64 { return 0 }
