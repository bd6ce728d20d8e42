package sandbox

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"strings"
	"time"
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

// Bounds of fetching a link.
const (
	fetchers     = 4
	fetchLimit   = 30 * time.Second
	maxRedirects = 5
)

// errElsewhere is said of every host but this computer.
const errElsewhere = sentence("The sandbox fetches links to this computer alone (127.0.0.1, ::1 or localhost), and asks the network nothing.")

// fetchLinks fetches links until their queue is closed.
func (s *Sandbox) fetchLinks(ctx context.Context) {
	for {
		j, ok := s.fetches.next()
		if !ok {
			return
		}
		s.fetchLink(ctx, j.entry)
		s.fetches.done()
	}
}

// fetchLink fetches one link and hands it on to the analysers, or commits that it failed. What is broken off by ctx stays
// under way in its record.
func (s *Sandbox) fetchLink(ctx context.Context, e *entry) {
	r := e.snapshot().record
	got, err := s.download(ctx, r.SocialLink)
	if ctx.Err() != nil {
		s.folder.discard(incomingDir, got.name)
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if err == nil {
		after := e.record
		after.setFetched(got.extension)
		if err = s.take(e, after, got.received); err == nil {
			return
		}
		s.log.Error("a fetched file can't be committed", "requestId", r.RequestID, "error", err)
	}
	words := sentence("The sandbox could not fetch this link.")
	if !errors.As(err, &words) {
		s.log.Info("a link could not be fetched", "requestId", r.RequestID, "error", err)
	}
	o := unable(r.MediaType, string(words)+" Please upload the file instead.")
	o.Models, o.Ended = []client.Model{}, s.now().UTC() // of which kind the media is was never known
	e.record.LinkFailed, e.record.Outcome = true, &o
	if err := s.folder.save(e.record); err != nil {
		s.log.Error("a failed link can't be saved; the next start tries it again", "requestId", r.RequestID, "error", err)
	}
}

// setFetched notes of which kind the media behind a link turned out to be.
func (r *record) setFetched(extension string) {
	if r.Extension != extension {
		r.OriginalFileName = shortened(r.OriginalFileName, maxName-len(extension)) + extension
		r.FileName = underscored(r.OriginalFileName)
	}
	r.Extension, r.MediaType = extension, kinds[extension].media
}

// downloaded is a fetched file that belongs to no record yet.
type downloaded struct {
	received
	extension string
}

// download fetches a link that points at this computer into the folder of incoming files. Its error is a sentence where
// there is more to say than that it failed.
func (s *Sandbox) download(ctx context.Context, link string) (downloaded, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, s.fetchLimit, sentence("The link took too long to fetch."))
	defer cancel()
	u, err := url.Parse(link)
	if err != nil {
		return downloaded{}, err
	}
	if !here(u.Hostname()) {
		return downloaded{}, errElsewhere
	}
	transport := &http.Transport{DialContext: dialHere, DisableCompression: true, DisableKeepAlives: true} // and no proxy
	fetcher := &http.Client{Transport: transport, CheckRedirect: redirectHere}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, link, nil)
	if err != nil {
		return downloaded{}, err
	}
	answer, err := fetcher.Do(request)
	if err != nil {
		return downloaded{}, inWords(ctx, err)
	}
	defer answer.Body.Close() //nolint:errcheck // it was only read
	if answer.StatusCode != http.StatusOK {
		return downloaded{}, sentence(fmt.Sprintf("The link answered with status %d.", answer.StatusCode))
	}
	got, err := s.keepAnswer(answer)
	return got, inWords(ctx, err)
}

// keepAnswer writes an answer's body to the folder of incoming files if it is media within its cap.
func (s *Sandbox) keepAnswer(answer *http.Response) (downloaded, error) {
	body := bufio.NewReaderSize(answer.Body, sniffLength)
	head, err := body.Peek(sniffLength)
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return downloaded{}, err
	case len(head) == 0:
		return downloaded{}, sentence("The link leads to an empty file.")
	}
	extension, known := extensionOf(head, answer.Header.Get("Content-Type"), answer.Request.URL.Path)
	if !known {
		return downloaded{}, sentence("The link does not lead to a picture, recording, video or text of a supported type.")
	}
	limit := kinds[extension].cap
	tooLarge := sentence(fmt.Sprintf("The link leads to a file of more than %d bytes.", limit))
	if answer.ContentLength > limit {
		return downloaded{}, tooLarge
	}
	upload, err := s.receive(http.MaxBytesReader(nil, answer.Body, limit-int64(body.Buffered())), answer.ContentLength, head[:body.Buffered()])
	var over *http.MaxBytesError
	if errors.As(err, &over) {
		return downloaded{}, tooLarge
	}
	return downloaded{upload, extension}, err
}

// inWords makes the end of the time limit the sentence that it was given as a cause.
func inWords(ctx context.Context, err error) error {
	var words sentence
	if err != nil && errors.As(context.Cause(ctx), &words) {
		return words
	}
	return err
}

// here reports whether a host is this computer, without asking a name server.
func here(host string) bool {
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.Unmap().IsLoopback()
}

// dialHere connects to this computer alone.
func dialHere(ctx context.Context, network, addr string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	if !here(host) {
		return nil, errElsewhere
	}
	var dialer net.Dialer
	if !strings.EqualFold(host, "localhost") {
		return dialer.DialContext(ctx, network, addr)
	}
	conn, err := dialer.DialContext(ctx, network, net.JoinHostPort("127.0.0.1", port))
	if err != nil {
		conn, err = dialer.DialContext(ctx, network, net.JoinHostPort("::1", port))
	}
	return conn, err
}

// redirectHere follows a few redirects, none of them away from this computer.
func redirectHere(next *http.Request, before []*http.Request) error {
	switch {
	case len(before) > maxRedirects:
		return sentence("The link redirects too often.")
	case !here(next.URL.Hostname()):
		return errElsewhere
	}
	return nil
}
