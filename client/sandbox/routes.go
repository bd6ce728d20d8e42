package sandbox

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
)

// routes maps the operations. What is under /api/ needs the key; storage needs a signature instead.
func (s *Sandbox) routes() http.Handler {
	api := http.NewServeMux()
	api.HandleFunc("POST /api/files/{operation}", s.faulty(OpUploadURL, s.requestUpload))
	api.HandleFunc("POST /api/files/social", s.faulty(OpSocial, s.submitLink))
	api.HandleFunc("GET /api/media/users/{requestId}", s.faulty(OpResult, s.getResult))
	api.HandleFunc("GET /api/v2/media/users", s.faulty(OpList, s.listUnpaged))
	api.HandleFunc("GET /api/v2/media/users/pages/{page}", s.faulty(OpList, s.listPage))
	api.HandleFunc("POST /api/v2/user-feedback", s.faulty(OpFeedback, s.createFeedback))
	api.HandleFunc("/", s.unknown)

	all := http.NewServeMux()
	all.Handle("/api/", s.withKey(api))
	all.HandleFunc("PUT "+storagePrefix+"{institution}/{object}", s.faulty(OpPut, s.putObject))
	all.HandleFunc("GET "+storagePrefix+"{institution}/{object}", s.faulty(OpArtifact, s.getArtifact))
	all.HandleFunc("GET "+storagePrefix+"{institution}/{object}/{artifact...}", s.faulty(OpArtifact, s.getArtifact))
	all.HandleFunc("/", s.unknown)
	return all
}

func (s *Sandbox) unknown(w http.ResponseWriter, _ *http.Request) {
	s.fail(w, http.StatusNotFound, "not-found", "The sandbox has no such operation.")
}

// withKey lets only requests with an accepted key pass.
func (s *Sandbox) withKey(next http.Handler) http.Handler {
	accepted := map[user][sha256.Size]byte{firstUser: sha256.Sum256([]byte(s.key))} // hashed, so that comparing does not show the length
	if s.second != "" {
		accepted[secondUser] = sha256.Sum256([]byte(s.second))
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		given := r.Header.Get("X-Api-Key")
		if given == "" {
			s.fail(w, http.StatusUnauthorized, "unauthorized", "The request carries no API key.")
			return
		}
		sum := sha256.Sum256([]byte(given))
		for u, key := range accepted {
			if subtle.ConstantTimeCompare(sum[:], key[:]) == 1 {
				next.ServeHTTP(w, withCaller(r, u))
				return
			}
		}
		s.fail(w, http.StatusUnauthorized, "unauthorized", "The API key is not valid.")
	})
}

// user is a user with an accepted key.
type user struct {
	id            string
	name          string
	email         string
	institutionID string
	organisation  string
}

// The users, of two organisations: neither sees what the other submits.
var (
	firstUser = user{
		id: "sandbox-user", name: "Sandbox User", email: "user@sandbox.invalid",
		institutionID: "sandbox", organisation: "Sandbox",
	}
	secondUser = user{
		id: "sandbox-second-user", name: "Second Sandbox User", email: "second-user@sandbox.invalid",
		institutionID: "sandbox-second", organisation: "Second Sandbox",
	}
)

type callerKey struct{}

// withCaller adds the user of a request's key to its context.
func withCaller(r *http.Request, u user) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), callerKey{}, u))
}

// caller is the user of a request's key; every request under /api/ has one.
func caller(r *http.Request) user {
	u, _ := r.Context().Value(callerKey{}).(user)
	return u
}

// owner is the user who submitted it. Records from before there were two users name none.
func (r record) owner() user {
	if r.UserID == secondUser.id {
		return secondUser
	}
	return firstUser
}
