//go:build e2e && linux

package main

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
)

// stagedServices are what may answer at an address that a person has typed, all on loopback.
type stagedServices struct {
	other, login, silent, refuses, broken, proxyLogin, certificate *httptest.Server
}

func stageServices() *stagedServices {
	says := func(status int, kind, words string) *httptest.Server {
		return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.WriteHeader(status)
			_, _ = io.WriteString(w, words) // whoever asked may be gone
		}))
	}
	const data, page = "application/json", "text/html; charset=utf-8"
	s := &stagedServices{
		other:      says(http.StatusNotFound, data, `{"message":"no such route"}`),
		login:      says(http.StatusOK, page, "<!doctype html><title>Welcome</title><form><input name=room><button>Log in</button></form>"),
		silent:     httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })),
		refuses:    says(http.StatusUnauthorized, data, `{"message":"Unauthorized"}`),
		broken:     says(http.StatusServiceUnavailable, data, `{"message":"maintenance until noon"}`),
		proxyLogin: says(http.StatusProxyAuthRequired, page, "<!doctype html><title>Proxy</title>"),
	}
	s.certificate = httptest.NewUnstartedServer(http.NotFoundHandler())
	s.certificate.Config.ErrorLog = log.New(io.Discard, "", 0) // that somebody does not trust it is the point
	s.certificate.StartTLS()
	return s
}

func (s *stagedServices) close() {
	for _, server := range []*httptest.Server{s.other, s.login, s.silent, s.refuses, s.broken, s.proxyLogin, s.certificate} {
		server.CloseClientConnections()
		server.Close()
	}
}
