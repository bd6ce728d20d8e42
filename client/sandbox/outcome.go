package sandbox

import (
	"encoding/json"
	"math"

	"assay/client"
	"assay/client/plain"
	"assay/client/sandbox/forensics"
)

// outcomeOf puts findings into the form of the interface.
func outcomeOf(found findings) outcome {
	o := outcome{
		Status:   client.Status(found.status),
		Metadata: client.Metadata{FinalScore: score(found.score), Languages: texts(found.languages)},
		Models:   make([]client.Model, 0, len(found.models)),
	}
	words := "No analyser of the sandbox could evaluate this file."
	for _, m := range found.models {
		if m.Ensemble && m.Message != "" {
			words = m.Message
		}
		o.Models = append(o.Models, modelOf(m))
	}
	switch o.Status {
	case client.UnableToEvaluate:
		o.Metadata = client.Metadata{}
		o.Failure = &client.Failure{Code: plain.From(codeModelError), Message: plain.From(words + uploadAgain)}
	case client.NotApplicable:
		for _, reason := range found.reasons {
			o.Metadata.Reasons = append(o.Metadata.Reasons, client.Reason{Code: plain.From(reason.Code), Message: plain.From(reason.Message)})
		}
	}
	return o
}

// unable is the outcome of a submission that could not be processed, with every model that would have run.
func unable(media client.MediaType, message string) outcome {
	failure := &client.Failure{Code: plain.From(codeModelError), Message: plain.From(message)}
	encoded, err := json.Marshal(failure)
	if err != nil {
		encoded = nil // two texts always encode
	}
	models := waitingModels(media)
	for i := range models {
		models[i].Status, models[i].Code, models[i].Failure = client.UnableToEvaluate, plain.From(codeModelError), encoded
	}
	return outcome{Status: client.UnableToEvaluate, Failure: failure, Models: models}
}

// modelOf is the row of one analyser in the form of the interface.
func modelOf(m forensics.Model) client.Model {
	row := client.Model{
		Name: plain.From(m.Name), Status: client.Status(m.Status), Code: plain.From(m.Code),
		Prediction: score(m.Raw), Normalized: score(m.Score),
	}
	if m.Ensemble {
		row.Final = row.Normalized
	}
	if row.Status == client.NotApplicable { // the interface has null for its data; the reason is in the aggregation
		return row
	}
	if m.Data != nil {
		if data, err := json.Marshal(m.Data); err == nil {
			row.Data = data
		}
	}
	if row.Status == client.UnableToEvaluate {
		if failure, err := json.Marshal(client.Failure{Code: plain.From(m.Code), Message: plain.From(m.Message)}); err == nil {
			row.Failure = failure
		}
	}
	return row
}

func texts(all []string) []plain.Text {
	var out []plain.Text
	for _, text := range all {
		out = append(out, plain.From(text))
	}
	return out
}

// score is a number for JSON, which has neither infinity nor NaN.
func score(v *float64) client.Score {
	if v == nil || math.IsNaN(*v) || math.IsInf(*v, 0) {
		return client.Score{}
	}
	return client.NewScore(*v)
}
