package sandbox

import "assay/client"

// kind is what the interface says of the files with one extension (interface, "Limits").
type kind struct {
	media       client.MediaType
	cap         int64  // largest size in bytes
	contentType string // of the original, when it is fetched
}

// The caps in bytes. For texts the interface names 900 KB and 5 MB: the larger is in force here.
const (
	megabyte = 1 << 20
	imageCap = 50 * megabyte
	audioCap = 20 * megabyte
	videoCap = 250 * megabyte
	textCap  = 5 * megabyte
)

// kinds are the accepted extensions in lower case.
var kinds = map[string]kind{
	".jpg":  {client.Image, imageCap, "image/jpeg"},
	".jpeg": {client.Image, imageCap, "image/jpeg"},
	".png":  {client.Image, imageCap, "image/png"},
	".gif":  {client.Image, imageCap, "image/gif"},
	".webp": {client.Image, imageCap, "image/webp"},
	".mp3":  {client.Audio, audioCap, "audio/mpeg"},
	".wav":  {client.Audio, audioCap, "audio/wav"},
	".m4a":  {client.Audio, audioCap, "audio/mp4"},
	".aac":  {client.Audio, audioCap, "audio/aac"},
	".ogg":  {client.Audio, audioCap, "audio/ogg"},
	".flac": {client.Audio, audioCap, "audio/flac"},
	".alac": {client.Audio, audioCap, "audio/mp4"},
	".mp4":  {client.Video, videoCap, "video/mp4"},
	".mov":  {client.Video, videoCap, "video/quicktime"},
	".txt":  {client.Text, textCap, "text/plain; charset=utf-8"},
}
