// Package storetest makes histories for tests, benchmarks and screenshots. It imports client, client/submission and
// client/store, and nothing that ships imports it.
package storetest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"assay/client"
	"assay/client/plain"
	"assay/client/store"
	"assay/client/submission"
)

// batch is how many are added at a time.
const batch = 1000

// last is when the newest was accepted; the others lie in the two years before.
var last = time.Date(2026, time.November, 20, 17, 45, 0, 0, time.UTC)

const span = 2 * 365 * 24 * time.Hour

// Fill adds n plausible answered submissions, each with its raw JSON of 3 to 6 KB, spread over two years: for the same n the same ones, except for
// their IDs. About a tenth were pulled from the service's list, a tenth are links.
func Fill(ctx context.Context, s *store.Store, n int) error {
	m := maker{random: rand.New(rand.NewPCG(8, uint64(n)))} //nolint:gosec // the same history each time
	counts, err := s.CountByStatus(ctx, store.Query{})
	if err != nil {
		return err
	}
	existing := 0
	for _, n := range counts {
		existing += n
	}
	for made := 0; made < n; {
		size := min(batch, n-made)
		subs := make([]submission.Submission, 0, size)
		for i := range size {
			at := last.Add(-span + time.Duration(float64(span)*float64(made+i+1)/float64(n)))
			sub, err := m.submission(existing+made+i, at)
			if err != nil {
				return err
			}
			subs = append(subs, sub)
		}
		if _, err := s.Add(ctx, subs); err != nil {
			return err
		}
		made += size
	}
	return nil
}

type maker struct{ random *rand.Rand }

func pick[T any](m *maker, from ...T) T { return from[m.random.IntN(len(from))] }

// submission makes the submission of a number; no two are alike.
func (m *maker) submission(number int, at time.Time) (sub submission.Submission, err error) {
	id := m.uuid(number)
	sub = submission.Submission{
		ID: id, Gate: submission.GateSend, State: submission.Done, Step: submission.Answered, Filed: true, RequestID: m.uuid(number + 1<<40),
		Type:     pick(m, client.Image, client.Image, client.Image, client.Image, client.Video, client.Video, client.Audio, client.Text),
		Source:   pick(m, submission.Dropped, submission.Dropped, submission.Dropped, submission.Chosen, submission.Scanned, submission.Started, submission.Service),
		Accepted: at.Add(-time.Duration(m.random.Int64N(int64(10 * time.Minute)))),
	}
	sub.Uploaded = sub.Accepted.Add(time.Duration(1+m.random.IntN(90)) * time.Second)
	sub.Answered = sub.Uploaded.Add(time.Duration(20+m.random.IntN(400)) * time.Second)
	if m.random.IntN(10) == 0 {
		sub.Source, sub.Type = submission.Pasted, pick(m, client.Video, client.Image, client.Text)
		sub.Link = "https://" + pick(m, "video.example/watch?v=", "posts.example/status/", "short.example/@desk/clip/") + strconv.FormatInt(int64(number)*7919+1_000_003, 36)
		sub.Name = strings.TrimPrefix(sub.Link, "https://")
	} else {
		sub.Name = m.name(number, sub.Type, sub.Accepted)
		sub.Size = 20_000 + m.random.Int64N(40_000_000)
		sum := sha256.Sum256([]byte(id))
		sub.SHA256, sub.SendName = hex.EncodeToString(sum[:]), id[:6]+"-"+sub.Name
		sub.Modified = sub.Accepted.Add(-time.Duration(m.random.Int64N(int64(300 * time.Hour))))
		if sub.Source != submission.Service {
			sub.Path = "/home/desk/Incoming/" + sub.Accepted.Format("2006-01") + "/" + sub.Name
		} else {
			sub.SHA256 = "" // of what another device submitted, the hash is not known
		}
	}
	if m.random.IntN(12) == 0 {
		sub.Note = pick(m, "Checked with the photo desk", "Second source confirms", "From the evening show, ask Amélie", "Zweite Quelle fehlt noch", "do not publish yet")
	}
	sub.Result, err = m.result(&sub)
	return sub, err
}

