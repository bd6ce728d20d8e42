package client

import (
	"context"
	"encoding/json"
	"net/http"

	"assay/client/i18n"
)

// Result fetches one result with fresh pre-signed URLs (interface, operation 4).
func (c *Client) Result(ctx context.Context, requestID string) (*Result, error) {
	const op = "fetch the result"
	body, err := c.do(ctx, call{
		op:     op,
		method: http.MethodGet,
		path:   []string{"api", "media", "users", requestID},
	})
	if err != nil {
		return nil, err
	}
	return unlessDone(ctx, op, func() (*Result, error) {
		r := new(Result)
		if err := json.Unmarshal(body, r); err != nil {
			return nil, &Error{Op: op, Kind: KindAnswer, Status: http.StatusOK, Message: i18n.T("The service's answer is not a result.")}
		}
		if r.RequestID != "" && r.RequestID != requestID {
			return nil, &Error{Op: op, Kind: KindAnswer, Status: http.StatusOK, Message: i18n.T("The service answered with another file's result.")}
		}
		return r, nil
	})
}
