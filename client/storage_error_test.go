package client_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"assay/client"
)

func TestStorageErrors(t *testing.T) {
	for _, c := range []struct {
		status int
		code   string
		kind   client.Kind
	}{
		{403, "AccessDenied", client.KindExpired},
		{400, "ExpiredToken", client.KindExpired},
		{400, "", client.KindExpired},
		{401, "", client.KindExpired},
		{400, "EntityTooLarge", client.KindRefused},
		{413, "EntityTooLarge", client.KindRefused},
		{400, "RequestTimeout", client.KindNetwork},
		{400, "IncompleteBody", client.KindNetwork},
		{503, "SlowDown", client.KindBusy},
		{500, "InternalError", client.KindService},
	} {
		t.Run(fmt.Sprintf("%d %s is %s", c.status, c.code, c.kind), func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/xml")
				w.WriteHeader(c.status)
				if c.code != "" {
					_, _ = fmt.Fprintf(w, `<?xml version="1.0"?><Error><Code>%s</Code><Message>So it is.</Message></Error>`, c.code)
				}
			})
			_, err := connect(t, s.URL).Artifact(t.Context(), s.URL+"/x?sig=secret", 100)
			wantKind(t, err, c.kind)
			e := failure(t, err)
			if e.Code.String() != c.code {
				t.Errorf("code %q", e.Code)
			}
			if c.kind != client.KindExpired && !strings.Contains(e.Message, "So it is.") {
				t.Errorf("storage's own words are lost: %q", e.Message)
			}
		})
	}
}

func TestPlainStorageIsForALoopbackServiceAlone(t *testing.T) {
	s := serve(t, answer(http.StatusOK, "x"))
	c, err := client.New(client.Options{BaseURL: "https://service.example"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Artifact(t.Context(), s.URL+"/x", 100)
	wantKind(t, err, client.KindAnswer)
	if len(s.seen()) != 0 {
		t.Error("a request was made to it")
	}
}
