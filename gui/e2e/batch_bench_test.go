//go:build e2e && linux

package e2e

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"assay/client/assert"
	"assay/client/benchtest"
)

const (
	batchFiles    = 1_000
	batchSize     = 2 << 20         // of each, in bytes
	batchAnalysis = 3 * time.Second // from the upload's end to the answer
	batchKey      = "a-key-for-the-benchmark"
	// batchAtOnce and batchPoll are what public clients do: so many files at a time, each asked for so often.
	batchAtOnce = 8
	batchPoll   = 2 * time.Second
	// batchFilesVariable changes how many files there are, for a quick look.
	batchFilesVariable = "ASSAY_BATCH"
	// plainVariable makes the test program a plain client of the service at this address.
	plainVariable, plainFolderVariable = "ASSAY_PLAIN_CLIENT", "ASSAY_PLAIN_FOLDER"
)

// BenchmarkB10Batch has a folder of pictures answered by `assay scan`, and by a plain client as public ones are: each file is read whole, eight at a
// time, and each is asked for every two seconds until it is answered. The service is in this process and analyses nothing: an answer comes three
// seconds after its upload.
func BenchmarkB10Batch(b *testing.B) {
	assay, err := Binary()
	assert.NoError(b, err)
	files := batchFiles
	if given := os.Getenv(batchFilesVariable); given != "" {
		files, err = strconv.Atoi(given)
		assert.NoError(b, err)
	}
	folder := b.TempDir()
	for n := range files {
		writePicture(b, filepath.Join(folder, fmt.Sprintf("IMG_%04d.jpg", n)))
	}
	benchtest.Print(b, "")
	ours := measure(b, files, func(url string) *exec.Cmd {
		command := exec.CommandContext(b.Context(), assay, "scan", "--server", url, "--home", b.TempDir(), "--gate", "send", folder) //nolint:gosec // our own program
		command.Env = append(os.Environ(), "ASSAY_API_KEY="+batchKey)
		return command
	})
	plain := measure(b, files, func(url string) *exec.Cmd {
		command := exec.CommandContext(b.Context(), "/proc/self/exe", "-test.run=^TestPlainClient$")
		command.Env = append(os.Environ(), plainVariable+"="+url, plainFolderVariable+"="+folder)
		return command
	})
	for _, figure := range []struct {
		what         string
		ours, theirs float64
		unit         string
		aim          float64
	}{
		{"time", ours.seconds, plain.seconds, "s", 0.1},
		{"CPU", ours.cpu, plain.cpu, "s", 0.5},
		{"peak memory", ours.memory, plain.memory, "MiB", 0.4},
		{"requests", float64(ours.requests), float64(plain.requests), "", 1},
	} {
		ratio := figure.ours / figure.theirs
		benchtest.Print(b, "B10 %d pictures of 2 MB to the last answer vs a plain client, %s: %.2fx (aim %.1fx) %s; %.1f %s against %.1f %[7]s", files,
			figure.what, ratio, figure.aim, benchtest.Met(ratio <= figure.aim), figure.ours, figure.unit, figure.theirs)
	}
	least := leastBytes(b)
	each := float64(ours.bytes) / float64(files)
	benchtest.Print(b, "B13 bytes of a submission, both ways, vs the least that the service can be asked with: %.3fx (aim 1.05x) %s; %.0f bytes against %.0f",
		each/least, benchtest.Met(each <= 1.05*least), each, least)
}

// writePicture writes a JPEG of the size that the batch has: a small one, and the rest in a part of it that readers pass over.
func writePicture(b *testing.B, path string) {
	b.Helper()
	root, err := Root()
	assert.NoError(b, err)
	all, err := Pictures(root)
	assert.NoError(b, err)
	source := all[slices.IndexFunc(all, func(path string) bool { return strings.HasSuffix(path, ".jpg") })]
	small, err := os.ReadFile(source)
	assert.NoError(b, err)
	content := append(make([]byte, 0, batchSize), small[:2]...) // the mark of its beginning
	for len(content)+len(small) < batchSize {
		const part = 60_000
		comment := make([]byte, part+4)
		_, _ = rand.Read(comment) // never fails
		copy(comment, []byte{0xff, 0xfe, (part + 2) >> 8, (part + 2) & 0xff})
		content = append(content, comment...)
	}
	assert.NoError(b, os.WriteFile(path, append(content, small[2:]...), 0o600))
	rested := time.Now().Add(-time.Hour)
	assert.NoError(b, os.Chtimes(path, rested, rested))
}

// batchCost is what a client took for a batch.
type batchCost struct {
	seconds, cpu, memory float64 // memory in MiB
	requests, bytes      int64
}

