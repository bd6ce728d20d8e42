package sandbox

import (
	"context"
	"net/http"
)

// user is one of those whose keys are accepted.
type user struct {
	id            string
	name          string
	email         string
	institutionID string
	organisation  string
}

// The users, of two organisations: neither sees anything of the other's.
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

// withCaller notes whose key a request carries.
func withCaller(r *http.Request, u user) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), callerKey{}, u))
}

// caller is whose key the request carries; every request under /api/ has one.
func caller(r *http.Request) user {
	u, _ := r.Context().Value(callerKey{}).(user)
	return u
}

// owner is the user who submitted. Records from before there were two users name none.
func (r record) owner() user {
	if r.UserID == secondUser.id {
		return secondUser
	}
	return firstUser
}
