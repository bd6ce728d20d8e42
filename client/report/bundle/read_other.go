//go:build !unix

package bundle

import "os"

// readFlags open a file.
const readFlags = os.O_RDONLY
