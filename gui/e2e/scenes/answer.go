package scenes

import "strings"

// The statuses of the interface, and one that nobody has heard of.
const (
	Fake             = "FAKE"
	Suspicious       = "SUSPICIOUS"
	Authentic        = "AUTHENTIC"
	NotApplicable    = "NOT_APPLICABLE"
	UnableToEvaluate = "UNABLE_TO_EVALUATE"
	Analyzing        = "ANALYZING"
	Unknown          = "INCONCLUSIVE"
)

// Answer is a media result as the service sends it, without what the service adds: identifiers, dates and links.
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

// Summary is the ensemble's.
type Summary struct {
	Status   string   `json:"status"`
	Metadata Metadata `json:"metadata"`
	Error    *Reason  `json:"error,omitempty"`
}

// Metadata is what a summary adds.
type Metadata struct {
	Languages  []string `json:"languages,omitempty"`
	FinalScore *float64 `json:"finalScore,omitempty"`
	Reasons    []Reason `json:"reasons,omitempty"`
}

// Reason is why something could not be judged.
type Reason struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Model is one model's row.
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

// The release that most answers come from.
const release = "2.14.0"

// answer is one of a status, with its models; the first one's score is the ensemble's.
func answer(mediaType, status string, models ...Model) Answer {
	a := Answer{MediaType: mediaType, ReleaseVersion: release, OverallStatus: status, Models: models,
		ResultsSummary: Summary{Status: status}, Heatmaps: map[string]string{}}
	if len(models) > 0 && strings.Contains(models[0].Name, "ensemble") {
		a.ResultsSummary.Metadata.FinalScore = models[0].Final
	}
	return a
}

// withReasons is an answer with reasons.
func withReasons(mediaType string, models []Model, reasons ...Reason) Answer {
	a := answer(mediaType, NotApplicable, models...)
	a.ResultsSummary.Metadata.Reasons = reasons
	return a
}

// notEvaluated is an answer of a failure.
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

// decided is a model that came to a decision.
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

// rolling adds an average over time, of clips and recordings.
func (m Model) rolling(average float64) Model {
	m.Rolling = &average
	return m
}

// unscored is a model with a status alone: one at work, or one that came to a decision and told no number.
func unscored(name, status string) Model { return Model{Name: name, Status: status} }

// failed is a model that broke down.
func failed(name string) Model {
	return Model{Name: name, Status: UnableToEvaluate, Error: &Reason{"model-error", "The model ran out of time."}}
}

// notApplicable is a model that does not apply.
func notApplicable(name string) Model {
	code := "not_applicable"
	return Model{Name: name, Status: NotApplicable, Code: &code}
}
