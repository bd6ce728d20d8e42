package scenes

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
)

// Service answers uploads with the scene of their bytes. Make one with Serve.
type Service struct {
	server *httptest.Server
	scenes map[[sha256.Size]byte]*Scene

	mutex sync.Mutex
	items map[string]*item // by requestId
	order []string         // IDs of those that are listed
}

// item is an upload.
type item struct {
	name     string // as requested
	at       time.Time
	scene    *Scene // nil until the bytes have arrived
	soundID  string
	answered bool // whether its answer has been sent
}

// Serve starts the service; Close ends it.
func Serve(scenes []*Scene) *Service {
	s := &Service{scenes: map[[sha256.Size]byte]*Scene{}, items: map[string]*item{}}
	for _, e := range scenes {
		s.scenes[sha256.Sum256(e.Content)] = e
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/files/cloud-presigned", s.requestUpload)
	mux.HandleFunc("GET /api/media/users/{id}", s.getResult)
	mux.HandleFunc("GET /api/v2/media/users", s.list)
	mux.HandleFunc("GET /api/v2/media/users/pages/{page}", s.list)
	mux.HandleFunc("POST /api/v2/user-feedback", s.feedback)
	mux.HandleFunc("PUT /storage/{object}", s.put)
	mux.HandleFunc("GET /storage/{object}/{artifact...}", s.get)
	s.server = httptest.NewServer(mux)
	return s
}

// URL is the service's address.
func (s *Service) URL() string { return s.server.URL }

// Close ends the service.
func (s *Service) Close() {
	s.server.CloseClientConnections()
	s.server.Close()
}

// maxBody is the largest body that is read, in bytes.
const maxBody = 300 << 20

func (s *Service) requestUpload(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		FileName string `json:"fileName"`
	}
	if json.NewDecoder(io.LimitReader(r.Body, maxBody)).Decode(&asked) != nil || asked.FileName == "" {
		refuse(w, http.StatusBadRequest, "The fileName is missing.")
		return
	}
	id := newID()
	s.mutex.Lock()
	s.items[id] = &item{name: asked.FileName, at: time.Now()}
	s.mutex.Unlock()
	say(w, http.StatusOK, map[string]any{"requestId": id, "response": map[string]string{"signedUrl": s.link(id, "")}})
}

// link is the URL of an artifact of an upload; its signature is not checked.
func (s *Service) link(id, artifact string) string {
	return s.URL() + path.Join("/storage", id, artifact) + "?X-Signature=" + id[:8] + "&X-Expires=900"
}

func (s *Service) put(w http.ResponseWriter, r *http.Request) {
	content, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
	found := s.scenes[sha256.Sum256(content)]
	id := r.PathValue("object")
	s.mutex.Lock()
	defer s.mutex.Unlock()
	put := s.items[id]
	if err != nil || put == nil || found == nil {
		deny(w)
		return
	}
	for _, before := range s.order {
		if found.Later != nil && s.items[before].scene == found && s.items[before].answered {
			found = found.Later
		}
	}
	put.scene = found
	s.order = append(s.order, id)
	if found.Sound != nil {
		put.soundID = newID()
		s.items[put.soundID] = &item{name: strings.TrimSuffix(put.name, path.Ext(put.name)) + ".wav", at: put.at, scene: found.Sound}
	}
	w.WriteHeader(http.StatusOK)
}

// result is the answer with its links; ok is false if the bytes never arrived.
func (s *Service) result(id string) (a Answer, ok bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	at := s.items[id]
	if at == nil || at.scene == nil {
		return Answer{}, false
	}
	at.answered = true
	e := at.scene
	a = e.Answer
	a.FileName, a.OriginalFileName, a.RequestID = at.name, e.Name, id
	a.UploadedDate = at.at.UTC().Format(time.RFC3339)
	a.UserID, a.InstitutionID = "desk", "newsroom"
	if !e.Removed {
		a.StorageLocation = s.link(id, "original")
	}
	a.AggregationResultURL = "newsroom/" + id + path.Ext(e.Name) + "/" + aggregationFile
	a.Heatmaps = maps.Clone(e.Answer.Heatmaps)
	for name := range e.Artifacts {
		model, isHeatmap := strings.CutPrefix(name, heatmapsFolder)
		switch {
		case isHeatmap:
			a.Heatmaps[strings.TrimSuffix(model, ".png")] = s.link(id, name)
		case name == aggregationFile:
			a.ModelMetadataURL = s.link(id, name)
		case name == explanationFile:
			a.ExplainabilityURL = s.link(id, name)
		case name == thumbnailFile:
			a.Thumbnail = s.link(id, name)
		}
	}
	if at.soundID != "" {
		a.ShowAudioResult, a.AudioRequestID = true, at.soundID
		if _, there := e.Sound.Artifacts[aggregationFile]; there {
			a.AudioModelMetadataURL = s.link(at.soundID, aggregationFile)
		}
	}
	return a, true
}