// measure runs a client on a service of its own, which must have had and answered each file once.
func measure(b *testing.B, files int, client func(url string) *exec.Cmd) batchCost {
	b.Helper()
	service := newBatchService(b, nil)
	command := client(service.url)
	var out, errs bytes.Buffer
	command.Stdout, command.Stderr = &out, &errs
	began := time.Now()
	if err := command.Run(); err != nil {
		b.Fatalf("%v: %s\n%s", err, &out, &errs)
	}
	cost := batchCost{seconds: time.Since(began).Seconds(), requests: service.requests.Load(), bytes: service.bytes.Load()}
	cost.cpu = (command.ProcessState.UserTime() + command.ProcessState.SystemTime()).Seconds()
	cost.memory = float64(command.ProcessState.SysUsage().(*syscall.Rusage).Maxrss) / 1024 //nolint:errcheck,forcetypeassert // it is one on Linux
	if answered := strings.Count(out.String(), "No sign of manipulation"); answered != files || service.uploads() != files {
		b.Fatalf("%d of %d files were answered, and %d uploaded", answered, files, service.uploads())
	}
	return cost
}

// batchService is a service that analyses nothing.
type batchService struct {
	url             string
	requests, bytes atomic.Int64
	points          func(name string) int // how many numbers each model adds to the final answer on a file; nil: none

	mu       sync.Mutex
	names    map[string]string    // of each request ID
	received map[string]time.Time // when its upload had ended
}

func newBatchService(b testing.TB, points func(name string) int) *batchService {
	b.Helper()
	s := &batchService{points: points, names: map[string]string{}, received: map[string]time.Time{}}
	routes := http.NewServeMux()
	routes.HandleFunc("POST /api/files/cloud-presigned", s.address)
	routes.HandleFunc("PUT /storage/{id}", s.receive)
	routes.HandleFunc("GET /api/media/users/{id}", func(w http.ResponseWriter, r *http.Request) { s.write(w, s.result(r.PathValue("id"))) })
	routes.HandleFunc("GET /api/v2/media/users/pages/{page}", s.list)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.requests.Add(1)
		routes.ServeHTTP(w, r)
	}))
	server.Listener = &countingListener{server.Listener, &s.bytes}
	server.Start()
	b.Cleanup(server.Close)
	s.url = server.URL
	return s
}

func (s *batchService) uploads() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.received)
}

func (s *batchService) write(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // the client may be gone
}

func (s *batchService) address(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		FileName string `json:"fileName"`
	}
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	id := fmt.Sprintf("00000000-0000-4000-8000-%012d", len(s.names))
	s.names[id] = asked.FileName
	s.mu.Unlock()
	s.write(w, map[string]any{"requestId": id, "response": map[string]string{"signedUrl": s.url + "/storage/" + id + "?X-Expires=900"}})
}

func (s *batchService) receive(_ http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body) // what is cut off is not received
	s.mu.Lock()
	defer s.mu.Unlock()
	s.received[r.PathValue("id")] = time.Now()
}

// result is the answer to a request as it is now.
func (s *batchService) result(id string) map[string]any {
	s.mu.Lock()
	name, received := s.names[id], s.received[id]
	s.mu.Unlock()
	status, score := "AUTHENTIC", any(12)
	if received.IsZero() || time.Since(received) < batchAnalysis {
		status, score = "ANALYZING", nil
	}
	var models []any
	data := map[string]any{"decision": "AUTHENTIC", "score": score}
	if s.points != nil && score != nil {
		points := make([]float64, s.points(name))
		for i := range points {
			points[i] = math.Sin(float64(i))
		}
		data["points"] = points
	}
	for _, model := range []string{"ensemble", "context", "faces", "gan", "diffusion", "noise"} {
		models = append(models, map[string]any{"name": "svc-img-" + model, "status": status, "predictionNumber": nil, "normalizedPredictionNumber": score,
			"rollingAvgNumber": score, "finalScore": score, "data": data, "code": nil, "error": nil})
	}
	return map[string]any{
		"filename": name, "originalFileName": name, "requestId": id, "uploadedDate": received.UTC().Format(time.RFC3339), "mediaType": "IMAGE", "socialLink": "",
		"socialLinkDownloaded": false, "socialLinkDownloadFailed": false, "showAudioResult": false, "audioRequestId": "", "userId": "", "institutionId": "",
		"releaseVersion": "2.4", "overallStatus": status, "resultsSummary": map[string]any{"status": status, "metadata": map[string]any{"finalScore": score}},
		"models": models, "heatmaps": map[string]string{}, "storageLocation": "", "thumbnail": "", "aggregationResultUrl": "", "modelMetadataUrl": "",
		"audioModelMetadataUrl": "", "explainabilityUrl": "",
	}
}

// list serves a page of the results, the newest first.
func (s *batchService) list(w http.ResponseWriter, r *http.Request) {
	page, _ := strconv.Atoi(r.PathValue("page"))
	size, _ := strconv.Atoi(r.URL.Query().Get("size"))
	size, page = max(size, 1), max(page, 1)
	s.mu.Lock()
	ids := make([]string, 0, len(s.received))
	for id := range s.received {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b string) int { return s.received[b].Compare(s.received[a]) })
	s.mu.Unlock()
	shown := make([]any, 0, size)
	for _, id := range ids[min((page-1)*size, len(ids)):min(page*size, len(ids))] {
		shown = append(shown, s.result(id))
	}
	s.write(w, map[string]any{"totalItems": len(ids), "totalPages": (len(ids) + size - 1) / size, "currentPage": page, "currentPageItemsCount": len(shown), "mediaList": shown})
}