// uuid makes a UUID from a number.
func (m *maker) uuid(number int) string {
	sum := sha256.Sum256([]byte(strconv.Itoa(number)))
	sum[6], sum[8] = sum[6]&0x0f|0x40, sum[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", sum[0:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}

func (m *maker) name(number int, t client.MediaType, at time.Time) string {
	extension := map[client.MediaType][]string{
		client.Image: {".jpg", ".jpeg", ".JPG", ".png", ".webp"}, client.Video: {".mp4", ".mov", ".MP4"},
		client.Audio: {".mp3", ".wav", ".m4a"}, client.Text: {".txt", ".md"},
	}[t]
	ending := pick(m, extension...)
	place := pick(m, "Lisbon", "Nairobi", "Zürich", "São Paulo", "東京", "القاهرة", "Київ", "Reykjavík", "Ulaanbaatar", "Québec", "Łódź", "Wellington")
	what := pick(m, "press conference", "flood", "stadium crowd", "minister interview", "harbour fire", "leaked call", "protest", "satellite still", "night market", "statement")
	switch m.random.IntN(8) {
	case 0, 1:
		return fmt.Sprintf("IMG_%s_%06d%s", at.Format("20060102"), m.random.IntN(1_000_000), ending)
	case 2:
		return fmt.Sprintf("DSC%05d%s", number%100_000, ending)
	case 3:
		return fmt.Sprintf("WhatsApp %s %s %d%s", t, at.Format("2006-01-02 at 15.04.05"), number%7, ending)
	case 4:
		return fmt.Sprintf("%s %s, %s (%d) %s%s", what, place, at.Format("2 January 2006"), number%40,
			strings.Repeat("as received from the agency and not cropped ", m.random.IntN(4)), ending)
	case 5:
		return fmt.Sprintf("clip_%s%s", strconv.FormatUint(m.random.Uint64(), 36), ending)
	default:
		return fmt.Sprintf("%s %s %d%s", place, what, number, ending)
	}
}

// result makes an answer with the JSON that the service would have sent. Only the fields that the store reads are set; the store decodes the rest
// from the JSON.
func (m *maker) result(sub *submission.Submission) (*client.Result, error) {
	status := pick(m, client.Authentic, client.Authentic, client.Authentic, client.Authentic, client.Fake, client.Fake, client.Suspicious,
		client.NotApplicable, client.UnableToEvaluate)
	if m.random.IntN(500) == 0 {
		status = "INCONCLUSIVE" // a status that only a newer service has
	}
	score := map[client.Status]int{client.Fake: 70, client.Suspicious: 45}[status] + m.random.IntN(30)
	kind := strings.ToLower(string(sub.Type))
	address := func(name string) string {
		return "https://storage.example/results/" + sub.RequestID + "/" + name + "?X-Expires=900&X-Signature=" + strings.Repeat(strconv.FormatUint(m.random.Uint64(), 16), 4)
	}
	models, heatmaps := []any{}, map[string]string{}
	for i, name := range []string{"ensemble", "context", "faces", "gan", "diffusion", "noise", "transfer", "units"}[:5+m.random.IntN(4)] {
		value := float64(min(100, max(0, score-15+m.random.IntN(30))))
		models = append(models, map[string]any{
			"name": "assay-" + kind + "-" + name, "status": status, "predictionNumber": value / 100, "normalizedPredictionNumber": value,
			"rollingAvgNumber": value, "finalScore": value, "code": "", "error": nil,
			"data": map[string]any{"decision": pick(m, "ARTIFICIAL", "AUTHENTIC", "UNDECIDED"), "window": m.random.IntN(4000), "part": i,
				"values": []float64{value / 100, m.random.Float64(), m.random.Float64(), m.random.Float64()}},
		})
		if sub.Type == client.Image && i > 0 && i < 4 {
			heatmaps["assay-"+kind+"-"+name] = address("heatmap-" + name + ".png")
		}
	}
	summary := map[string]any{"status": status, "metadata": map[string]any{"finalScore": score, "languages": []string{"en"}}}
	switch status {
	case client.NotApplicable:
		summary["metadata"] = map[string]any{"reasons": []any{map[string]string{"code": "relevance", "message": "No face was found that is large enough."}}}
	case client.UnableToEvaluate:
		summary["error"] = map[string]string{"code": "model-error", "message": "The media could not be processed."}
	}
	release := pick(m, "2.1", "2.2", "2.4")
	raw, err := json.Marshal(map[string]any{
		"filename": sub.SendName, "originalFileName": sub.Name, "requestId": sub.RequestID, "uploadedDate": sub.Uploaded.Format(time.RFC3339),
		"mediaType": sub.Type, "socialLink": sub.Link, "socialLinkDownloaded": sub.Link != "", "socialLinkDownloadFailed": false,
		"showAudioResult": false, "audioRequestId": "", "userId": m.uuid(7), "institutionId": m.uuid(9), "releaseVersion": release,
		"overallStatus": status, "resultsSummary": summary, "models": models, "heatmaps": heatmaps, "storageLocation": address("original"),
		"thumbnail": address("thumbnail.jpg"), "aggregationResultUrl": "results/" + sub.RequestID + "/aggregation.json", "modelMetadataUrl": address("aggregation.json"),
		"audioModelMetadataUrl": "", "explainabilityUrl": "",
	})
	return &client.Result{RequestID: sub.RequestID, MediaType: sub.Type, ReleaseVersion: plain.From(release), OverallStatus: status, Raw: raw}, err
}
