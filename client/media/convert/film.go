package convert

import (
	"cmp"
	"context"
	"errors"
	"os"
	"slices"
	"strconv"
	"time"

	"assay/client"
	"assay/client/ffmpeg"
	"assay/client/i18n"
	"assay/client/media/container"
	"assay/client/media/picture"
)

// readable are the formats that ffmpeg may open. It knows others, but among them are playlists, which name other files.
var readable = []container.Format{
	container.MP4, container.QuickTime, container.M4A, container.Matroska, container.AVI, container.Ogg, container.FLV, container.MPEGPS, container.MPEGTS,
	container.ASF, container.AIFF, container.AMR, container.CAF, container.WAV, container.RF64, container.MP3, container.FLAC, container.AAC,
}

// What an MP4 can hold as it is, by ffmpeg's names.
var (
	pictureFits = []string{"h264", "hevc", "av1", "mpeg4"}
	soundFits   = []string{"aac", "mp3", "alac"}
)

// soundGoes is where each kind of sound goes without being encoded anew: the extension of a name, and ffmpeg's name of the format.
var soundGoes = map[string]struct{ extension, format string }{
	"aac": {".m4a", "ipod"}, "alac": {".m4a", "ipod"}, "mp3": {".mp3", "mp3"}, "vorbis": {".ogg", "ogg"}, "opus": {".ogg", "ogg"}, "flac": {".flac", "flac"},
}

// copyFilm writes a clip as MP4, or a part of it; of a file without a picture, it writes the sound.
func copyFilm(ctx context.Context, from Source, format container.Format, to *os.File, how How) (Made, error) {
	if !slices.Contains(readable, format) {
		return Made{}, unreadable(errors.New("no clip or recording of a known format"))
	}
	tool, err := ffmpeg.Find()
	if err != nil {
		return Made{}, err
	}
	f := film{Source: from, ctx: ctx, tool: tool, demuxer: ffmpeg.Demuxer(format), to: to.Name(), how: how}
	if f.facts, err = tool.Probe(ctx, from.Path, f.demuxer); err != nil {
		return Made{}, f.problem(err)
	}
	if v := f.facts.Video; v != nil && v.Width > picture.DefaultLimits.MaxPixels/max(1, v.Height) {
		return Made{}, unreadable(errors.New("its frames are too large"))
	}
	switch {
	case f.facts.Video != nil && from.Type != client.Audio:
		return f.clip()
	case f.facts.Sound != nil:
		f.Type = client.Audio
		return f.sound()
	}
	return Made{}, unreadable(errors.New("there is neither a picture nor sound in it"))
}

// film is a file with a film or sound that is copied.
type film struct {
	Source
	ctx     context.Context // of one call
	tool    ffmpeg.Tool
	demuxer string
	facts   ffmpeg.Facts
	to      string
	how     How
}

// problem says why ffmpeg could not make a copy.
func (f *film) problem(err error) error {
	var failed *ffmpeg.Failed
	var problem *Problem
	switch {
	case errors.As(err, &problem):
		return err
	case f.ctx.Err() != nil, ffmpeg.IsMissing(err):
		return err
	case errors.Is(err, ffmpeg.ErrTooLarge):
		return tooLarge(f.how.Most)
	case errors.As(err, &failed) && failed.TooLong > 0:
		return tooLong(err)
	}
	return unreadable(err)
}

// exact are options without which each copy would have another date and number.
var exact = []string{"-fflags", "+bitexact", "-flags:v", "+bitexact", "-flags:a", "+bitexact"}

func (f *film) write(before []string, options ...string) error {
	before = append([]string{"-max_pixels", strconv.Itoa(picture.DefaultLimits.MaxPixels), "-fflags", "+genpts"}, before...)
	return f.tool.Write(f.ctx, ffmpeg.Job{Path: f.Path, Demuxer: f.demuxer, Before: before, After: slices.Concat(options, []string{"-map_metadata", "0"}, exact)}, f.to, f.how.Most)
}

