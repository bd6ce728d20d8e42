package convert_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"

	"assay/client"
	"assay/client/assert"
	"assay/client/ffmpeg"
	"assay/client/media/convert"
	"assay/client/media/facts"
	"assay/client/media/mediatest"
)

// copied makes the copy of a file.
func copied(t *testing.T, path string, kind client.MediaType, how convert.How) (convert.Made, string, error) {
	t.Helper()
	if how.Most == 0 {
		how.Most = 50 << 20
	}
	f, err := os.Open(path)
	assert.NoError(t, err)
	defer f.Close() //nolint:errcheck // only read from
	info, err := f.Stat()
	assert.NoError(t, err)
	to, err := os.Create(filepath.Join(t.TempDir(), "copy.part"))
	assert.NoError(t, err)
	defer to.Close() //nolint:errcheck // read again by its path
	made, err := convert.Copy(t.Context(), convert.Source{File: f, Path: path, Size: info.Size(), Type: kind}, to, how)
	return made, to.Name(), err
}

func written(t *testing.T, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	assert.NoError(t, os.WriteFile(path, data, 0o600))
	return path
}

// problem checks that there is no copy, and why.
func problem(t *testing.T, err error, says string) {
	t.Helper()
	var p *convert.Problem
	if !errors.As(err, &p) || !strings.Contains(p.Sentence(), says) {
		t.Errorf("error %v, want a sentence with %q", err, says)
	}
}

func factsOf(t *testing.T, path string) facts.Facts {
	t.Helper()
	f, err := os.Open(path)
	assert.NoError(t, err)
	defer f.Close() //nolint:errcheck // only read from
	found, err := facts.ReadFile(t.Context(), f, path)
	assert.NoError(t, err)
	return found
}

func near(t *testing.T, img image.Image, x, y int, want color.RGBA) {
	t.Helper()
	r, g, b, _ := img.At(x, y).RGBA()
	for i, got := range []uint32{r >> 8, g >> 8, b >> 8} {
		if diff := int(got) - int([]uint8{want.R, want.G, want.B}[i]); diff < -12 || diff > 12 {
			t.Errorf("at %d, %d: %d %d %d, want %v", x, y, r>>8, g>>8, b>>8, want)
			return
		}
	}
}

func decoded(t *testing.T, path string) image.Image {
	t.Helper()
	data, err := os.ReadFile(path)
	assert.NoError(t, err)
	img, err := jpeg.Decode(bytes.NewReader(data))
	assert.NoError(t, err)
	return img
}

var (
	red  = color.RGBA{220, 20, 20, 255}
	blue = color.RGBA{20, 20, 220, 255}
)

// halves is a picture whose left half is red and whose right half is blue.
func halves() *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, 64, 48))
	for y := range 48 {
		for x := range 64 {
			img.SetRGBA(x, y, map[bool]color.RGBA{true: red, false: blue}[x < 32])
		}
	}
	return img
}

