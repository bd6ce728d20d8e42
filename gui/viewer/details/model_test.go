package details_test

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	"assay/client"
	"assay/client/assert"
	"assay/client/media/facts"
	"assay/client/submission"
	"assay/gui/present/presenttest"
	"assay/gui/viewer/details"
)

func group(t *testing.T, d details.Details, heading string) details.DetailGroup {
	t.Helper()
	for _, g := range d.Groups {
		if g.Heading == heading {
			return g
		}
	}
	t.Fatalf("no group %q in %+v", heading, d.Groups)
	return details.DetailGroup{}
}

func values(g details.DetailGroup) []string {
	var all []string
	for _, r := range g.Rows {
		all = append(all, r.Label+": "+r.Value)
	}
	return all
}

func TestDetailsOfAFile(t *testing.T) {
	zone := time.FixedZone("", 2*3600)
	at := time.Date(2026, 5, 1, 10, 20, 30, 0, zone)
	s := submission.Submission{
		ID: "1", Path: "/home/desk/harbour\u202e.jpg", Name: "harbour\u202e.jpg", SendName: "harbour.jpg", Source: submission.Dropped, Type: client.Image,
		Size: 1234567, SHA256: "9f86d081", Accepted: at, Uploaded: at.Add(time.Second), Answered: at.Add(time.Minute), RequestID: "r-1",
		Result: presenttest.Result(t, `{"overallStatus":"AUTHENTIC","releaseVersion":"3.1.4","languages":["en"]}`),
	}
	f := facts.Facts{
		Format: facts.PNG, Extension: "jpg", Misnamed: true, Size: 1234567, Width: 40, Height: 30, Orientation: 6,
		EXIF: []facts.Field{
			{Key: "Model", Label: "Camera", Value: "X"},
			{Key: "GPSPosition", Label: "Position", Value: "-33.857056, 151.211111", Raw: "33° S", Identifying: true},
		},
	}
	d := details.Of(s, f, nil, false)
	t.Run("the file's facts, as this computer found them", func(t *testing.T) {
		g := group(t, d, "File")
		want := []string{
			"Name: harbour\uFFFD.jpg", "Name as sent: harbour.jpg", "Path: /home/desk/harbour\uFFFD.jpg", "Size: 1.2 MB (1,234,567 bytes)",
			"Kind: PNG picture, by its first bytes; its name ends in .jpg", "SHA-256: 9f86d081", "Came from: dropped into the window",
		}
		assert.Equal(t, want, values(g))
		for _, r := range g.Rows {
			if r.Label == "Path" && r.Copy != s.Path {
				t.Errorf("copying the path gives %q", r.Copy)
			}
		}
	})
	t.Run("R17 the release is shown", func(t *testing.T) {
		if got := values(group(t, d, "Answer")); len(got) < 2 || got[0] != "Request: r-1" || got[1] != "Release: 3.1.4" {
			t.Errorf("got %q", got)
		}
	})
	t.Run("times are told with their zone", func(t *testing.T) {
		want := []string{"Accepted: 1 May 2026, 10:20:30 (UTC+02:00)", "Sent: 1 May 2026, 10:20:31 (UTC+02:00)", "Answered: 1 May 2026, 10:21:30 (UTC+02:00)"}
		assert.Equal(t, want, values(group(t, d, "Times")))
	})
	t.Run("dimensions as stored", func(t *testing.T) {
		if got := values(group(t, d, "Picture")); len(got) != 1 || got[0] != "Dimensions: 40 × 30 pixels, stored turned a quarter to the right" {
			t.Errorf("got %q", got)
		}
	})
	t.Run("what identifies is marked, and a position stays text", func(t *testing.T) {
		want := []details.DetailRow{
			{Label: "Camera", Value: "X", Copy: "X"},
			{Label: "Position", Value: "-33.857056, 151.211111 (33° S)", Copy: "-33.857056, 151.211111", Identifying: true},
		}
		assert.Equal(t, want, group(t, d, "EXIF").Rows)
	})
	t.Run("each group says whose words it holds", func(t *testing.T) {
		for heading, want := range map[string]string{"File": "from this computer", "Answer": "from the service", "EXIF": "from the file"} {
			if got := group(t, d, heading).From; got != want {
				t.Errorf("%s is %q, want %q", heading, got, want)
			}
		}
	})
}

func TestDetailsOfACopyWithoutMetadata(t *testing.T) {
	s := submission.Submission{Path: "/desk/harbour.jpg", Name: "harbour.jpg", SendName: "picture-1a2b.jpg", Size: 2000, SHA256: "aa",
		Copy: submission.Copy{SHA256: "bb", Size: 1500, Removed: "position,author"}}
	g := group(t, details.Of(s, facts.Facts{}, nil, false), "File")
	want := []string{"Name: harbour.jpg", "Name as sent: picture-1a2b.jpg", "Path: /desk/harbour.jpg", "Size: 2 KB (2,000 bytes)",
		"Kind: not recognised by its first bytes", "SHA-256: aa", "SHA-256 as sent: bb", "Size as sent: 1 KB (1,500 bytes)",
		"Left out of the copy: " + facts.Kind("position").Label() + ", " + facts.Kind("author").Label()}
	assert.Equal(t, want, values(g)[:len(want)])
	t.Run("with nothing in the file that identifies", func(t *testing.T) {
		s.Copy.Removed = ""
		g := group(t, details.Of(s, facts.Facts{}, nil, false), "File")
		if got := values(g)[8]; got != "Left out of the copy: nothing was found that identifies" {
			t.Errorf("%q", got)
		}
	})
}

