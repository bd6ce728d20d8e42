package strip

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"assay/client/assert"
	"assay/client/media/facts"
	"assay/client/media/mediatest"
)

// exiftool is another reader and writer of metadata, in one process for a whole test: it takes half a second to start.
type exiftool struct {
	t        testing.TB
	in       io.Writer
	out      *bufio.Reader
	run      int
	writable map[string][]string // by groups, the fields that it can write there
}

// newExiftool starts it.
func newExiftool(t testing.TB) *exiftool {
	t.Helper()
	command := exec.CommandContext(t.Context(), mediatest.Program(t, "exiftool"), "-config", "", "-stay_open", "True", "-@", "-") // #nosec G204 -- a test's own arguments
	in, err := command.StdinPipe()
	assert.NoError(t, err)
	out, err := command.StdoutPipe()
	assert.NoError(t, err)
	assert.NoError(t, command.Start())
	t.Cleanup(func() {
		_, _ = io.WriteString(in, "-stay_open\nFalse\n")
		_ = in.Close()
		_ = command.Wait() // it may have been ended with the test
	})
	return &exiftool{t: t, in: in, out: bufio.NewReader(out), writable: map[string][]string{}}
}

// do runs one command, and gives what it prints.
func (e *exiftool) do(arguments ...string) string {
	e.t.Helper()
	e.run++
	if _, err := fmt.Fprintf(e.in, "%s\n-execute%d\n", strings.Join(arguments, "\n"), e.run); err != nil {
		e.t.Fatal(err)
	}
	ready := fmt.Sprintf("{ready%d}", e.run)
	var said strings.Builder
	for {
		line, err := e.out.ReadString('\n')
		if strings.TrimSpace(line) == ready {
			return said.String()
		}
		if said.WriteString(line); err != nil {
			e.t.Fatalf("exiftool %v: %v\n%s", arguments, err, &said)
		}
	}
}

// marker is what each field is given; no two fields are given the same.
var marker = regexp.MustCompile(`Mk\d{4}q`)

// fields are what exiftool shows of files: by their paths, the fields with a marker by that marker.
func (e *exiftool) fields(paths ...string) map[string]map[string]string {
	e.t.Helper()
	var all []map[string]any
	if said := e.do(append([]string{"-j", "-a", "-u", "-G1", "-m", "-q"}, paths...)...); said != "" {
		if err := json.Unmarshal([]byte(said), &all); err != nil {
			e.t.Fatalf("%v: %s", err, said)
		}
	}
	byPath := map[string]map[string]string{}
	for _, one := range all {
		found := map[string]string{}
		for field, value := range one {
			for _, m := range marker.FindAllString(fmt.Sprint(value), -1) {
				found[m] = field
			}
		}
		byPath[fmt.Sprint(one["SourceFile"])] = found
	}
	return byPath
}

// unwritable are fields that lead elsewhere, or that would make another file of a file.
var unwritable = regexp.MustCompile(`Offset|Strip|Tile|IFD|Thumbnail|Preview|JpgFrom|ICC_Profile|ApplicationNotes|^XMP$|ByteCount|Padding|IDCStamp|ExifToolVersion|Orientation|CoverArt|GPSSatellites|IPTC-NAA|PhotoshopSettings`)

// write gives every field of a group that takes a text a marker of its own.
func (e *exiftool) write(path, group string) {
	e.t.Helper()
	if e.writable[group] == nil {
		e.writable[group] = strings.Fields(e.do("-listw", "-"+group+":all"))
	}
	arguments := []string{"-overwrite_original", "-m", "-q", "-q"}
	for i, name := range e.writable[group] {
		if strings.HasSuffix(name, ":") || name == "Available" || name == "writable" || name == "tags" || name == group || unwritable.MatchString(name) {
			continue
		}
		arguments = append(arguments, fmt.Sprintf("-%s:%s=Mk%04dq", group, name, i))
	}
	e.do(append(arguments, path)...)
}

// assayed are the markers that Assay shows of a file, and those of them that it takes for identifying.
func assayed(t testing.TB, data []byte) (shown, identifying map[string]bool, incomplete bool) {
	f := read(t, data)
	shown, identifying = map[string]bool{}, map[string]bool{}
	note := func(in map[string]bool, text string) {
		for _, m := range marker.FindAllString(text, -1) {
			in[m] = true
		}
	}
	for _, field := range slices.Concat(f.EXIF, f.Embedded) {
		note(shown, field.Value)
	}
	for _, one := range facts.Identifying(f) {
		note(identifying, one.Value)
	}
	return shown, identifying, f.Incomplete
}

// tellsOf are the names of fields that tell of a person, a place or a time, or describe what a file shows.
var tellsOf = regexp.MustCompile(`(?i)artist|author|creator\b|owner|serial|copyright|rights\b|gps|by-?line|contact|person|city|country|email|phone|comment|description$|title$|caption|headline|keywords|credit`)

