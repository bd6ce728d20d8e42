package command

import (
	"io"
	"strings"

	"assay/client/i18n"
	"assay/client/intake"
	"assay/client/submission"
)

// sayOverruled says why --gate does not hold, where what is set or locked is stricter; each reason once.
func (b *base) sayOverruled(stderr io.Writer, wanted submission.Gate, subs ...submission.Submission) {
	said := map[string]bool{}
	for _, s := range subs {
		s.Gate = wanted
		gate, lock := b.config.Gate(s)
		if why := intake.Overruled(gate, lock); gate != wanted && !said[why] {
			said[why] = true
			say(stderr, i18n.T("--gate send does not hold.")+" "+why)
		}
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
