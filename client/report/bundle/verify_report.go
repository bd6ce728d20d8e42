package bundle

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"strings"

	"assay/client/custody"
	"assay/client/report"
)

// reportSums are the hashes that report.json names.
type reportSums struct{ Results []resultSums }

// resultSums are those of a result.
type resultSums struct {
	ID          string                      `json:"id"`
	Provisional bool                        `json:"provisional"`
	SHA256      hashText                    `json:"sha256"`
	SentSHA256  hashText                    `json:"sentSha256"`
	Answers     []struct{ SHA256 hashText } `json:"answers"`
	Received    hashText                    `json:"receivedSha256"`
}

// reportFile is the report whose hashes are compared.
const reportFile = ReportName + ".json"

// readReport reads the hashes that report.json names, a result at a time: with all its answers it may be very large.
func readReport(f file, sum hashText) (sums reportSums, ok bool) {
	r, err := f.open()
	if err != nil {
		return sums, false
	}
	defer r.Close() //nolint:errcheck // only read from
	hashed := sha256.New()
	whole := io.TeeReader(r, hashed)
	d := json.NewDecoder(whole)
	if token, err := d.Token(); err != nil || token != json.Delim('{') {
		return sums, false
	}
	schema := ""
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return sums, false
		}
		switch name {
		case "schema":
			err = d.Decode(&schema)
		case "results":
			_, err = d.Token()
			for err == nil && d.More() && len(sums.Results) < mostFiles {
				var one resultSums
				if err = d.Decode(&one); err == nil {
					sums.Results = append(sums.Results, one)
				}
			}
			if err == nil {
				_, err = d.Token()
			}
		default:
			var other json.RawMessage
			err = d.Decode(&other)
		}
		if err != nil {
			return sums, false
		}
	}
	_, err = io.Copy(io.Discard, whole) // what comes after it, which is hashed, too
	return sums, err == nil && schema == report.SchemaReport && hex.EncodeToString(hashed.Sum(nil)) == sum
}

// checkReport compares the hashes that the report names with the answers, the media and the custody log. Its error is ctx's.
func (v *verifier) checkReport(ctx context.Context, s *source) error {
	f, there := s.find(reportFile)
	sum, hashed := v.sums[reportFile]
	if !there || !hashed {
		return nil // which the lists tell
	}
	sums, ok := readReport(f, sum)
	if !ok {
		v.add(finding(ReportUnread, reportFile))
		return ctx.Err()
	}
	var names []string
	for of := range v.sums {
		names = append(names, of)
	}
	slices.Sort(names)
	for _, of := range names {
		switch {
		case strings.HasPrefix(of, AnswersFolder):
			if !v.isAnswer(of, &sums) {
				v.add(finding(AnswerForeign, of))
			}
		case strings.HasPrefix(of, MediaFolder):
			if !v.isMedium(of, &sums) {
				v.add(finding(MediaForeign, of))
			}
		}
	}
	recorded := v.recordedAnswers()
	for i, r := range sums.Results {
		sum := recorded[r.ID]
		if !r.Provisional && sum != "" && !slices.ContainsFunc(r.Answers, func(a struct{ SHA256 hashText }) bool { return a.SHA256 == sum }) {
			v.add(finding(AnswerForeign, AnswersFolder+strconv.Itoa(i+1)+AnswerEnding))
		}
	}
	return ctx.Err()
}

// isAnswer reports whether a file of the folder of answers is the answer that the report names.
func (v *verifier) isAnswer(name string, sums *reportSums) bool {
	stem := strings.TrimPrefix(name, AnswersFolder)
	if received, is := strings.CutSuffix(stem, ReceivedEnding); is {
		of, earlier := resultOf(received, "", sums)
		return earlier != "" || of >= 0 && string(v.kept[name]) == sums.Results[of].Received+"\n"
	}
	stem, is := strings.CutSuffix(stem, AnswerEnding)
	of, earlier := resultOf(stem, "-", sums)
	if !is || of < 0 {
		return false
	}
	answers := sums.Results[of].Answers
	number := len(answers)
	if earlier != "" {
		n, err := strconv.Atoi(earlier)
		if err != nil || strconv.Itoa(n) != earlier {
			return false
		}
		number = n
	}
	return number > 0 && number <= len(answers) && answers[number-1].SHA256 == v.sums[name]
}

// resultOf reads the number of a result off a name, up to a separator; rest is what comes after that. of is its index, -1 for none.
func resultOf(name, separator string, sums *reportSums) (of int, rest string) {
	text := name
	if separator != "" {
		text, rest, _ = strings.Cut(name, separator)
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > len(sums.Results) || strconv.Itoa(n) != text {
		return -1, ""
	}
	return n - 1, rest
}

// isMedium reports whether a file of the folder of media is the one whose hash the report names.
func (v *verifier) isMedium(name string, sums *reportSums) bool {
	of, rest := resultOf(strings.TrimPrefix(name, MediaFolder), "-", sums)
	if of < 0 {
		return false
	}
	r, sum := sums.Results[of], v.sums[name]
	return strings.HasPrefix(rest, "received-") && sum == r.SHA256 || strings.HasPrefix(rest, "sent-") && (sum == r.SentSHA256 || r.SentSHA256 == "" && sum == r.SHA256)
}

// recordedAnswers are the hashes of the last answers that the custody log has of submissions, by their IDs.
func (v *verifier) recordedAnswers() map[string]hashText {
	last, recorded := map[string]int64{}, map[string]hashText{}
	for number, entry := range v.entries {
		kept := entry.Sums().Kept
		if (entry.Event == custody.Answered || entry.Event == custody.Pulled) && kept != "" && number > last[entry.Submission] {
			last[entry.Submission], recorded[entry.Submission] = number, kept
		}
	}
	return recorded
}
