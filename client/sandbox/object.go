package sandbox

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path"
	"strings"

	"github.com/google/uuid"
)

// putObject receives the bytes of a file at its signed URL (interface, operation 2). An incomplete body is not accepted. The same bytes once more
// change nothing; other bytes replace the object and are analysed again.
func (s *Sandbox) putObject(w http.ResponseWriter, r *http.Request) {
	e, ok := s.signedObject(w, r)
	if !ok {
		return
	}
	limit := kinds[e.snapshot().record.Extension].cap
	switch {
	case r.ContentLength < 0:
		s.storageFail(w, http.StatusLengthRequired, "MissingContentLength", "You must provide the Content-Length HTTP header.")
		return
	case r.ContentLength > limit:
		s.storageFail(w, http.StatusRequestEntityTooLarge, "EntityTooLarge",
			fmt.Sprintf("The upload has %d bytes; at most %d are allowed.", r.ContentLength, limit))
		return
	}
	upload, err := s.receive(r.Body, r.ContentLength, nil)
	if err != nil {
		if errors.Is(err, errIncomplete) {
			s.storageFail(w, http.StatusBadRequest, "IncompleteBody", "The upload ended before all its bytes had arrived.")
			return
		}
		s.log.Error("an upload can't be written", "error", err)
		s.storageFail(w, http.StatusInternalServerError, "InternalError", "The sandbox could not keep the upload.")
		return
	}
	if err := s.accept(e, upload); err != nil {
		s.log.Error("an upload can't be committed", "error", err)
		s.storageFail(w, http.StatusInternalServerError, "InternalError", "The sandbox could not keep the upload.")
		return
	}
	w.Header().Set("ETag", `"`+upload.sha256+`"`)
	w.WriteHeader(http.StatusOK)
}

// signedObject is the submission that a signed link's path in storage belongs to; the signature covers the rest of the path. Where ok is
// false the request was denied.
func (s *Sandbox) signedObject(w http.ResponseWriter, r *http.Request) (e *entry, ok bool) {
	if err := s.links.check(r.Method, r.URL); err != nil {
		s.deny(w, err.Error())
		return nil, false
	}
	id, _, _ := strings.Cut(r.PathValue("object"), ".")
	if e, ok = s.find(id); !ok {
		s.deny(w, "Access Denied")
	}
	return e, ok
}

// received is an upload that is complete but belongs to no record yet.
type received struct {
	name   string // in the folder of incoming files
	size   int64
	sha256 string // hexadecimal
}

// uploadBuffer is how many bytes of an upload are in memory at a time.
const uploadBuffer = 256 << 10

// errIncomplete means that the client stopped sending before the end.
var errIncomplete = errors.New("the upload is incomplete")

// receive writes head, if any, and the rest of a body to a file, together exactly size bytes unless size is negative. It fails with errIncomplete if
// fewer arrive.
func (s *Sandbox) receive(body io.Reader, size int64, head []byte) (received, error) {
	name := uuid.NewString()
	file, err := s.folder.create(path.Join(incomingDir, name))
	if err != nil {
		return received{}, err
	}
	hash := sha256.New()
	source := &uploadReader{r: io.MultiReader(bytes.NewReader(head), body)}
	n, err := io.CopyBuffer(io.MultiWriter(file, hash), source, make([]byte, uploadBuffer))
	if source.failed || err == nil && size >= 0 && n != size {
		err = errors.Join(errIncomplete, err)
	}
	if err = errors.Join(err, file.Close()); err != nil {
		s.folder.discard(incomingDir, name)
		return received{}, err
	}
	return received{name: name, size: n, sha256: hex.EncodeToString(hash.Sum(nil))}, nil
}

// uploadReader remembers whether an error came from the client, and not from the disk.
type uploadReader struct {
	r      io.Reader
	failed bool
}

// Read reads what the client sends.
func (u *uploadReader) Read(p []byte) (int, error) {
	n, err := u.r.Read(p)
	u.failed = u.failed || err != nil && !errors.Is(err, io.EOF)
	return n, err
}

// accept makes an upload the object of a submission and has it analysed.
func (s *Sandbox) accept(e *entry, upload received) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	before := e.record
	if before.uploaded() && before.SHA256 == upload.sha256 {
		s.folder.discard(incomingDir, upload.name)
		return nil
	}
	return s.take(e, before, upload)
}

// take makes an upload the object of a submission, with after as its new record, and has it analysed. The caller holds the entry's lock.
func (s *Sandbox) take(e *entry, after record, upload received) error {
	before := e.record
	after.Uploaded = s.now().UTC()
	after.Object, after.Size, after.SHA256 = upload.name, upload.size, upload.sha256
	after.Outcome = nil
	if err := s.folder.root.Rename(path.Join(incomingDir, upload.name), path.Join(objectsDir, upload.name)); err != nil {
		s.folder.discard(incomingDir, upload.name)
		return err
	}
	if err := s.folder.save(after); err != nil {
		s.folder.discard(objectsDir, upload.name)
		return err
	}
	e.record, e.live = after, waitingModels(after.MediaType)
	s.folder.discard(objectsDir, before.Object)
	if before.Outcome != nil {
		s.folder.discard(artifactsDir, before.Outcome.Artifacts)
	}
	s.queue.add(job{entry: e, object: after.Object})
	return nil
}
