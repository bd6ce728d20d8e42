package sandbox

import (
	"net/http"
	"time"

	"assay/client"
	"assay/client/plain"
)

// sentResult is a media result with further keys that services of this kind send and client.Result leaves out.
type sentResult struct {
	client.Result
	Models    []sentModel `json:"models"` // instead of the embedded one
	Name      string      `json:"name"`
	MediaID   string      `json:"mediaId"`
	CreatedAt string      `json:"createdAt"`
	UpdatedAt string      `json:"updatedAt"`
}

// sentModel is a model result whose absent code is null, as the interface has it.
type sentModel struct {
	client.Model
	Code *plain.Text `json:"code"` // instead of the embedded one
}

// getResult answers with one result, its links signed anew (interface, operation 4).
func (s *Sandbox) getResult(w http.ResponseWriter, r *http.Request) {
	e, found := s.find(r.PathValue("requestId"))
	if !found || e.snapshot().record.owner() != caller(r) {
		s.fail(w, http.StatusNotFound, "not-found", "No media result exists for this requestId.")
		return
	}
	s.answer(w, http.StatusOK, s.result(r, e.snapshot()))
}

// result is a submission in the form of the interface. Before the bytes are here, its summary is null.
func (s *Sandbox) result(r *http.Request, at snapshot) sentResult {
	kept := at.record
	owner := kept.owner()
	sent := sentResult{
		Result: client.Result{
			FileName: plain.From(kept.FileName), OriginalFileName: plain.From(kept.OriginalFileName), RequestID: kept.RequestID,
			UploadedDate: plain.From(date(kept.date())), MediaType: kept.MediaType,
			UserID: owner.id, InstitutionID: &owner.institutionID, ReleaseVersion: plain.From(ReleaseVersion),
			OverallStatus:        client.Analyzing,
			AggregationResultURL: kept.objectKey() + "/" + aggregationFile,
			Heatmaps:             map[string]string{},
		},
		Models: []sentModel{}, Name: kept.FileName, MediaID: kept.MediaID,
		CreatedAt: date(kept.Asked), UpdatedAt: date(kept.Asked),
	}
	if kept.SocialLink != "" {
		sent.SocialLink, sent.SocialLinkDownloaded, sent.SocialLinkFailed = kept.SocialLink, client.Bool(kept.uploaded()), client.Bool(kept.LinkFailed)
	}
	if kept.SocialLink != "" && !kept.uploaded() {
		sent.OverallStatus, sent.AggregationResultURL = client.Downloading, "" // until the outcome, which follows
	}
	if o := kept.Outcome; o != nil {
		sent.UpdatedAt, sent.OverallStatus = date(o.Ended), o.Status
		sent.ResultsSummary = &client.Summary{Status: o.Status, Metadata: o.Metadata, Failure: o.Failure}
		sent.Models = sentModels(o.Models)
		if o.Release != "" {
			sent.ReleaseVersion = plain.From(o.Release)
		}
	}
	if !kept.uploaded() {
		return sent
	}
	object := storagePrefix + kept.objectKey()
	sent.StorageLocation = s.links.link(r, http.MethodGet, object)
	if kept.Outcome == nil {
		sent.UpdatedAt = date(kept.Uploaded)
		if kept.SocialLink != "" {
			return sent // while a link is being fetched, it has neither a summary nor models, as seen at services of this kind
		}
		sent.ResultsSummary = &client.Summary{Status: client.Analyzing}
		sent.Models = sentModels(at.live)
		return sent
	}
	o := kept.Outcome
	if o.Artifacts == "" {
		return sent
	}
	sent.ModelMetadataURL = s.links.link(r, http.MethodGet, object+"/"+aggregationFile)
	if o.Thumbnail {
		sent.Thumbnail = s.links.link(r, http.MethodGet, object+"/"+thumbnailFile)
	}
	if o.Explained {
		sent.ExplainabilityURL = s.links.link(r, http.MethodGet, object+"/"+explanationFile)
	}
	if sound, found := s.find(o.AudioID); found {
		sent.ShowAudioResult, sent.AudioRequestID = true, o.AudioID
		if heard := sound.snapshot().record; heard.Outcome != nil && heard.Outcome.Artifacts != "" {
			sent.AudioModelMetadataURL = s.links.link(r, http.MethodGet, storagePrefix+heard.objectKey()+"/"+aggregationFile)
		}
	}
	if kept.MediaType != client.Image {
		return sent
	}
	for _, m := range o.Models {
		name := m.Name.Verbatim()
		if _, usable := o.heatmapNumber(name); usable || o.invalidHeatmap(m) {
			sent.Heatmaps[name] = s.links.link(r, http.MethodGet, object+"/"+heatmapsPath+name+".png")
		}
	}
	return sent
}

func sentModels(models []client.Model) []sentModel {
	sent := make([]sentModel, 0, len(models))
	for _, m := range models {
		row := sentModel{Model: m}
		if !m.Code.IsZero() {
			row.Code = &m.Code
		}
		sent = append(sent, row)
	}
	return sent
}

// date is a time as the service writes it: ISO 8601 in UTC, to the millisecond.
func date(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
