package report

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"

	"assay/client/i18n"
	"assay/client/plain"
)

// SchemaReport is the schema name of a report that is one JSON document.
const SchemaReport = "assay.report/1"

// writeJSON writes one document: the schema name, the language of its sentences, the case of the results, if any, and the results.
func writeJSON(ctx context.Context, w io.Writer, o Options, results iter.Seq2[*Result, error]) error {
	start := `{"schema": "` + SchemaReport + `", "language": "` + i18n.Language() + `", `
	if o.Case != nil {
		line, err := jsonLine(o.Case)
		if err != nil {
			return err
		}
		start += `"case": ` + string(line) + `, `
	}
	if _, err := io.WriteString(w, start+`"results": [`); err != nil { //nolint:forbidigo // a file, no terminal
		return err
	}
	before := "\n"
	for r, err := range results {
		if err != nil {
			return err
		}
		if err := r.addEvidence(ctx, o); err != nil {
			return err
		}
		line, err := jsonLine(r)
		if err != nil {
			return err
		}
		if _, err := w.Write(append([]byte(before), line...)); err != nil {
			return err
		}
		before = ",\n"
	}
	_, err := w.Write([]byte("\n]}\n"))
	return err
}

// writeNDJSON writes each Result as one line.
func writeNDJSON(_ context.Context, w io.Writer, _ Options, results iter.Seq2[*Result, error]) error {
	for r, err := range results {
		if err != nil {
			return err
		}
		line, err := jsonLine(r)
		if err != nil {
			return err
		}
		if _, err := w.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return nil
}

// jsonLine encodes a Result or a Case as one line, with hidden characters escaped.
func jsonLine(r any) ([]byte, error) {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(r); err != nil {
		return nil, fmt.Errorf("encode the report: %w", err)
	}
	return plain.JSONLine(buffer.Bytes())
}