// ofFFmpeg are recordings and clips whose tags ffmpeg has given markers.
func ofFFmpeg(t *testing.T, folder string) map[string]string {
	sound, picture := []string{"-f", "lavfi", "-i", "sine=d=0.2:r=8000"}, []string{"-f", "lavfi", "-i", "testsrc2=s=48x32:r=5:d=0.4"}
	files := map[string]string{}
	for name, arguments := range map[string][]string{
		"a.mp3": slices.Concat(sound, []string{"-write_id3v1", "1", "-write_apetag", "1"}), "b.mp3": slices.Concat(sound, []string{"-id3v2_version", "3"}), "a.flac": sound, "a.ogg": slices.Concat(sound, []string{"-c:a", "libvorbis"}),
		"a.opus": slices.Concat(sound, []string{"-c:a", "libopus"}), "a.wav": slices.Concat(sound, []string{"-write_bext", "1"}), "a.aac": slices.Concat(sound, []string{"-f", "adts", "-write_id3v2", "1"}),
		"a.m4a": sound, "a.mp4": slices.Concat(picture, sound, []string{"-c:v", "mpeg4", "-c:a", "aac"}),
		"a.mov": slices.Concat(picture, []string{"-c:v", "mpeg4", "-movflags", "use_metadata_tags"}),
	} {
		path := filepath.Join(folder, name)
		for i, tag := range []string{"title", "artist", "album_artist", "composer", "comment", "copyright", "description", "encoded_by", "publisher", "performer", "location", "contact", "lyrics", "originator", "umid", "mood"} {
			arguments = append(arguments, "-metadata", fmt.Sprintf("%s=Mk%04dq", tag, i))
		}
		mediatest.FFmpeg(t, append(arguments, "-metadata:s:a", "handler_name=Mk0100q", "-metadata:s:v", "handler_name=Mk0101q", "-y", "file:"+path)...)
		files[name] = path
	}
	return files
}

// tagged are files of every format that hold every field with a text that exiftool and ffmpeg can write there.
func tagged(t *testing.T, e *exiftool) []string {
	folder := t.TempDir()
	var paths []string
	save := func(name string, data []byte) string {
		path := filepath.Join(folder, name)
		assert.NoError(t, os.WriteFile(path, data, 0o600))
		paths = append(paths, path)
		return path
	}
	pictures := map[string][]byte{
		"jpg": plainJPEG(t), "png": plainPNG(t), "gif": mediatest.GIF(t, mediatest.Drawing()), "webp": riff("WEBP", mediatest.OnePixelWebP),
	}
	groups := []string{
		"EXIF", "GPS", "IPTC", "Photoshop", "XMP-dc", "XMP-xmp", "XMP-xmpRights", "XMP-xmpMM", "XMP-photoshop", "XMP-iptcCore", "XMP-iptcExt", "XMP-aux", "XMP-exif", "XMP-exifEX", "XMP-tiff", "XMP-plus", "XMP-mwg-rs",
		"XMP-MP", "XMP-cc", "XMP-lr", "XMP-digiKam", "XMP-pdf", "XMP-acdsee", "XMP-microsoft", "XMP-prism", "XMP-GPano",
	}
	for extension, data := range pictures {
		of := groups
		if extension != "jpg" {
			of = []string{"EXIF", "GPS", "IPTC", "XMP-dc", "XMP-iptcExt"}
		}
		for _, group := range of {
			e.write(save(group+"."+extension, data), group)
		}
	}
	e.write(save("PNG.png", pictures["png"]), "PNG")
	e.do("-overwrite_original", "-m", "-q", "-q", "-Comment=Mk0001q", save("comment.gif", pictures["gif"]))
	e.do("-overwrite_original", "-m", "-q", "-q", "-Comment=Mk0001q", save("comment.jpg", pictures["jpg"]))
	// Other writers begin texts with zeros, or put them inside; exiftool shows what stands behind.
	save("zeros.png", insert(pictures["png"], 33, pngPart("tEXt", "Author\x00\x00Mk0001q, Berlin"), pngPart("tEXt", "Comment\x00A.\x00Mk0002q")))
	save("zeros.jpg", insert(pictures["jpg"], 2, segment(0xfe, "\x00Mk0001q")))
	for name, path := range ofFFmpeg(t, folder) {
		paths = append(paths, path)
		if extension := filepath.Ext(name); extension == ".mp4" || extension == ".mov" || extension == ".m4a" {
			data := mediatest.Read(t, path)
			for _, group := range []string{"ItemList", "Keys", "UserData", "XMP-dc"} {
				e.write(save(group+extension, data), group)
			}
		}
	}
	return paths
}

