package command

import (
	"io"
	"strings"

	"assay/client/i18n"
	"assay/client/intake"
	"assay/client/session"
	"assay/client/submission"
)

// sayOverruled says why a gate that was wanted does not hold, where what is set or locked is stricter; each reason once.
func sayOverruled(stderr io.Writer, b *session.Base, wanted submission.Gate, subs ...submission.Submission) {
	said := map[i18n.Message]bool{}
	for _, s := range subs {
		s.Gate = wanted
		gate, lock := b.Config.Gate(s)
		why := intake.Overruled(gate, lock, b.Config.LocksUnread())
		if gate == wanted || said[why] {
			continue
		}
		said[why] = true
		if wanted == submission.GateSend {
			why = i18n.Sentences(i18n.M("--gate send does not hold."), why)
		}
		say(stderr, why.String())
	}
}

// asSubmissions are files and links, as far as the settings tell them apart.
func asSubmissions(given []string) []submission.Submission {
	subs := make([]submission.Submission, len(given))
	for i, pathOrLink := range given {
		subs[i].Source = submission.Scanned
		if strings.Contains(pathOrLink, "://") {
			subs[i].Link = pathOrLink
		}
	}
	return subs
}
