package sandbox

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
)

// routes maps the operations. What is under /api/ needs the key; storage needs a signature instead.
func (s *Sandbox) routes() http.Handler {
	api := http.NewServeMux()
	api.HandleFunc("POST /api/files/{operation}", s.requestUpload)
	api.HandleFunc("GET /api/media/users/{requestId}", s.getResult)
	api.HandleFunc("GET /api/v2/media/users", s.listUnpaged)
	api.HandleFunc("GET /api/v2/media/users/pages/{page}", s.listPage)
	api.HandleFunc("/", s.unknown)

	all := http.NewServeMux()
	all.Handle("/api/", s.withKey(api))
	all.HandleFunc("PUT "+storagePrefix+"{institution}/{object}", s.putObject)
	all.HandleFunc("GET "+storagePrefix+"{institution}/{object}", s.getArtifact)
	all.HandleFunc("GET "+storagePrefix+"{institution}/{object}/{artifact...}", s.getArtifact)
	all.HandleFunc("/", s.unknown)
	return all
}

func (s *Sandbox) unknown(w http.ResponseWriter, _ *http.Request) {
	s.fail(w, http.StatusNotFound, "not-found", "The sandbox has no such operation.")
}

// withKey lets only requests with the accepted key pass.
func (s *Sandbox) withKey(next http.Handler) http.Handler {
	accepted := sha256.Sum256([]byte(s.key)) // hashed, so that comparing tells nothing about the length
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		given := r.Header.Get("X-Api-Key")
		sum := sha256.Sum256([]byte(given))
		switch {
		case given == "":
			s.fail(w, http.StatusUnauthorized, "unauthorized", "The request carries no API key.")
		case subtle.ConstantTimeCompare(sum[:], accepted[:]) != 1:
			s.fail(w, http.StatusUnauthorized, "unauthorized", "The API key is not valid.")
		default:
			next.ServeHTTP(w, r)
		}
	})
}