func TestPictures(t *testing.T) {
	t.Run("a phone's HEIC keeps its colours, stands upright, and says what it said", func(t *testing.T) {
		made, path, err := copied(t, filepath.Join("testdata", "phone.heic"), client.Image, convert.How{})
		assert.NoError(t, err)
		assert.True(t, made.Extension == ".jpg" && made.Format == "JPEG" && made.Note.IsZero(), "%+v", made)
		img := decoded(t, path)
		assert.Equal(t, image.Pt(64, 48), img.Bounds().Size())
		near(t, img, 10, 24, red)
		near(t, img, 54, 24, blue)
		found := factsOf(t, path)
		assert.True(t, found.Orientation <= 1, "orientation %d", found.Orientation)
		said := map[string]string{}
		for _, field := range found.EXIF {
			said[field.Key] = field.Value
		}
		assert.True(t, said["Make"] == "Assay" && said["Artist"] == "Jane", "%v", said)
	})
	t.Run("and is the same each time", func(t *testing.T) {
		_, one, err := copied(t, filepath.Join("testdata", "phone.heic"), client.Image, convert.How{})
		assert.NoError(t, err)
		_, other, err := copied(t, filepath.Join("testdata", "phone.heic"), client.Image, convert.How{})
		assert.NoError(t, err)
		a, _ := os.ReadFile(one)
		b, _ := os.ReadFile(other)
		assert.True(t, bytes.Equal(a, b), "it differs")
	})
	t.Run("of a HEIC with a sequence, such as a burst, the main picture, which is said", func(t *testing.T) {
		data, err := os.ReadFile(filepath.Join("testdata", "phone.heic"))
		assert.NoError(t, err)
		header := append([]byte{0, 0, 0, 108, 'm', 'v', 'h', 'd'}, make([]byte, 100)...)
		data = append(append(data, 0, 0, 0, 116, 'm', 'o', 'o', 'v'), header...)
		made, path, err := copied(t, written(t, "a.heics", data), client.Image, convert.How{})
		assert.NoError(t, err)
		assert.Equal(t, "The file also has a sequence of pictures. The copy has only the main picture.", made.Note.String())
		near(t, decoded(t, path), 10, 24, red)
	})
	t.Run("a TIFF and a BMP", func(t *testing.T) {
		var asTIFF, asBMP bytes.Buffer
		assert.NoError(t, tiff.Encode(&asTIFF, halves(), nil))
		assert.NoError(t, bmp.Encode(&asBMP, halves()))
		for name, data := range map[string][]byte{"a.tiff": asTIFF.Bytes(), "a.bmp": asBMP.Bytes()} {
			_, path, err := copied(t, written(t, name, data), client.Image, convert.How{})
			assert.NoError(t, err)
			near(t, decoded(t, path), 10, 10, red)
			near(t, decoded(t, path), 54, 10, blue)
		}
	})
	t.Run("of a TIFF with two pages the first, which is said", func(t *testing.T) {
		var one bytes.Buffer
		assert.NoError(t, tiff.Encode(&one, halves(), nil))
		data := one.Bytes()
		at := binary.LittleEndian.Uint32(data[4:])
		next := at + 2 + 12*uint32(binary.LittleEndian.Uint16(data[at:]))
		end := uint32(len(data))
		data = append(data, data[at:next+4]...)
		binary.LittleEndian.PutUint32(data[next:], end)
		made, _, err := copied(t, written(t, "a.tif", data), client.Image, convert.How{})
		assert.NoError(t, err)
		assert.Equal(t, "The file has 2 pages. The copy has only the first.", made.Note.String())
	})
	t.Run("an AVIF, by ffmpeg", func(t *testing.T) {
		made, path, err := copied(t, filepath.Join("testdata", "picture.avif"), client.Image, convert.How{})
		if ffmpeg.IsMissing(err) {
			problem(t, err, "Install ffmpeg")
			return
		}
		assert.NoError(t, err)
		assert.Equal(t, "JPEG", made.Format)
		near(t, decoded(t, path), 10, 10, red)
	})
}

