// Package container goes through the parts that media files are made of: a JPEG's segments, chunks of PNG and RIFF, boxes of MP4, tags of
// ID3, pages of Ogg. It tells where each part lies and judges none. It may import the standard library; nothing of Assay.
//
// What it reads and keeps is bounded whatever the file holds, and no file makes it run for ever.
package container