// countingListener counts the bytes of its connections, both ways.
type countingListener struct {
	net.Listener
	bytes *atomic.Int64
}

func (l *countingListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	return &countingConn{conn, l.bytes}, err
}

type countingConn struct {
	net.Conn
	bytes *atomic.Int64
}

func (c *countingConn) Read(into []byte) (int, error) {
	n, err := c.Conn.Read(into)
	c.bytes.Add(int64(n))
	return n, err
}

func (c *countingConn) Write(from []byte) (int, error) {
	n, err := c.Conn.Write(from)
	c.bytes.Add(int64(n))
	return n, err
}

// leastBytes is how many bytes one submission takes where nothing is said that need not be, and the answer is asked for once.
func leastBytes(b *testing.B) float64 {
	b.Helper()
	service := newBatchService(b, nil)
	host := strings.TrimPrefix(service.url, "http://")
	conn, err := (&net.Dialer{}).DialContext(b.Context(), "tcp", host)
	assert.NoError(b, err)
	defer conn.Close() //nolint:errcheck // only measured
	say := func(method, path, header string, body []byte) {
		request := fmt.Sprintf("%s %s HTTP/1.1\r\nHost: %s\r\n%s", method, path, host, header)
		if body != nil {
			request += fmt.Sprintf("Content-Length: %d\r\n", len(body))
		}
		_, err := conn.Write(append([]byte(request+"\r\n"), body...))
		assert.NoError(b, err)
		time.Sleep(100 * time.Millisecond)
		_, err = conn.Read(make([]byte, 64<<10))
		assert.NoError(b, err)
	}
	key := "x-api-key: " + batchKey + "\r\n"
	say("POST", "/api/files/cloud-presigned", key+"Content-Type: application/json\r\n", []byte(`{"fileName":"IMG_0000.jpg"}`))
	service.mu.Lock()
	id := ""
	for id = range service.names { //nolint:revive // there is one
	}
	service.mu.Unlock()
	say("PUT", "/storage/"+id+"?X-Expires=900", "", make([]byte, batchSize))
	time.Sleep(batchAnalysis)
	say("GET", "/api/media/users/"+id, key, nil)
	return float64(service.bytes.Load())
}

// TestPlainClient is the plain client of BenchmarkB10Batch.
func TestPlainClient(t *testing.T) {
	url, folder := os.Getenv(plainVariable), os.Getenv(plainFolderVariable)
	if url == "" {
		t.Skip("for BenchmarkB10Batch")
	}
	entries, err := os.ReadDir(folder)
	assert.NoError(t, err)
	slots := make(chan struct{}, batchAtOnce)
	var work sync.WaitGroup
	for _, entry := range entries {
		slots <- struct{}{}
		work.Go(func() {
			defer func() { <-slots }()
			if err := submitPlainly(url, filepath.Join(folder, entry.Name())); err != nil {
				t.Errorf("%s: %v", entry.Name(), err)
				return
			}
			fmt.Println(entry.Name() + ": No sign of manipulation") //nolint:forbidigo // it is a program
		})
	}
	work.Wait()
}

func submitPlainly(service, path string) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	asked, err := json.Marshal(map[string]string{"fileName": filepath.Base(path)})
	if err != nil {
		return err
	}
	var upload struct {
		RequestID string `json:"requestId"`
		Response  struct {
			SignedURL string `json:"signedUrl"`
		} `json:"response"`
	}
	if err := call(http.MethodPost, service+"/api/files/cloud-presigned", asked, &upload); err != nil {
		return err
	}
	if err := call(http.MethodPut, upload.Response.SignedURL, content, nil); err != nil {
		return err
	}
	for {
		var result struct {
			OverallStatus string `json:"overallStatus"`
		}
		if err := call(http.MethodGet, service+"/api/media/users/"+upload.RequestID, nil, &result); err != nil {
			return err
		}
		if result.OverallStatus != "ANALYZING" {
			return nil
		}
		time.Sleep(batchPoll)
	}
}

func call(method, address string, body []byte, into any) error {
	request, err := http.NewRequest(method, address, bytes.NewReader(body)) //nolint:noctx,gosec // a plain client of the benchmark's own service
	if err != nil {
		return err
	}
	request.Header.Set("X-Api-Key", batchKey)
	answer, err := http.DefaultClient.Do(request) //nolint:gosec // likewise
	if err != nil {
		return err
	}
	content, err := io.ReadAll(answer.Body)
	if err = errors.Join(err, answer.Body.Close()); err != nil || into == nil {
		return err
	}
	return json.Unmarshal(content, into)
}