func TestBadPictures(t *testing.T) {
	whole, err := os.ReadFile(filepath.Join("testdata", "phone.heic"))
	assert.NoError(t, err)
	var asTIFF, asBMP bytes.Buffer
	assert.NoError(t, tiff.Encode(&asTIFF, halves(), nil))
	assert.NoError(t, bmp.Encode(&asBMP, halves()))
	t.Run("a HEIC that is cut short, at any place", func(t *testing.T) {
		for at := 16; at < len(whole); at += len(whole) / 40 {
			if _, _, err := copied(t, written(t, "a.heic", whole[:at]), client.Image, convert.How{}); err != nil {
				problem(t, err, "damaged")
			}
		}
	})
	t.Run("a TIFF that claims 60,000 × 60,000 pixels", func(t *testing.T) {
		data := bytes.Clone(asTIFF.Bytes())
		at := binary.LittleEndian.Uint32(data[4:])
		for i := range uint32(binary.LittleEndian.Uint16(data[at:])) {
			entry := data[at+2+12*i:]
			if tag := binary.LittleEndian.Uint16(entry); tag == 256 || tag == 257 {
				binary.LittleEndian.PutUint16(entry[2:], 4)
				binary.LittleEndian.PutUint32(entry[8:], 60_000)
			}
		}
		_, _, err := copied(t, written(t, "a.tif", data), client.Image, convert.How{})
		problem(t, err, "60,000 × 60,000 pixels")
	})
	t.Run("a BMP whose header lies", func(t *testing.T) {
		data := bytes.Clone(asBMP.Bytes())
		binary.LittleEndian.PutUint32(data[18:], 10_000)
		binary.LittleEndian.PutUint32(data[22:], 10_000)
		_, _, err := copied(t, written(t, "a.bmp", data), client.Image, convert.How{})
		problem(t, err, "damaged")
	})
	t.Run("what is no picture", func(t *testing.T) {
		_, _, err := copied(t, written(t, "a.heic", []byte("Dear editor,")), client.Image, convert.How{})
		problem(t, err, "damaged")
	})
	t.Run("an ended context is no fault of the picture", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		f, err := os.Open(filepath.Join("testdata", "phone.heic"))
		assert.NoError(t, err)
		defer f.Close() //nolint:errcheck // only read from
		to, err := os.Create(filepath.Join(t.TempDir(), "copy"))
		assert.NoError(t, err)
		defer to.Close() //nolint:errcheck // nothing in it counts
		if _, err := convert.Copy(ctx, convert.Source{File: f, Size: int64(len(whole)), Type: client.Image}, to, convert.How{Most: 1 << 20}); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("a copy over the limit", func(t *testing.T) {
		_, _, err := copied(t, written(t, "a.bmp", asBMP.Bytes()), client.Image, convert.How{Most: 100})
		problem(t, err, "over 100 bytes")
	})
}

func TestClipsAndRecordings(t *testing.T) {
	video := []string{"-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=4", "-f", "lavfi", "-i", "sine=r=22050:d=4", "-pix_fmt", "yuv420p"}
	tool, err := ffmpeg.Find()
	t.Run("what an MP4 can hold stays as it is", func(t *testing.T) {
		path := mediatest.Made(t, "a.mkv", append(video, "-c:v", "libx264", "-g", "25", "-c:a", "aac")...)
		assert.NoError(t, err)
		made, at, err := copied(t, path, client.Video, convert.How{})
		assert.NoError(t, err)
		assert.True(t, made.Extension == ".mp4" && made.Note.IsZero() && made.To == 0, "%+v", made)
		found, err := tool.Probe(t.Context(), at, "mov")
		assert.NoError(t, err)
		assert.True(t, found.Video.Codec == "h264" && found.Sound.Codec == "aac", "%+v", found)
	})
	t.Run("the rest is encoded anew, which is said", func(t *testing.T) {
		path := mediatest.Made(t, "a.webm", append(video, "-c:v", "libvpx", "-c:a", "libopus")...)
		made, at, err := copied(t, path, client.Video, convert.How{})
		assert.NoError(t, err)
		assert.Equal(t, "Its picture and sound had to be encoded again.", made.Note.String())
		found, err := tool.Probe(t.Context(), at, "mov")
		assert.NoError(t, err)
		assert.True(t, found.Video.Codec == "h264" && found.Sound.Codec == "aac", "%+v", found)
	})
	t.Run("a part begins at a key frame, and says where it truly begins and ends", func(t *testing.T) {
		path := mediatest.Made(t, "a.mp4", append(video, "-c:v", "libx264", "-g", "25", "-sc_threshold", "0", "-c:a", "aac")...)
		made, at, err := copied(t, path, client.Video, convert.How{From: 1500 * time.Millisecond, To: 3 * time.Second})
		assert.NoError(t, err)
		if d := made.From - time.Second; d < -50*time.Millisecond || d > 50*time.Millisecond {
			t.Errorf("it begins at %v", made.From)
		}
		found, err := tool.Probe(t.Context(), at, "mov")
		assert.NoError(t, err)
		if made.To != made.From+found.Duration || found.Duration < 1900*time.Millisecond || found.Duration > 2500*time.Millisecond {
			t.Errorf("it ends at %v and takes %v", made.To, found.Duration)
		}
	})
	t.Run("a part beyond the end of a clip is none", func(t *testing.T) {
		path := mediatest.Made(t, "a.mp4", append(video, "-c:v", "libx264", "-c:a", "aac")...)
		for _, part := range []convert.How{{From: 5 * time.Second, To: 6 * time.Second}, {From: time.Second, To: time.Minute}} {
			_, _, err := copied(t, path, client.Video, part)
			problem(t, err, "This clip ends at 00:04.")
		}
	})
	t.Run("sound", func(t *testing.T) {
		for name, want := range map[string]string{"a.opus": ".ogg", "a.aiff": ".flac", "a.wma": ".flac", "a.mka": ".m4a"} {
			args := []string{"-f", "lavfi", "-i", "sine=r=48000:d=1"}
			if name == "a.mka" {
				args = append(args, "-c:a", "aac")
			}
			made, _, err := copied(t, mediatest.Made(t, name, args...), client.Audio, convert.How{})
			assert.NoError(t, err)
			assert.Equal(t, want, made.Extension)
		}
	})
	t.Run("what is over the limit is not written out", func(t *testing.T) {
		path := mediatest.Made(t, "b.mkv", append(video, "-c:v", "libx264", "-c:a", "aac")...)
		_, _, err := copied(t, path, client.Video, convert.How{Most: 1000})
		problem(t, err, "The copy would be over 1000 bytes")
	})
	t.Run("a damaged clip, and a playlist that names other files", func(t *testing.T) {
		data, err := os.ReadFile(mediatest.Made(t, "c.mkv", append(video, "-c:v", "libx264")...))
		assert.NoError(t, err)
		_, _, err = copied(t, written(t, "a.mkv", data[:200]), client.Video, convert.How{})
		problem(t, err, "damaged")
		_, _, err = copied(t, written(t, "a.mkv", []byte("#EXTM3U\n#EXTINF:1,\n/etc/passwd\n")), client.Video, convert.How{})
		problem(t, err, "damaged")
	})
}

// A hanging ffmpeg is told apart from one that fails, and the person can end it.
func TestHanging(t *testing.T) {
	var p *convert.Problem
	if err := convert.ProblemOf(&ffmpeg.Failed{Program: "ffmpeg", TooLong: time.Second, Cause: context.DeadlineExceeded}); !errors.As(err, &p) || !strings.Contains(p.Sentence(), "took too long") {
		t.Errorf("error %v", err)
	}
	if runtime.GOOS == "windows" {
		return // what follows is a script
	}
	video := mediatest.Made(t, "hang.mkv", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=1", "-c:v", "libx264")
	tool, err := ffmpeg.Find()
	assert.NoError(t, err)
	folder := t.TempDir()
	begun := filepath.Join(folder, "begun")
	assert.NoError(t, os.WriteFile(filepath.Join(folder, "ffmpeg"), []byte("#!/bin/sh\n: > "+begun+"\nexec sleep 600\n"), 0o700)) //nolint:gosec // a program
	assert.NoError(t, os.Symlink(tool.Prober, filepath.Join(folder, "ffprobe")))
	t.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH"))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(begun); err == nil {
				cancel()
			}
			<-time.After(10 * time.Millisecond)
		}
	}()
	f, err := os.Open(video)
	assert.NoError(t, err)
	defer f.Close() //nolint:errcheck // only read from
	info, err := f.Stat()
	assert.NoError(t, err)
	to, err := os.Create(filepath.Join(t.TempDir(), "copy"))
	assert.NoError(t, err)
	defer to.Close() //nolint:errcheck // nothing in it counts
	if _, err := convert.Copy(ctx, convert.Source{File: f, Path: video, Size: info.Size(), Type: client.Video}, to, convert.How{Most: 1 << 20}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// FuzzStatements holds what reads a TIFF's directories to end, and never to fail.
func FuzzStatements(f *testing.F) {
	var one bytes.Buffer
	assert.NoError(f, tiff.Encode(&one, halves(), nil))
	f.Add(one.Bytes())
	phone, err := os.ReadFile(filepath.Join("testdata", "phone.heic"))
	assert.NoError(f, err)
	f.Add(phone)
	f.Fuzz(func(_ *testing.T, data []byte) { convert.Statements(data) })
}
