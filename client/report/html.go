package report

import (
	"context"
	_ "embed"
	"html/template"
	"io"
	"iter"
	"sync"

	"assay/client/i18n"
)

//go:embed page.html
var pageText string

// page is a report's document; each of its templates writes one part, so that only one result is in memory at a time. It loads nothing and runs nothing.
var page = sync.OnceValue(func() *template.Template { return template.Must(template.New("page").Parse(pageText)) })

// writeHTML writes one page with all results, which any browser can show and print without a network.
func writeHTML(ctx context.Context, w io.Writer, o Options, results iter.Seq2[*Result, error]) error {
	if err := page().ExecuteTemplate(w, "head", headOf(o)); err != nil {
		return err
	}
	aboutCase := func() error {
		return page().ExecuteTemplate(w, "case", caseSection(o.Case))
	}
	if o.Case != nil && !o.Case.resultFirst() {
		if err := aboutCase(); err != nil {
			return err
		}
	}
	for r, err := range results {
		if err != nil {
			return err
		}
		s, err := sectionOf(ctx, r, o)
		if err != nil {
			return err
		}
		if err := page().ExecuteTemplate(w, "result", s); err != nil {
			return err
		}
	}
	if ResultFirst(o) {
		if err := aboutCase(); err != nil {
			return err
		}
	}
	return page().ExecuteTemplate(w, "foot", map[string]string{"Verify": o.verifyText(), "Nothing": i18n.T("Made by Assay. This page loads nothing from a network and runs no code.")})
}
