package heat

import "bytes"

// format names one encoding of pictures, in the word that a person knows it by.
type format string

const (
	formatJPEG format = "JPEG"
	formatPNG  format = "PNG"
	formatGIF  format = "GIF"
	formatWebP format = "WebP"
)

// sniff tells the format from the first bytes: the name of a file proves nothing. It answers "" for anything else,
// so that no decoder is ever fed what it was not made for (imaging registers TIFF and BMP with package image).
func sniff(data []byte) format {
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xd8\xff")):
		return formatJPEG
	case bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")):
		return formatPNG
	case bytes.HasPrefix(data, []byte("GIF87a")), bytes.HasPrefix(data, []byte("GIF89a")):
		return formatGIF
	case len(data) >= 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP":
		return formatWebP
	}
	return ""
}