// Answered is how many uploads have had their answer sent at least once.
func (s *Service) Answered() int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	n := 0
	for _, id := range s.order {
		if s.items[id].answered {
			n++
		}
	}
	return n
}

func (s *Service) getResult(w http.ResponseWriter, r *http.Request) {
	a, ok := s.result(r.PathValue("id"))
	if !ok {
		refuse(w, http.StatusNotFound, "No media result exists for this requestId.")
		return
	}
	say(w, http.StatusOK, a)
}

// list returns everything in one page.
func (s *Service) list(w http.ResponseWriter, _ *http.Request) {
	s.mutex.Lock()
	order := slices.Clone(s.order)
	s.mutex.Unlock()
	all := []Answer{}
	for _, id := range slices.Backward(order) {
		if a, ok := s.result(id); ok {
			all = append(all, a)
		}
	}
	say(w, http.StatusOK, map[string]any{"totalItems": len(all), "totalPages": 1, "currentPage": 0, "mediaList": all})
}

func (s *Service) feedback(w http.ResponseWriter, r *http.Request) {
	var given struct {
		RequestID string `json:"requestId"`
		Label     string `json:"label"`
		Category  string `json:"feedbackCategory"`
		Comment   string `json:"comment"`
	}
	err := json.NewDecoder(io.LimitReader(r.Body, maxBody)).Decode(&given)
	s.mutex.Lock()
	about := s.items[given.RequestID]
	s.mutex.Unlock()
	switch {
	case err != nil || about == nil || about.scene == nil:
		refuse(w, http.StatusBadRequest, "Media result does not exist!")
	case about.scene.Refused != "":
		refuse(w, http.StatusForbidden, about.scene.Refused)
	default:
		say(w, http.StatusCreated, map[string]any{"id": newID(), "userId": "desk", "requestId": given.RequestID, "institutionId": "newsroom",
			"text": given.Comment, "category": given.Category, "label": given.Label, "userName": "Night desk", "userEmail": "desk@example.org",
			"orgName": "Newsroom", "mediaType": about.scene.Answer.MediaType, "createdAt": time.Now().UTC().Format(time.RFC3339)})
	}
}

func (s *Service) get(w http.ResponseWriter, r *http.Request) {
	s.mutex.Lock()
	at := s.items[r.PathValue("object")]
	s.mutex.Unlock()
	name := r.PathValue("artifact")
	if at == nil || at.scene == nil {
		deny(w)
		return
	}
	content, found := at.scene.Artifacts[name]
	if name == "original" && !at.scene.Removed {
		content, found = at.scene.Content, true
	}
	if !found {
		deny(w)
		return
	}
	w.Header().Set("Content-Type", contentTypes[path.Ext(name)])
	_, _ = w.Write(content) // the client may be gone
}

var contentTypes = map[string]string{"": "application/octet-stream", ".json": "application/json", ".html": "text/html; charset=utf-8",
	".png": "image/png", ".jpg": "image/jpeg"}

func say(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the client may be gone
}

func refuse(w http.ResponseWriter, status int, words string) {
	say(w, status, map[string]any{"code": "refused", "errno": 1, "response": words})
}

// deny answers as object storage does to a link that leads nowhere.
func deny(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(http.StatusForbidden)
	_, _ = io.WriteString(w, xml.Header+"<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>")
}

// newID returns a random UUID.
func newID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // it never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
