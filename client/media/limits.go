package media

import (
	"cmp"

	"assay/client"
	"assay/client/i18n"
)

// Limits says up to which size in bytes, and including which, files of each media type are sent. A type that is missing
// or 0 has the interface's own cap, so that nil means all of those; settings may name others.
type Limits map[client.MediaType]int64

// caps are the interface's "Size caps"; MB is 1024 × 1024 bytes. For text it names 900 KB and 5 MB: the larger is in
// force, and TextNotice tells of the smaller.
var caps = Limits{
	client.Image: 50 << 20,
	client.Audio: 20 << 20,
	client.Video: 250 << 20,
	client.Text:  5 << 20,
}

// textDoubt is the smaller of the two caps that the interface names for text.
const textDoubt = 900 << 10

// Cap gives the size in bytes up to which, and including which, files of this media type are sent; 0 for a type that the
// service does not take.
func (l Limits) Cap(mediaType client.MediaType) int64 {
	standard, known := caps[mediaType]
	if !known {
		return 0
	}
	return cmp.Or(l[mediaType], standard)
}

// TextNotice gives the sentence that a person reads before a text of this size is sent: from 900 KB on the service may
// refuse it. Below that, or where the cap in force is no larger, it says nothing.
func (l Limits) TextNotice(size int64) i18n.Message {
	most := l.Cap(client.Text)
	if size < textDoubt || most <= textDoubt {
		return i18n.Message{}
	}
	return i18n.M("This text is %s. The service names two limits for text, %s and %s, so it may refuse this one.",
		i18n.SizeMessage(size), i18n.SizeMessage(textDoubt), i18n.SizeMessage(most))
}
