package sandbox

import (
	"fmt"
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"
)

// maxName is the longest file name, in characters.
const maxName = 200

// uploadAnswer is the answer with an upload address, as deployments give it.
type uploadAnswer struct {
	Code      string         `json:"code"`
	Errno     int            `json:"errno"`
	Response  uploadResponse `json:"response"`
	MediaID   string         `json:"mediaId"`
	RequestID string         `json:"requestId"`
}

type uploadResponse struct {
	SignedURL string `json:"signedUrl"`
}

// requestUpload gives an upload address for a file name (interface, operation 1). Deployments differ in the word
// before "-presigned", so any will do.
func (s *Sandbox) requestUpload(w http.ResponseWriter, r *http.Request) {
	if !strings.HasSuffix(r.PathValue("operation"), "-presigned") {
		s.unknown(w, r)
		return
	}
	var asked struct {
		FileName string `json:"fileName"`
	}
	if !s.read(w, r, &asked, "a fileName") {
		return
	}
	extension, err := checkName(asked.FileName)
	if err != nil {
		s.fail(w, http.StatusBadRequest, "invalid-file-name", err.Error())
		return
	}
	entered := record{
		RequestID: uuid.NewString(), MediaID: uuid.NewString(), UserID: caller(r).id,
		FileName: underscored(asked.FileName), OriginalFileName: asked.FileName,
		Extension: extension, MediaType: kinds[extension].media,
		Asked: s.now().UTC(),
	}
	if _, err := s.enter(entered); err != nil {
		s.log.Error("a record can't be saved", "requestId", entered.RequestID, "error", err)
		s.fail(w, http.StatusInternalServerError, "internal-error", "The sandbox could not save the submission.")
		return
	}
	s.answer(w, http.StatusOK, uploadAnswer{
		Code:      "ok",
		Response:  uploadResponse{SignedURL: s.links.link(r, http.MethodPut, storagePrefix+entered.objectKey())},
		MediaID:   entered.MediaID,
		RequestID: entered.RequestID,
	})
}

// checkName returns the name's extension in lower case, or an error in a sentence.
func checkName(name string) (extension string, err error) {
	if strings.TrimSpace(name) == "" {
		return "", sentence("The fileName is missing.")
	}
	if n := utf8.RuneCountInString(name); n > maxName {
		return "", sentence(fmt.Sprintf("The file name has %d characters; at most %d are allowed.", n, maxName))
	}
	extension = strings.ToLower(path.Ext(name))
	if _, known := kinds[extension]; !known {
		supported := slices.Sorted(maps.Keys(kinds))
		return "", sentence("This file type is not supported. Supported are " + strings.Join(supported, ", ") + ".")
	}
	return extension, nil
}

// underscored replaces every character but letters and digits of ASCII, dot, hyphen and underscore. The interface
// does not list the special characters; this is the narrowest reading.
func underscored(name string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '.', c == '-', c == '_':
			return c
		}
		return '_'
	}, name)
}
