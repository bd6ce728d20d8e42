package pull

import (
	"strings"
	"time"

	"github.com/google/uuid"

	"assay/client"
	"assay/client/address"
	"assay/client/plain"
	"assay/client/submission"
)

// submissionOf is what stands here for a result that was submitted elsewhere.
func submissionOf(r *client.Result, now time.Time) submission.Submission {
	link := linkOf(r)
	sub := submission.Submission{
		ID: uuid.NewString(), Name: nameOf(r, link), Link: link, Source: submission.Service,
		State: submission.Analysing, Step: submission.Polling,
		Type: r.MediaType, RequestID: r.RequestID, Result: r, Accepted: now,
	}
	if at, dated := dateOf(r); dated {
		sub.Uploaded = at
		if at.Before(now) { // a clock that is ahead must not put it before all that comes
			sub.Accepted = at
		}
	}
	if r.Final() {
		sub.State, sub.Step, sub.Answered, sub.Filed = submission.Done, submission.Answered, now, true
	}
	return sub
}

// dateOf is the time of the upload, in UTC. One that no upload can have, such as the year 1 or 1970 that stand for none, is
// no date, and neither is one that can't be written down.
func dateOf(r *client.Result) (at time.Time, dated bool) {
	at, dated = r.Uploaded()
	at = at.UTC()
	return at, dated && at.Year() >= 2000 && at.Year() < 9999
}

// linkOf is the link that was submitted; what is none is left out: a screen may offer to open it.
func linkOf(r *client.Result) string {
	link := strings.TrimSpace(r.SocialLink)
	if _, err := address.Parse(link, "http", "https"); err != nil {
		return ""
	}
	return link
}

// longestName is how many characters of a name are kept that the service gives. No file system's come near.
const longestName = 1000

// nameOf is safe for the screen and never empty.
func nameOf(r *client.Result, link string) string {
	if link != "" {
		_, rest, _ := strings.Cut(link, "://")
		return plain.From(rest).Clip(longestName).String()
	}
	for _, name := range []plain.Text{r.OriginalFileName, r.FileName, plain.From(r.SocialLink)} {
		if strings.TrimSpace(name.Verbatim()) != "" {
			return name.Clip(longestName).String()
		}
	}
	return plain.From(r.RequestID).Clip(longestName).String()
}
