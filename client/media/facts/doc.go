// Package facts reads what a file says of itself: its format, EXIF and content credentials (C2PA).
package facts
