package sandbox

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
)

// captured holds an answer that is to be changed before it is sent.
type captured struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header is the answer's header.
func (c *captured) Header() http.Header { return c.header }

// WriteHeader notes the status.
func (c *captured) WriteHeader(status int) { c.status = status }

// Write keeps the body.
func (c *captured) Write(p []byte) (int, error) { return c.body.Write(p) }

// reshape answers as next does, in the odd shapes of older or other services. An error's answer stays as it is.
func (s *Sandbox) reshape(w http.ResponseWriter, r *http.Request, next http.HandlerFunc, shapes []Effect) {
	for _, shape := range shapes {
		if shape == EffectPagesFrom1 || shape == EffectOldList {
			pageFrom1(r)
			break
		}
	}
	answer := &captured{header: w.Header(), status: http.StatusOK}
	next(answer, r)
	var body any
	decoder := json.NewDecoder(bytes.NewReader(answer.body.Bytes()))
	decoder.UseNumber()
	if answer.status/100 != 2 || decoder.Decode(&body) != nil {
		w.WriteHeader(answer.status)
		_, _ = w.Write(answer.body.Bytes()) // a client that has gone needs no answer
		return
	}
	for _, shape := range shapes {
		body = shaped(body, shape)
	}
	s.answer(w, answer.status, body)
}

// pageFrom1 turns a page counted from 1 into the handler's, counted from 0. Page 0 is the first one too, as services that
// count from 1 have it.
func pageFrom1(r *http.Request) {
	if page, err := strconv.Atoi(r.PathValue("page")); err == nil && page > 0 {
		r.SetPathValue("page", strconv.Itoa(page-1))
	}
}

// shaped is a decoded answer in another shape.
func shaped(body any, shape Effect) any {
	whole, isObject := body.(map[string]any)
	if !isObject {
		return body
	}
	switch shape {
	case EffectIDInside, EffectIDMissing:
		id := whole["requestId"]
		delete(whole, "requestId")
		if shape == EffectIDMissing {
			break
		}
		inside, isObject := whole["response"].(map[string]any)
		if !isObject { // a link's is a text
			inside = map[string]any{"message": whole["response"]}
			whole["response"] = inside
		}
		inside["requestId"] = id
	case EffectBareList:
		return whole["mediaList"]
	case EffectOldList:
		return map[string]any{"data": whole["mediaList"], "totalPages": whole["totalPages"]}
	case EffectPagesFrom1:
		if page, ok := whole["currentPage"].(json.Number); ok {
			if n, err := page.Int64(); err == nil {
				whole["currentPage"] = n + 1
			}
		}
	default:
		entries, isList := whole["mediaList"].([]any)
		if !isList {
			entries = []any{whole}
		}
		for _, e := range entries {
			if result, ok := e.(map[string]any); ok {
				shapeResult(result, shape)
			}
		}
	}
	return whole
}

// shapeResult changes a decoded media result.
func shapeResult(result map[string]any, shape Effect) {
	switch shape {
	case EffectUnknownStatus:
		result["overallStatus"] = "PROCESSING"
		if summary, ok := result["resultsSummary"].(map[string]any); ok {
			summary["status"] = "PROCESSING"
		}
	case EffectNullSummary:
		result["resultsSummary"] = nil
	case EffectTextBool:
		shown, _ := result["showAudioResult"].(bool)
		result["showAudioResult"] = "False"
		if shown {
			result["showAudioResult"] = "True"
		}
	case EffectNoOriginal:
		result["storageLocation"] = ""
	case EffectNoThumbnail:
		result["thumbnail"] = ""
	case EffectObjectScore:
		models, _ := result["models"].([]any)
		for _, m := range models {
			if model, ok := m.(map[string]any); ok {
				model["predictionNumber"] = map[string]any{"reason": "The sandbox was asked for this shape.", "decision": "NOT_EVALUATED"}
			}
		}
	}
}
