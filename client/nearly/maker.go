package nearly

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"image"
	"os"

	"assay/client"
	"assay/client/bounded"
	"assay/client/ffmpeg"
	"assay/client/media"
	"assay/client/media/film"
	"assay/client/media/pdq"
	"assay/client/media/picture"
	"assay/client/media/sound"
	"assay/client/media/soundprint"
	"assay/client/store"
)

const (
	// pictureSide is what a picture is fitted into before it is hashed, in pixels. A JPEG of a camera is decoded at a fraction of its size so.
	pictureSide = 512
	// frameSide is a side of a clip's frames, which are stretched to a square: PDQ does so in any case.
	frameSide = 256
	// mostKeyFrames are decoded of a clip, of which mostFrames are kept: those that are not nearly the same as one before.
	mostKeyFrames = 600
	mostFrames    = 32
)

// errOther means that a file is not the content any more of which a fingerprint is wanted.
var errOther = errors.New("the file holds something else by now")

// fingerprintsOf makes the fingerprints of a content, from an open file of it. Where the content can have none, there are none, and no error. An error is
// about this computer: the content may have some another time.
func fingerprintsOf(ctx context.Context, kind client.MediaType, content string, file *os.File) ([]store.Fingerprint, error) {
	if kind == client.Image {
		return ofPicture(ctx, content, file)
	}
	hash, err := media.Hash(ctx, file, nil)
	switch {
	case err != nil:
		return nil, err
	case hash != content:
		return nil, errOther
	case kind == client.Video:
		return ofClip(ctx, file.Name())
	case kind == client.Audio:
		return ofRecording(ctx, file.Name())
	}
	return nil, nil
}

func ofPicture(ctx context.Context, content string, file *os.File) ([]store.Fingerprint, error) {
	data, err := bounded.ReadAll(file, picture.DefaultLimits.MaxBytes)
	var tooLarge *bounded.Refusal
	switch {
	case errors.As(err, &tooLarge):
		return nil, nil
	case err != nil:
		return nil, err
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != content {
		return nil, errOther
	}
	decoded, err := picture.Decode(ctx, bytes.NewReader(data), picture.Limits{LongSide: pictureSide})
	var unreadable *picture.Unreadable
	switch {
	case errors.As(err, &unreadable):
		return nil, nil
	case err != nil:
		return nil, err
	}
	whole := pdq.Of(decoded.Image)
	if !whole.Telling() {
		return nil, nil
	}
	return []store.Fingerprint{written(pictureHashes{whole.Hashes, pdq.OfParts(decoded.Image)}, whole.Quality, store.PictureFingerprint, 0)}, nil
}

func ofClip(ctx context.Context, path string) ([]store.Fingerprint, error) {
	tool, err := ffmpeg.Find()
	if err != nil {
		return nil, err
	}
	var all []store.Fingerprint
	var hashes []pdq.Hash
	err = film.KeyFrames(ctx, tool, path, image.Pt(frameSide, frameSide), mostKeyFrames, func(frame *image.RGBA) {
		p := pdq.Of(frame)
		if !p.Telling() || len(all) >= mostFrames {
			return
		}
		for _, before := range hashes {
			if p.Hashes[pdq.AsItIs].Distance(before) <= pdq.DefaultLimit {
				return
			}
		}
		hashes = append(hashes, p.Hashes[pdq.AsItIs])
		all = append(all, written(pictureHashes{oriented: p.Hashes}, p.Quality, store.FrameFingerprint, len(all)))
	})
	if err != nil && !hopeless(err) {
		return nil, err
	}
	return all, nil // what was seen of a clip that breaks off counts
}

func ofRecording(ctx context.Context, path string) ([]store.Fingerprint, error) {
	tool, err := ffmpeg.FindFpcalc()
	if err != nil {
		return nil, err
	}
	fingerprint, err := soundprint.Of(ctx, tool, path)
	switch {
	case hopeless(err), err == nil && len(fingerprint) == 0:
		return nil, nil
	case err != nil:
		return nil, err
	}
	return []store.Fingerprint{{Kind: store.SoundFingerprint, Quality: 100, Bits: fingerprint.Bytes()}}, nil
}

// hopeless reports whether an error is about the content rather than about this computer.
func hopeless(err error) bool {
	var unreadable *ffmpeg.Unreadable
	var failed *ffmpeg.Failed
	var needs *sound.NeedsFFmpeg
	return errors.As(err, &unreadable) || errors.As(err, &failed) && !errors.As(err, &needs) && !ffmpeg.IsMissing(err)
}
