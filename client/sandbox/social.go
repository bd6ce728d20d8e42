package sandbox

import (
	"net/http"
	"net/url"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"assay/client"
	"assay/client/address"
)

// socialAnswer is the answer to a link, whose response is a text where an upload's is an object.
type socialAnswer struct {
	Code      string `json:"code"`
	Errno     int    `json:"errno"`
	Response  string `json:"response"`
	RequestID string `json:"requestId"`
}

// submitLink takes a link to be fetched and analysed (interface, operation 3). Any host is taken; what can't be fetched
// shows in the result, as at the service.
func (s *Sandbox) submitLink(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		SocialLink string `json:"socialLink"`
	}
	if !s.read(w, r, &asked, "a socialLink") {
		return
	}
	link := strings.TrimSpace(asked.SocialLink)
	u, err := address.Parse(link, "http", "https")
	if err != nil {
		s.fail(w, http.StatusBadRequest, "invalid-social-link", "The socialLink is not an absolute http or https address.")
		return
	}
	name, extension, media := guessed(u)
	e, err := s.enter(record{
		RequestID: uuid.NewString(), MediaID: uuid.NewString(), UserID: caller(r).id,
		FileName: underscored(name), OriginalFileName: name, Extension: extension, MediaType: media,
		Asked: s.now().UTC(), SocialLink: link,
	})
	if err != nil {
		s.log.Error("a record can't be saved", "error", err)
		s.fail(w, http.StatusInternalServerError, "internal-error", "The sandbox could not save the submission.")
		return
	}
	s.fetches.add(job{entry: e})
	s.answer(w, http.StatusOK, socialAnswer{
		Code: "ok", Response: "The link was submitted and is being fetched.", RequestID: e.snapshot().record.RequestID,
	})
}

// guessed is what a link shows of the media behind it before it is fetched. Where it shows no kind, it is taken for a
// video, which is what links of the supported platforms mostly lead to.
func guessed(u *url.URL) (name, extension string, media client.MediaType) {
	name = path.Base(u.Path)
	if name == "." || name == "/" {
		name = u.Hostname()
	}
	extension = strings.ToLower(path.Ext(name))
	k, known := kinds[extension]
	if !known {
		return shortened(name, maxName), "", client.Video
	}
	return shortened(name[:len(name)-len(extension)], maxName-len(extension)) + extension, extension, k.media
}

// shortened cuts a text to at most n characters.
func shortened(text string, n int) string {
	if utf8.RuneCountInString(text) <= n {
		return text
	}
	return string([]rune(text)[:n])
}
