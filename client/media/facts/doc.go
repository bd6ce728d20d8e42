// Package facts reads what a file says of itself: its format, dimensions, EXIF, XMP, tags and content credentials (C2PA). It judges none
// of it. It may import the standard library, imagemeta, go-mp4, cbor, go-cose, assay/client/i18n and client/media/container; nothing else of
// Assay.
//
// Everything it gives is bounded in number and length and safe to show as plain text, whatever the file holds. Its functions read the
// disk and hash whole files, so they belong on workers.
package facts
