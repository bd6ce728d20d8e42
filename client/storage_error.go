package client

import (
	"bytes"
	"encoding/xml"
	"net/http"

	"assay/client/i18n"
	"assay/client/plain"
)

// storageError is the Error of an answer of object storage other than 2xx. A denial is KindExpired, whatever its words:
// storages say it with 403, 401 and 400. A 400 that names another cause is judged by that.
func (c *Client) storageError(op string, resp *http.Response, body []byte) *Error {
	e := statusError(op, resp, body, c.now())
	e.Hint = ""
	code, message := storageBody(body)
	if !code.IsZero() {
		e.Code, e.Message = code, storageMessage(message, e.Message)
	}
	switch resp.StatusCode {
	case http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden:
		switch code.Verbatim() {
		case "EntityTooLarge", "EntityTooSmall", "InvalidRequest":
			e.Kind = KindRefused
		case "RequestTimeout", "IncompleteBody", "BadDigest":
			e.Kind = KindNetwork
		default:
			e.Kind, e.Message = KindExpired, i18n.T("The address for the transfer was denied: it may have expired.")
			if op == opArtifact {
				e.Message = i18n.T("The service's storage does not hand it out.") // a fresh link was tried
			}
		}
	}
	return e
}

// storageBody reads the XML that object storage says an error with.
func storageBody(body []byte) (code, message plain.Text) {
	var answer struct {
		XMLName xml.Name   `xml:"Error"`
		Code    plain.Text `xml:"Code"`
		Message plain.Text `xml:"Message"`
	}
	if !bytes.Contains(body, []byte("<Error")) || xml.Unmarshal(body, &answer) != nil {
		return code, message
	}
	return answer.Code.Folded(), answer.Message.Folded()
}

func storageMessage(own plain.Text, fallback string) string {
	if own.IsZero() {
		return fallback
	}
	return i18n.F("Storage says: %s", own)
}