func TestDetailsLeaveOutWhatIsAbsent(t *testing.T) {
	d := details.Of(submission.Submission{ID: "1", Link: "https://example.org/a", Name: "example.org/a"}, facts.Facts{}, nil, false)
	for _, g := range d.Groups {
		for _, r := range g.Rows {
			if r.Value == "" || r.Value == "0" || strings.Contains(strings.ToLower(r.Value), "unknown") {
				t.Errorf("%s: %q", r.Label, r.Value)
			}
		}
		if g.Heading == "EXIF" || g.Heading == "Picture" {
			t.Errorf("an empty group %q", g.Heading)
		}
	}
}

func TestDetailsOfALink(t *testing.T) {
	d := details.Of(submission.Submission{ID: "1", Link: "https://example.org/a", Name: "example.org/a"}, facts.Facts{EXIF: []facts.Field{{Label: "Camera", Value: "X"}}}, nil, true)
	if got := group(t, d, "EXIF").From; got != "from the service's copy of the file" {
		t.Errorf("EXIF is %q", got)
	}
}

func TestDetailsWithoutAFile(t *testing.T) {
	d := details.Of(submission.Submission{ID: "1", Name: "a.jpg", Path: "/a.jpg", Size: 10}, facts.Facts{}, fmt.Errorf("opening: %w", fs.ErrNotExist), false)
	if d.Problem != "What the file says about itself can't be shown. The file is no longer where it was." {
		t.Errorf("problem %q", d.Problem)
	}
	if got := values(group(t, d, "File")); len(got) != 3 {
		t.Errorf("rows %q", got)
	}
	for _, g := range d.Groups {
		if g.State != "" {
			t.Errorf("a state of credentials, %q, of a file that was not read", g.State)
		}
	}
}

func TestDetailsOfContentCredentials(t *testing.T) {
	for name, c := range map[string]struct {
		credentials facts.Credentials
		state       details.CredentialState
		text        string
	}{
		"none":                           {facts.Credentials{}, "None", "No content credentials in this file. Most files have none: that says nothing about it."},
		"a kind that is not looked into": {facts.Credentials{NotSearched: true}, "None", "Assay does not look for content credentials in this kind of file. That says nothing about it."},
		"intact": {facts.Credentials{State: facts.Intact}, "Intact",
			"Content credentials are present; signature and content match. Who signed is as stated in the file: the certificate was not checked against a list."},
		"not confirmed": {facts.Credentials{State: facts.NotConfirmed, Reason: "The file was changed after it was signed."}, "Not confirmed",
			"Content credentials are present, but could not be confirmed. The file was changed after it was signed. What they say is shown as stated."},
	} {
		t.Run(name, func(t *testing.T) {
			g := group(t, details.Of(submission.Submission{ID: "1"}, facts.Facts{Credentials: c.credentials}, nil, false), "Content credentials (C2PA)")
			if g.State != c.state || g.Text != c.text {
				t.Errorf("%q, %q", g.State, g.Text)
			}
			for _, word := range []string{"authentic", "genuine", "real", "trusted", "verified", "suspicious"} {
				if strings.Contains(strings.ToLower(string(g.State)+g.Text), word) {
					t.Errorf("it says %q", word)
				}
			}
		})
	}
	t.Run("what they state", func(t *testing.T) {
		g := group(t, details.Of(submission.Submission{ID: "1"}, facts.Facts{Credentials: facts.Credentials{
			State: facts.Intact, Signer: "A. Photographer", Organisation: "The Desk", Issuer: "An Issuer", Algorithm: "ES256", Earlier: 1,
			Stamped: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
			Manifest: facts.Manifest{Title: "Harbour", Ingredients: 2, Generators: []facts.Named{{Key: "claim_generator", Value: "Camera"}, {Key: "claim_generator_info", Value: "Camera"}},
				Actions: []facts.Action{{Action: "c2pa.created", SourceType: "http://cv.iptc.org/newscodes/digitalsourcetype/digitalCapture", Agent: "Camera/2"}, {Action: "c2pa.color_adjustments"}, {Action: "c2pa.color_adjustments"}}},
		}}, nil, false), "Content credentials (C2PA)")
		want := []string{
			"Signed by: A. Photographer, The Desk", "Certificate issued by: An Issuer", "Signed at, as stated: 2 Jan 2026, 03:04:05 (UTC+00:00)", "Made with: Camera", "Title: Harbour",
			"Action: created, source type digitalCapture, with Camera/2", "Action: color adjustments (2 times)", "Made from: 2 other files, as stated", "Earlier credentials: 1 set, not checked", "Signature: ES256",
		}
		assert.Equal(t, want, values(g))
	})
}
