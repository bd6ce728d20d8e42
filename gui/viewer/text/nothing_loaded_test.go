package text

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"assay/gui/look"
)

// counting is a server that counts what is asked of it.
func counting(t *testing.T) (address string, asked *atomic.Int64) {
	t.Helper()
	asked = &atomic.Int64{}
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	t.Cleanup(server.Close)
	return server.URL, asked
}

func TestNothingOfAPageIsRunOrLoaded(t *testing.T) {
	for name, body := range map[string]string{
		"scripts": `<script src="URL/s.js"></script><script>fetch("URL/f")</script><body onload="fetch('URL/o')"><p onclick="fetch('URL')">kept <mark onmouseover="fetch('URL')">marked</mark>`,
		"pictures and players": `<p>kept <img src="URL/i.png" srcset="URL/i2.png 2x" onerror="fetch('URL')"><video src="URL/v" poster="URL/p"></video>
			<audio src="URL/a"></audio><picture><source srcset="URL/s"></picture><mark>marked</mark><body background="URL/b">`,
		"frames and plug-ins": `<p>kept <mark>marked</mark><iframe src="URL/f" srcdoc="<img src=URL>"></iframe><object data="URL/o"></object><embed src="URL/e"><applet code="URL"></applet>`,
		"style sheets":        `<link rel=stylesheet href="URL/c.css"><style>@import "URL/i.css"; p{background:url(URL/b)} @font-face{src:url(URL/t)}</style><p style="background:url(URL/x)">kept <mark>marked</mark>`,
		"redirections":        `<meta http-equiv=refresh content="0;url=URL/r"><base href="URL/"><p>kept <mark>marked</mark><link rel=prefetch href="URL/pre"><link rel=dns-prefetch href="URL">`,
		"links":               `<p>kept <a href="URL/l?token=secret" ping="URL/ping">there</a> <a href="javascript:fetch('URL')">run</a> <a href="file:///etc/passwd">file</a> <mark><a href="data:text/html,<img src=URL>">marked</a></mark>`,
		"drawings":            `<p>kept <mark>marked</mark><svg><image href="URL/s"/><script>fetch("URL")</script><foreignObject><img src="URL/i"></foreignObject></svg>`,
		"forms":               `<form action="URL/f" id=f><input type=image src="URL/i"><button formaction="URL/b">send</button><p>kept <mark>marked</mark></form><script>f.submit()</script>`,
		"Markdown":            `<p>kept ![x](URL/m.png) [y](URL/n) <mark>marked</mark>`,
	} {
		t.Run("A7 "+name, func(t *testing.T) {
			address, asked := counting(t)
			d := newDesk(t, &result{page: []byte(strings.ReplaceAll(body, "URL", address))}, look.ModeLight, 560, 470)
			d.show("a")
			d.tapAll()
			d.pane.step(1)
			d.window.Canvas().Capture()
			shown := d.drawn()
			if !strings.Contains(shown, "kept") || !strings.Contains(shown, "marked") || strings.Contains(shown, "fetch(") {
				t.Errorf("shown: %q", shown)
			}
			if strings.Contains(d.pane.below.Text(), "secret") {
				t.Errorf("the query of a link is shown: %q", d.pane.below.Text())
			}
			if len(d.pane.prose.Passages) != 1 {
				t.Errorf("%d passages", len(d.pane.prose.Passages))
			}
			if name != "Markdown" && name != "links" && !strings.Contains(d.pane.notice.Text(), "Nothing of it was run or loaded.") {
				t.Errorf("notice: %q", d.pane.notice.Text())
			}
			if n := asked.Load(); n != 0 {
				t.Errorf("%d requests arrived", n)
			}
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
			if err != nil {
				t.Fatal(err)
			}
			answer, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			if err := answer.Body.Close(); err != nil || asked.Load() != 1 {
				t.Fatal("the server would not have counted a request")
			}
		})
	}
}
