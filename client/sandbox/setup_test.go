package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"image"
	"image/color"
	"image/jpeg"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/clocktest"
)

func newClock() *clocktest.Clock {
	return clocktest.New(time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC))
}

// service is a sandbox that serves on the loopback until the test ends.
type service struct {
	*Sandbox
	url   string
	clock *clocktest.Clock
	dir   string
	stop  func()
}

// setup serves a sandbox in a new folder. adjust, where given, changes it before its analysers start.
func setup(t *testing.T, adjust ...func(*Sandbox)) *service {
	t.Helper()
	return setupIn(t, t.TempDir(), newClock(), adjust...)
}

func setupIn(t *testing.T, dir string, clock *clocktest.Clock, adjust ...func(*Sandbox)) *service {
	t.Helper()
	return setupWith(t, Options{Dir: dir}, clock, adjust...)
}

// setupWith serves a sandbox with these options, in a new folder where they name none.
func setupWith(t *testing.T, o Options, clock *clocktest.Clock, adjust ...func(*Sandbox)) *service {
	t.Helper()
	if o.Dir == "" {
		o.Dir = t.TempDir()
	}
	o.Now = clock.Now
	s, err := open(o)
	assert.NoError(t, err)
	for _, change := range adjust {
		change(s)
	}
	s.start()
	server, err := Listen(t.Context(), "127.0.0.1:0", s)
	assert.NoError(t, err)
	stop := sync.OnceFunc(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(stop)
	return &service{Sandbox: s, url: server.URL(), clock: clock, dir: o.Dir, stop: stop}
}

// reply is an answer read to its end.
type reply struct {
	status int
	header http.Header
	body   []byte
}

func (s *service) send(t *testing.T, method, url string, header http.Header, body []byte) reply {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, bytes.NewReader(body))
	assert.NoError(t, err)
	if header != nil {
		r.Header = header
	}
	resp, err := http.DefaultClient.Do(r)
	assert.NoError(t, err)
	defer resp.Body.Close() //nolint:errcheck // read to its end
	answer, err := io.ReadAll(resp.Body)
	assert.NoError(t, err)
	return reply{status: resp.StatusCode, header: resp.Header, body: answer}
}

// call is a request under /api/ with the key.
func (s *service) call(t *testing.T, method, path, body string) reply {
	t.Helper()
	return s.send(t, method, s.url+path, http.Header{"X-Api-Key": {s.Key()}}, []byte(body))
}

func (s *service) ask(t *testing.T, name string) uploadAnswer {
	t.Helper()
	body, err := json.Marshal(map[string]string{"fileName": name})
	assert.NoError(t, err)
	answer := s.call(t, http.MethodPost, client.DefaultUploadPath, string(body))
	if answer.status != http.StatusOK {
		t.Fatalf("no upload address for %q: %d %s", name, answer.status, answer.body)
	}
	return decode[uploadAnswer](t, answer.body)
}

func (s *service) put(t *testing.T, signedURL string, data []byte) reply {
	t.Helper()
	return s.send(t, http.MethodPut, signedURL, nil, data)
}

// upload hands a file over and returns its requestId.
func (s *service) upload(t *testing.T, name string, data []byte) string {
	t.Helper()
	asked := s.ask(t, name)
	if put := s.put(t, asked.Response.SignedURL, data); put.status != http.StatusOK {
		t.Fatalf("the upload of %q was refused: %d %s", name, put.status, put.body)
	}
	return asked.RequestID
}

// seen is a result as any client would read it, with the JSON of its parts.
type seen struct {
	client.Result
	fields map[string]json.RawMessage
}

func (s *service) result(t *testing.T, requestID string) seen {
	t.Helper()
	answer := s.call(t, http.MethodGet, "/api/media/users/"+requestID, "")
	if answer.status != http.StatusOK {
		t.Fatalf("no result: %d %s", answer.status, answer.body)
	}
	return seen{Result: decode[client.Result](t, answer.body), fields: decode[map[string]json.RawMessage](t, answer.body)}
}

// settled waits for all analyses and returns a result.
func (s *service) settled(t *testing.T, requestID string) seen {
	t.Helper()
	assert.NoError(t, s.Idle(t.Context()))
	return s.result(t, requestID)
}

func decode[T any](t *testing.T, data []byte) T {
	t.Helper()
	var v T
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
	return v
}

func (s *service) wantDenied(t *testing.T, what string, got reply) {
	t.Helper()
	var fault struct {
		XMLName xml.Name `xml:"Error"`
		Code    string
	}
	if err := xml.Unmarshal(got.body, &fault); err != nil {
		t.Fatalf("%s: no XML error in %d %q: %v", what, got.status, got.body, err)
	}
	if got.status != http.StatusForbidden || fault.Code != "AccessDenied" || got.header.Get("Content-Type") != "application/xml" {
		t.Errorf("%s: got %d %s, want 403 AccessDenied", what, got.status, got.body)
	}
}

// gate holds every model's end until the test lets it through.
type gate struct {
	reached chan string // the model that has come to the gate
	pass    chan struct{}
}

func newGate() *gate { return &gate{reached: make(chan string, 100), pass: make(chan struct{}, 100)} }

func (g *gate) hold(ctx context.Context, _, model string) {
	g.reached <- model
	select {
	case <-g.pass:
	case <-ctx.Done():
	}
}

// open lets all models through from now on.
func (g *gate) open() { close(g.pass) }

func held(g *gate) func(*Sandbox) { return func(s *Sandbox) { s.hold = g.hold } }

// photo makes a JPEG with shapes and grain that depend on the seed alone.
func photo(t *testing.T, seed uint64) []byte {
	t.Helper()
	const width, height = 256, 192
	grain := rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // a picture, not a secret
	picture := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			wave := 90 + 60*math.Sin(float64(x)/23+float64(seed)) + 40*math.Cos(float64(y)/17)
			v := uint8(math.Min(math.Max(wave+grain.NormFloat64()*6, 0), 255))
			picture.Set(x, y, color.RGBA{R: v, G: v/2 + 60, B: 255 - v, A: 255})
		}
	}
	var encoded bytes.Buffer
	assert.NoError(t, jpeg.Encode(&encoded, picture, &jpeg.Options{Quality: 88}))
	return encoded.Bytes()
}