// clip writes an MP4. Picture and sound stay as they are where an MP4 can hold them.
func (f *film) clip() (Made, error) {
	made := Made{Extension: ".mp4", Format: "MP4"}
	options := []string{"-map", "0:V:0", "-map", "0:a:0?", "-sn", "-dn"}
	pictureAnew, soundAnew := !slices.Contains(pictureFits, f.facts.Video.Codec), f.facts.Sound != nil && !slices.Contains(soundFits, f.facts.Sound.Codec)
	if pictureAnew {
		options = append(options, "-c:v", "libx264", "-preset", "fast", "-crf", "16", "-pix_fmt", "yuv420p", "-vf", "scale=trunc(iw/2)*2:trunc(ih/2)*2")
	} else {
		options = append(options, "-c:v", "copy")
		if f.facts.Video.Codec == "hevc" {
			options = append(options, "-tag:v", "hvc1")
		}
	}
	switch {
	case soundAnew:
		options = append(options, "-c:a", "aac", "-b:a", "192k")
	case f.facts.Sound != nil:
		options = append(options, "-c:a", "copy")
	}
	switch {
	case pictureAnew && soundAnew:
		made.Note = i18n.M("Its picture and sound had to be encoded again.")
	case pictureAnew:
		made.Note = i18n.M("Its picture had to be encoded again.")
	case soundAnew:
		made.Note = i18n.M("Its sound had to be encoded again.")
	}
	before, err := f.cut(&made, pictureAnew)
	if err != nil {
		return Made{}, f.problem(err)
	}
	if err := f.write(before, append(options, "-movflags", "+faststart", "-avoid_negative_ts", "make_zero", "-f", "mp4")...); err != nil {
		return Made{}, f.problem(err)
	}
	return made, f.measure(&made)
}

// cut are the options for the part that is wanted, and sets where it begins: at a key frame, unless the picture is encoded anew.
func (f *film) cut(made *Made, anew bool) (before []string, err error) {
	if !f.how.Part() {
		return nil, nil
	}
	made.From, made.To = f.how.From, f.how.To
	if long := cmp.Or(f.facts.Video.Duration, f.facts.Duration); long > 0 && (made.From >= long || made.To > long+slack) {
		return nil, &Problem{Text: i18n.M("This clip ends at %s. Choose a part before that.", i18n.ElapsedShort(long.Seconds()))}
	}
	if !anew {
		if made.From, err = f.tool.KeyFrameBefore(f.ctx, f.Path, f.demuxer, f.how.From); err != nil {
			return nil, err
		}
	}
	seconds := func(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 6, 64) }
	if made.From > 0 {
		before = append(before, "-ss", seconds(made.From))
	}
	return append(before, "-t", seconds(made.To-made.From)), nil
}

// slack is by how much a part may be beyond the end of a clip: its picture and its sound seldom end together.
const slack = time.Second

// measure reads how long the part became: the last frames and sounds are whole ones.
func (f *film) measure(made *Made) error {
	if !f.how.Part() {
		return nil
	}
	facts, err := f.tool.Probe(f.ctx, f.to, "mov")
	if err != nil {
		return f.problem(err)
	}
	if facts.Duration <= 0 {
		return unreadable(errors.New("there is nothing in this part"))
	}
	made.To = made.From + facts.Duration
	return nil
}

// sound writes sound alone: as it is where the service takes a format that can hold it, else as FLAC, which loses nothing, or where that is too large as AAC.
func (f *film) sound() (Made, error) {
	options := []string{"-map", "0:a:0", "-vn", "-sn", "-dn"}
	if goes, fits := soundGoes[f.facts.Sound.Codec]; fits {
		err := f.write(nil, append(options, "-c:a", "copy", "-f", goes.format)...)
		return Made{Extension: goes.extension, Format: formatOf(goes.extension)}, f.orNone(err)
	}
	err := f.write(nil, append(options, "-c:a", "flac", "-f", "flac")...)
	if !errors.Is(err, ffmpeg.ErrTooLarge) {
		if info, failed := os.Stat(f.to); err != nil || failed != nil || info.Size() <= f.how.Most {
			return Made{Extension: ".flac", Format: "FLAC"}, f.orNone(err)
		}
	}
	err = f.write(nil, append(options, "-c:a", "aac", "-b:a", "160k", "-f", "ipod")...)
	return Made{Extension: ".m4a", Format: "M4A", Note: i18n.M("Its sound had to be encoded again.")}, f.orNone(err)
}

func (f *film) orNone(err error) error {
	if err == nil {
		return nil
	}
	return f.problem(err)
}

// formatOf is the format of an extension, for the person.
func formatOf(extension string) string {
	return map[string]string{".m4a": "M4A", ".mp3": "MP3", ".ogg": "Ogg", ".flac": "FLAC"}[extension]
}

// PartOf returns the moment, counted from a clip's beginning, at which a part that is to begin at from really begins, if it is cut without loss: at the key
// frame before. Its errors are a *Problem and ctx's.
func PartOf(ctx context.Context, file *os.File, path string, size int64, from time.Duration) (time.Duration, error) {
	format := container.NewSource(ctx, file, size).Format()
	if !slices.Contains(readable, format) {
		return 0, unreadable(errors.New("no clip of a known format"))
	}
	tool, err := ffmpeg.Find()
	if err == nil {
		var at time.Duration
		if at, err = tool.KeyFrameBefore(ctx, path, ffmpeg.Demuxer(format), from); err == nil {
			return at, nil
		}
	}
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	if ffmpeg.IsMissing(err) {
		return 0, &Problem{Text: needsFFmpeg(), Cause: err}
	}
	return 0, unreadable(err)
}
