package bundle

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// isKept reports whether a file's content is needed, and not only its hash.
func isKept(name string) bool {
	switch name {
	case InfoFile, ManifestFile, TagManifestFile:
		return true
	}
	return strings.HasPrefix(name, SealFolder) || strings.HasPrefix(name, CustodyFolder) || strings.HasPrefix(name, DeskFolder) ||
		strings.HasPrefix(name, AnswersFolder) && strings.HasSuffix(name, ReceivedEnding)
}

// mostKept bounds what is kept of all files together, in bytes.
const mostKept = 512 << 20

// hash reads all files, several at a time.
func (v *verifier) hash(ctx context.Context, s *source) error {
	total := int64(0)
	for _, f := range s.files {
		total += f.size
	}
	v.Files, v.Bytes, v.sums, v.kept = len(s.files), total, make(map[string]hashText, len(s.files)), map[string][]byte{}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	h := hasher{ctx: ctx, total: total, progress: v.options.Progress}
	var all sync.WaitGroup
	var mu sync.Mutex
	next, keeping := atomic.Int64{}, int64(0)
	for range min(runtime.GOMAXPROCS(0), len(s.files)) {
		all.Go(func() {
			buffer := buffers.Get().(*[bufferSize]byte)
			defer buffers.Put(buffer)
			for {
				i := int(next.Add(1)) - 1
				if i >= len(s.files) || ctx.Err() != nil {
					return
				}
				f := s.files[i]
				var content *bytes.Buffer
				if isKept(f.name) && (f.size <= largestSmall || f.name == ManifestFile && f.size <= largestList) {
					mu.Lock()
					if keeping += f.size; keeping <= mostKept {
						content = new(bytes.Buffer)
					}
					mu.Unlock()
				}
				sum, err := h.hash(f, buffer[:], content)
				mu.Lock()
				switch {
				case errors.Is(err, errEntry):
					v.add(finding(FileChanged, f.name))
				case err != nil || isKept(f.name) && content == nil:
					v.add(finding(FileUnread, f.name))
				default:
					v.sums[f.name] = sum
					if content != nil {
						v.kept[f.name] = content.Bytes()
					}
				}
				mu.Unlock()
			}
		})
	}
	all.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	slices.SortStableFunc(v.Findings, func(a, b Finding) int { return a.Path.Compare(b.Path) })
	return nil
}

const bufferSize = 1 << 20

var buffers = sync.Pool{New: func() any { return new([bufferSize]byte) }}

// hasher reads files, and tells how far it is.
type hasher struct {
	ctx      context.Context //nolint:containedctx // of one call
	total    int64
	mu       sync.Mutex
	done     int64
	progress func(done, total int64)
}

// hash reads a file, into content, too, unless nil.
func (h *hasher) hash(f file, buffer []byte, content *bytes.Buffer) (hashText, error) {
	r, err := f.open()
	if err != nil {
		return "", err
	}
	defer r.Close() //nolint:errcheck // only read from
	sum, read := sha256.New(), int64(0)
	for {
		if err := h.ctx.Err(); err != nil {
			return "", err
		}
		n, err := r.Read(buffer)
		if read += int64(n); read > f.size { // it grows meanwhile
			return "", io.ErrShortWrite
		}
		sum.Write(buffer[:n])
		if content != nil {
			content.Write(buffer[:n])
		}
		h.tell(int64(n))
		if err == io.EOF { //nolint:errorlint // readers return it bare
			break
		}
		if err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

func (h *hasher) tell(n int64) {
	if h.progress == nil || n == 0 {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.done += n
	h.progress(h.done, h.total)
}

// checkFiles compares the files with the manifests: none is missing, none is there that is not listed, and each has its hash.
func (v *verifier) checkFiles(s *source) {
	listed := listing{}
	unlisted := map[bool]bool{} // whether it can't be told which files should be there, by whether they are of the payload
	for _, name := range []string{ManifestFile, TagManifestFile} {
		text, there := v.kept[name]
		if !there {
			unlisted[name == ManifestFile] = true
			if _, is := s.find(name); !is {
				v.add(finding(FileMissing, name))
			}
			continue
		}
		part, ok := parseManifest(text)
		for of := range part {
			ok = ok && strings.HasPrefix(of, PayloadFolder) == (name == ManifestFile) && !strings.HasPrefix(of, SealFolder) && of != TagManifestFile
		}
		if !ok {
			unlisted[name == ManifestFile] = true
			v.add(finding(ListChanged, name))
			continue
		}
		for of, sum := range part {
			listed[of] = sum
		}
	}
	v.compare(s, listed, unlisted)
	payload, files := int64(0), 0
	for _, f := range s.files {
		if strings.HasPrefix(f.name, PayloadFolder) {
			payload, files = payload+f.size, files+1
		}
	}
	if text, there := v.kept[InfoFile]; there && parseInfo(text)[InfoOxum] != oxum(payload, files) {
		v.add(finding(CountChanged, InfoFile))
	}
}

// compare finds which files are not those that are listed.
func (v *verifier) compare(s *source, listed listing, unlisted map[bool]bool) {
	var changed, added []string
	missing := map[hashText][]string{}
	seen := map[string]bool{}
	for _, f := range s.files {
		seen[f.name] = true
		sum, read := v.sums[f.name]
		want, known := listed[f.name]
		switch {
		case f.name == TagManifestFile || isSeal(f.name):
		case !known && unlisted[strings.HasPrefix(f.name, PayloadFolder)]:
		case !known:
			added = append(added, f.name)
		case read && sum != want:
			changed = append(changed, f.name)
		}
	}
	for _, f := range s.findings { // what could not be read is not missing
		seen[f.Path.Verbatim()] = true //nolint:forbidigo // it is compared
	}
	for name, sum := range listed {
		if !seen[name] {
			missing[sum] = append(missing[sum], name)
		}
	}
	for _, required := range []string{BagItFile, InfoFile, ManifestFile} {
		if _, is := listed[required]; !is && !seen[required] {
			v.add(finding(FileMissing, required))
		}
	}
	slices.Sort(changed)
	slices.Sort(added)
	for _, name := range changed {
		v.add(finding(FileChanged, name))
	}
	for _, name := range added {
		if were := missing[v.sums[name]]; len(were) > 0 {
			slices.Sort(were)
			missing[v.sums[name]] = were[1:]
			f := finding(FileRenamed, name)
			f.Was = finding(FileRenamed, were[0]).Path
			v.add(f)
			continue
		}
		v.add(finding(FileAdded, name))
	}
	var gone []string
	for _, names := range missing {
		gone = append(gone, names...)
	}
	slices.Sort(gone)
	for _, name := range gone {
		v.add(finding(FileMissing, name))
	}
}

// isSeal reports whether a file is one of those that are made after the tag manifest, and so are in none.
func isSeal(name string) bool {
	switch name {
	case SignatureFile, AllowedSignersFile, StampFile, SecondStampFile, ChainFile, SecondChainFile, StampTimesFile:
		return true
	}
	return false
}
