// Package lang holds the translations: one folder for each language, in it one file for each part of Assay. It imports nothing.
package lang

import "embed"

// Files are es/present.json and its like: English text to translation, or to the forms "one" and "other".
//
//go:embed es pt fr de
var Files embed.FS
