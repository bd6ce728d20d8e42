package scenes

import "strings"

// The statuses of the interface, and an unknown one.
const (
	Fake             = "FAKE"
	Suspicious       = "SUSPICIOUS"
	Authentic        = "AUTHENTIC"
	NotApplicable    = "NOT_APPLICABLE"
	UnableToEvaluate = "UNABLE_TO_EVALUATE"
	Analyzing        = "ANALYZING"
	Unknown          = "INCONCLUSIVE"
)

// Answer is a result as the service sends it, but without the identifiers, dates and links that the service adds.
type Answer struct {
	FileName              string            `json:"filename"`
	OriginalFileName      string            `json:"originalFileName"`
	RequestID             string            `json:"requestId"`
	UploadedDate          string            `json:"uploadedDate"`
	MediaType             string            `json:"mediaType"`
	ShowAudioResult       bool              `json:"showAudioResult"`
	AudioRequestID        string            `json:"audioRequestId"`
	UserID                string            `json:"userId"`
	InstitutionID         string            `json:"institutionId"`
	ReleaseVersion        string            `json:"releaseVersion"`
	OverallStatus         string            `json:"overallStatus"`
	ResultsSummary        Summary           `json:"resultsSummary"`
	Models                []Model           `json:"models"`
	StorageLocation       string            `json:"storageLocation"`
	Thumbnail             string            `json:"thumbnail"`
	AggregationResultURL  string            `json:"aggregationResultUrl"`
	ModelMetadataURL      string            `json:"modelMetadataUrl"`
	AudioModelMetadataURL string            `json:"audioModelMetadataUrl"`
	Heatmaps              map[string]string `json:"heatmaps"`
	ExplainabilityURL     string            `json:"explainabilityUrl"`
}

// Summary is the ensemble's part of an answer.
type Summary struct {
	Status   string   `json:"status"`
	Metadata Metadata `json:"metadata"`
	Error    *Reason  `json:"error,omitempty"`
}

// Metadata is a further part of a summary.
type Metadata struct {
	Languages  []string `json:"languages,omitempty"`
	FinalScore *float64 `json:"finalScore,omitempty"`
	Reasons    []Reason `json:"reasons,omitempty"`
}

// Reason is why something could not be evaluated.
type Reason struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Model is a model's part of an answer.
type Model struct {
	Name       string         `json:"name"`
	Status     string         `json:"status"`
	Prediction *float64       `json:"predictionNumber"`
	Normalized *float64       `json:"normalizedPredictionNumber"`
	Rolling    *float64       `json:"rollingAvgNumber"`
	Final      *float64       `json:"finalScore"`
	Data       map[string]any `json:"data"`
	Error      *Reason        `json:"error"`
	Code       *string        `json:"code"`
}

// The release of most answers.
const release = "2.14.0"

// answer returns an answer with a status and models; the ensemble has the first model's score.
func answer(mediaType, status string, models ...Model) Answer {
	a := Answer{MediaType: mediaType, ReleaseVersion: release, OverallStatus: status, Models: models,
		ResultsSummary: Summary{Status: status}, Heatmaps: map[string]string{}}
	if len(models) > 0 && strings.Contains(models[0].Name, "ensemble") {
		a.ResultsSummary.Metadata.FinalScore = models[0].Final
	}
	return a
}

// withReasons returns an answer with reasons.
func withReasons(mediaType string, models []Model, reasons ...Reason) Answer {
	a := answer(mediaType, NotApplicable, models...)
	a.ResultsSummary.Metadata.Reasons = reasons
	return a
}

// notEvaluated returns an answer of which the processing failed.
func notEvaluated(mediaType string, models ...Model) Answer {
	a := answer(mediaType, UnableToEvaluate, models...)
	a.ResultsSummary.Error = &Reason{"model-error", "Processing took too long. Please upload the file again."}
	return a
}

// withLanguages adds the languages.
func (a Answer) withLanguages(languages ...string) Answer {
	a.ResultsSummary.Metadata.Languages = languages
	return a
}

// decided returns a model with a decision.
func decided(name, status string, score float64) Model {
	raw := score/100 + 0.0013
	m := Model{Name: name, Status: status, Prediction: &raw, Normalized: &score, Data: map[string]any{"score": raw}}
	switch status {
	case Fake:
		m.Data["decision"] = "ARTIFICIAL"
	case Authentic:
		m.Data["decision"] = "AUTHENTIC"
	}
	if strings.Contains(name, "ensemble") {
		m.Final = &score
	}
	return m
}

// rolling adds an average over time, as clips and recordings have.
func (m Model) rolling(average float64) Model {
	m.Rolling = &average
	return m
}

// unscored returns a model with a status but no number: still running, or decided without one.
func unscored(name, status string) Model { return Model{Name: name, Status: status} }

// failed returns a model that failed.
func failed(name string) Model {
	return Model{Name: name, Status: UnableToEvaluate, Error: &Reason{"model-error", "The model ran out of time."}}
}

// notApplicable returns a model that does not apply.
func notApplicable(name string) Model {
	code := "not_applicable"
	return Model{Name: name, Status: NotApplicable, Code: &code}
}
