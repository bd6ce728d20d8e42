package text

import (
	"fmt"
	"html/template"
	"io"
	"strings"
	"unicode/utf8"
)

// Explain renders the explainability page: a complete, self-contained HTML
// document without scripts, links or external resources, with each analyser's
// result, a legend, and the text with its marks. text is the result of Decode for
// the analysed bytes; marks that don't fit it are left out.
func (r *Report) Explain(w io.Writer, text string) error {
	page := explainPage{Languages: strings.Join(r.Languages, ", "), Parts: explainParts(text, r.Marks)}
	for _, m := range r.Models {
		row := explainRow{Name: m.Name, Status: string(m.Status), Score: "none", Sentence: r.Conclusions[m.Name]}
		if m.Score != nil {
			row.Score = fmt.Sprintf("%.1f", *m.Score)
		}
		page.Rows = append(page.Rows, row)
	}
	if err := explainTemplate.Execute(w, page); err != nil {
		return fmt.Errorf("writing the explainability page: %w", err)
	}
	return nil
}

type explainPage struct {
	Languages string
	Rows      []explainRow
	Parts     []explainPart
}

type explainRow struct{ Name, Status, Score, Sentence string }

// explainPart is a part of the text; Kind is "" if it is not marked.
type explainPart struct{ Text, Kind, Title string }

// explainParts splits a text at its marks.
func explainParts(text string, marks []Mark) []explainPart {
	titles := map[string]string{MarkRepeated: "Said before", MarkOpening: "Begins like an earlier sentence"}
	var parts []explainPart
	at := 0
	boundary := func(i int) bool { return i == len(text) || utf8.RuneStart(text[i]) }
	for _, m := range marks {
		title, known := titles[m.Kind]
		if !known || m.Start < at || m.End <= m.Start || m.End > len(text) || !boundary(m.Start) || !boundary(m.End) {
			continue
		}
		if m.Start > at {
			parts = append(parts, explainPart{Text: text[at:m.Start]})
		}
		parts = append(parts, explainPart{text[m.Start:m.End], m.Kind, fmt.Sprintf("%s: %.0f of 100", title, m.Score)})
		at = m.End
	}
	if at < len(text) {
		parts = append(parts, explainPart{Text: text[at:]})
	}
	return parts
}

// Marks differ in their underline as well as in their colour. The policy in the head
// keeps a browser from loading anything, whatever the text contains.
var explainTemplate = template.Must(template.New("explain").Parse(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width">
<title>Where the analysers reacted</title>
<style>
body { font: 16px/1.5 sans-serif; max-width: 44em; margin: 2em auto; padding: 0 1em; color: #1b1b1b; background: #fff; }
table { border-collapse: collapse; width: 100%; margin: 1em 0; }
th, td { text-align: left; vertical-align: top; padding: .25em .75em .25em 0; border-bottom: 1px solid #ccc; }
mark { color: inherit; }
mark.repeated { background: #ffe2a8; border-bottom: 2px solid #8a5a00; }
mark.opening { background: #dbe9ff; border-bottom: 2px dashed #1f4e9c; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid #ccc; padding: 1em; }
</style>
</head>
<body>
<h1>Where the analysers reacted</h1>
<p>Sandbox: classic statistics of style, computed on this computer. Not a detector of machine-written text.
A mark shows where an analyser reacted, not what was made by a machine.</p>
<table>
<thead><tr><th>Model</th><th>Status</th><th>Score (0 to 100)</th><th>Finding</th></tr></thead>
<tbody>
{{range .Rows}}<tr><td>{{.Name}}</td><td>{{.Status}}</td><td>{{.Score}}</td><td>{{.Sentence}}</td></tr>
{{end}}</tbody>
</table>
{{with .Languages}}<p>Language: {{.}}</p>
{{end}}<h2>Legend</h2>
<ul>
<li><mark class="repeated">Filled, solid line</mark>: words that the text has said before, eight or more in a row</li>
<li><mark class="opening">Filled, dashed line</mark>: a sentence that begins like an earlier one</li>
</ul>
<h2>The text</h2>
<div class="text" dir="auto">{{range .Parts}}{{if .Kind}}<mark class="{{.Kind}}" title="{{.Title}}">{{.Text}}</mark>{{else}}{{.Text}}{{end}}{{end}}</div>
</body>
</html>
`))