// TestWhatExiftoolFinds has another program write everything that it can, and read it.
func TestWhatExiftoolFinds(t *testing.T) {
	if testing.Short() {
		t.Skip("starts ffmpeg many times")
	}
	e := newExiftool(t)
	paths := tagged(t, e)
	t.Run("Assay shows and takes out", func(t *testing.T) { inWholeFiles(t, e, paths) })
	t.Run("in damaged files is shown, or the file is said to hold more, and no copy says it", func(t *testing.T) { inDamagedFiles(t, e, paths) })
}

func inWholeFiles(t *testing.T, e *exiftool, paths []string) {
	found := e.fields(paths...)
	folder := t.TempDir()
	copied := map[string]string{}
	for i, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			data := mediatest.Read(t, path)
			shown, identifying, incomplete := assayed(t, data)
			if incomplete {
				t.Errorf("%s could not be read fully: %q", saveEvidence(t, path, data), read(t, data).Notes)
			}
			for m, field := range found[path] {
				_, name, _ := strings.Cut(field, ":")
				if !shown[m] {
					t.Errorf("%s is not shown", field)
				} else if tellsOf.MatchString(name) && !identifying[m] {
					t.Errorf("%s does not identify", field)
				}
			}
			made, _, err := copyOf(t, data, read(t, data).Format)
			if err != nil {
				t.Fatalf("no copy: %v", err)
			}
			if m := marker.Find(made); m != nil {
				t.Errorf("the copy holds %s (%s)", m, found[path][string(m)])
			}
			to := filepath.Join(folder, fmt.Sprint(i)+filepath.Ext(path))
			assert.NoError(t, os.WriteFile(to, made, 0o600))
			copied[path] = to
		})
	}
	for path, left := range e.fields(slicesOf(copied)...) {
		if len(left) > 0 {
			t.Errorf("the copy %s says %v", path, left)
		}
	}
}

func slicesOf(m map[string]string) (values []string) {
	for _, v := range m {
		values = append(values, v)
	}
	return values
}

// damage changes a file as bad disks, broken programs and people do: some bytes, some bits, a length by one, a part left out or there twice,
// the end cut off.
func damage(r *rand.Rand, data []byte) []byte {
	broken := bytes.Clone(data)
	for range 1 + r.IntN(2) {
		at, length := r.IntN(len(broken)), 1+r.IntN(40)
		if r.IntN(2) == 0 {
			at = r.IntN(min(len(broken), 600)) // most of what is said stands at the beginning
		}
		end := min(len(broken), at+length)
		switch r.IntN(6) {
		case 0:
			broken[at] = byte(r.Uint32())
		case 1:
			broken[at] ^= 1 << r.IntN(8)
		case 2:
			broken[at]++
		case 3:
			broken[at]--
		case 4:
			broken = slices.Concat(broken[:end], broken[at:])
		case 5:
			broken = slices.Delete(broken, at, end)
		}
		if r.IntN(8) == 0 {
			broken = broken[:1+r.IntN(len(broken))]
		}
		if len(broken) == 0 {
			return data
		}
	}
	return broken
}

func inDamagedFiles(t *testing.T, e *exiftool, paths []string) {
	folder := t.TempDir()
	r := rand.New(rand.NewPCG(3, 4)) //nolint:gosec // the same each time
	broken := map[string][]byte{}
	copies := map[string]string{}
	const variants = 4
	for i, path := range paths {
		data := mediatest.Read(t, path)
		for n := range variants {
			to := filepath.Join(folder, fmt.Sprintf("%d-%d-%s", i, n, filepath.Base(path)))
			broken[to] = damage(r, data)
			assert.NoError(t, os.WriteFile(to, broken[to], 0o600))
			made, _, err := copyOf(t, broken[to], read(t, broken[to]).Format)
			if err != nil {
				continue
			}
			if m := marker.Find(made); m != nil {
				t.Errorf("%s: the copy holds %s", saveEvidence(t, to, broken[to]), m)
			}
			copies[to] = filepath.Join(folder, "copy-"+filepath.Base(to))
			assert.NoError(t, os.WriteFile(copies[to], made, 0o600))
		}
	}
	names := make([]string, 0, len(broken))
	for path := range broken {
		names = append(names, path)
	}
	for path, found := range e.fields(names...) {
		shown, _, incomplete := assayed(t, broken[path])
		for m, field := range found {
			if !incomplete && !shown[m] {
				t.Errorf("%s: %s is not shown", saveEvidence(t, path, broken[path]), field)
			}
		}
	}
	for path, left := range e.fields(slicesOf(copies)...) {
		if len(left) > 0 {
			t.Errorf("the copy %s says %v", path, left)
		}
	}
}

// saveEvidence puts a file that shows a fault where it can be looked at after the test, if ASSAY_KEEP names a folder.
func saveEvidence(t *testing.T, path string, data []byte) string {
	if folder := os.Getenv("ASSAY_KEEP"); folder != "" {
		assert.NoError(t, os.WriteFile(filepath.Join(folder, filepath.Base(path)), data, 0o600))
	}
	return filepath.Base(path)
}
