package media

import "assay/client/i18n"

// SizeText writes a size in words: "0 bytes", "900 KB", "5.2 MB", "50 MB", "1.5 GB". KB, MB and GB are powers of 1024,
// as in the caps of the service. What is below 0 counts as 0.
func SizeText(bytes int64) string { return i18n.Size(bytes) }
