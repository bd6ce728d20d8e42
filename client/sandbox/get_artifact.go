package sandbox

import (
	"net/http"
	"path"
	"strings"
)

const heatmapsPath = "heatmaps/"

// getArtifact serves what a signed link in a result leads to: the original, the thumbnail, the aggregation JSON, a
// heatmap or a text's explanation. Where the link is right but there is no such file it is denied, as storage does that lists nothing.
func (s *Sandbox) getArtifact(w http.ResponseWriter, r *http.Request) {
	if err := s.links.check(r.Method, r.URL); err != nil {
		s.deny(w, err.Error())
		return
	}
	e, found := s.findObject(r)
	if !found {
		s.deny(w, "Access Denied")
		return
	}
	name, contentType, found := e.snapshot().record.artifact(r.PathValue("artifact"))
	if !found {
		s.deny(w, "Access Denied")
		return
	}
	file, err := s.folder.root.Open(name)
	if err != nil {
		s.deny(w, "Access Denied") // replaced in this moment
		return
	}
	defer file.Close() //nolint:errcheck // it was only read
	facts, err := file.Stat()
	if err != nil {
		s.log.Error("a file can't be read", "error", err)
		s.storageFail(w, http.StatusInternalServerError, "InternalError", "The sandbox could not read the file.")
		return
	}
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Content-Security-Policy", "sandbox") // an upload is a stranger's: a browser runs nothing of it
	http.ServeContent(w, r, "", facts.ModTime(), file)
}

// artifact finds the file behind a path below the object's; "" is the object itself.
func (r record) artifact(below string) (name, contentType string, found bool) {
	if !r.uploaded() {
		return "", "", false
	}
	if below == "" {
		return path.Join(objectsDir, r.Object), kinds[r.Extension].contentType, true
	}
	o := r.Outcome
	if o == nil || o.Artifacts == "" {
		return "", "", false
	}
	switch dir := path.Join(artifactsDir, o.Artifacts); {
	case below == aggregationFile:
		return path.Join(dir, aggregationFile), "application/json", true
	case below == explanationFile && o.Explained:
		return path.Join(dir, explanationFile), "text/html; charset=utf-8", true
	case below == thumbnailFile && o.Thumbnail:
		return path.Join(dir, thumbnailFile), "image/jpeg", true
	default:
		model, isHeatmap := strings.CutPrefix(below, heatmapsPath)
		if number, kept := o.heatmapNumber(strings.TrimSuffix(model, ".png")); isHeatmap && kept {
			return path.Join(dir, heatmapFile(number)), "image/png", true
		}
		return "", "", false
	}
}
