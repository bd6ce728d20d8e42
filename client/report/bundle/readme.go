package bundle

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"assay/client/custody"
	"assay/client/i18n"
	"assay/client/verdict"
)

//go:embed readme.html
var readmeText string

var readmePage = sync.OnceValue(func() *template.Template { return template.Must(template.New("readme").Parse(readmeText)) })

// guides are the files that say how a bundle is read and checked.
type guides struct{ html, text, checker []byte }

// guide is one paragraph, and the command after it, in no language yet.
type guide struct {
	heading bool
	text    i18n.Key
	command string // also a fingerprint
}

// guideOf says in paragraphs what the bundle is and how to check it.
func (w *writer) guideOf() (all []guide) {
	add := func(text i18n.Key, command string) { all = append(all, guide{text: text, command: command}) }
	heading := func(text i18n.Key) { all = append(all, guide{heading: true, text: text}) }
	if w.Service.Sandbox {
		add(verdict.SandboxNote, "")
	}
	add("This bundle contains results of a media deepfake-detection service, and what they are based on: reports, answers, artifacts, entries of the custody log, and the media if chosen. Start with data/report.html.", "")
	heading("How to check it")
	add("With Assay, without a network: drop the bundle on its window, or call:", "assay verify .")
	add("Without Assay, with the commands below, in this folder. This one checks that every file is as it was written (on macOS, use shasum -a 256 instead of sha256sum):",
		"sha256sum -c "+ManifestFile+" "+TagManifestFile)
	if w.o.Key == nil {
		add("This bundle has no seal: anyone who changes a file can also make new manifests.", "")
	} else {
		add("This one checks that the seal is on these files, made with the key that the bundle names:", fmt.Sprintf("ssh-keygen -Y verify -f %s -I %s -n %s -s %s < %s",
			AllowedSignersFile, SealIdentity, SealNamespace, SignatureFile, TagManifestFile))
		add("By itself the seal proves only that nothing was changed after it was made. To know who made it, ask the desk for its fingerprint in another way, and compare. The fingerprint of this seal:", w.done.Fingerprint)
	}
	if w.o.Ask != nil && len(w.o.Authorities) > 0 {
		add("Time stamps, if there are any, prove that the bundle existed at that time. The file seal/stamps.txt has a command that checks each of them.", "")
	} else {
		add("There is no time stamp: the times are those of the clocks of this computer and of the service.", "")
	}
	if w.proved {
		add("This one checks that each entry is in the custody log. Each proof contains the log's signed checkpoint:",
			`for p in `+CustodyFolder+`*`+ProofEnding+`; do python3 `+ProofCheckFile+` "$p" "${p%`+ProofEnding+`}`+EntryEnding+`"; done`)
	}
	if w.signed {
		add("This one checks that judgements and sign-offs of colleagues are as their computers signed them. It prints nothing but successes. Compare the keys with those of the people, in another way:",
			`for e in `+DeskFolder+`*`+SignedEnding+`; do b="${e%`+SignedEnding+`}"; openssl pkeyutl -verify -pubin -inkey "`+DeskFolder+`$(sed -n 5p "$e")`+DeviceKeyEnding+`" -rawin -in "$e" -sigfile "$b`+SignatureEnding+
				`"; [ ! -f "$b`+ContentEnding+`" ] || [ "$(sha256sum < "$b`+ContentEnding+`" | cut -c1-64)" = "$(sed -n 9p "$e")" ] || echo "$e: changed"; done`)
	}
	add("None of this says whether a verdict is right. It shows that the record of what the service said, and of what was done with the files, is unchanged.", "")
	return all
}

// said is a paragraph in a language.
type said struct {
	Heading       bool
	Text, Command string
}

// inLanguage is the guide in one language.
type inLanguage struct {
	Code, Name string
	Title      string
	Guide      []said
}

// guides makes the files, in all languages, beginning with the one in use.
func (w *writer) guides() (g guides, err error) {
	names := i18n.All()
	slices.SortStableFunc(names, func(a, b i18n.Name) int { return preferred(b) - preferred(a) })
	var languages []inLanguage
	for _, name := range names {
		if err := i18n.In(name.Code, func() error {
			in := inLanguage{Code: name.Code, Name: name.Text, Title: i18n.T("Evidence bundle")}
			for _, p := range w.guideOf() {
				in.Guide = append(in.Guide, said{p.heading, i18n.T(p.text), p.command})
			}
			languages = append(languages, in)
			return nil
		}); err != nil {
			return g, err
		}
	}
	var page bytes.Buffer
	err = readmePage().Execute(&page, map[string]any{
		"Language": i18n.Language(), "Title": w.title(), "Languages": languages, "Lacks": w.done.Lacks, "LacksHeading": i18n.T("What is missing"),
		"Report": ReportName + ".html", "PDF": w.has(ReportName + ".pdf"), "PDFFile": ReportName + ".pdf",
	})
	return guides{page.Bytes(), textOf(w.title(), w.done.Lacks, languages), custody.ProofChecker}, err
}

// preferred is 1 for the language in use.
func preferred(name i18n.Name) int {
	if name.Code == i18n.Language() {
		return 1
	}
	return 0
}

// has reports whether a file of the payload was written.
func (w *writer) has(name string) bool {
	return slices.ContainsFunc(w.payload, func(e entry) bool { return e.name == name })
}

// textOf is the guide as a text.
func textOf(title string, lacks []string, languages []inLanguage) []byte {
	var text bytes.Buffer
	text.WriteString(title + "\n")
	if len(lacks) > 0 {
		text.WriteString("\n" + i18n.T("What is missing") + ":\n")
		for _, sentence := range lacks {
			text.WriteString(wrapped("- " + sentence))
		}
	}
	for _, in := range languages {
		text.WriteString("\n\n=== " + in.Name + " ===\n")
		for _, p := range in.Guide {
			text.WriteString("\n" + wrapped(p.Text))
			if p.Heading {
				text.WriteString(strings.Repeat("-", utf8.RuneCountInString(p.Text)) + "\n")
			}
			if p.Command != "" {
				text.WriteString("\n    " + p.Command + "\n")
			}
		}
	}
	return text.Bytes()
}

// wrapWidth is the width of lines of text, in characters.
const wrapWidth = 92

// wrapped breaks a paragraph into lines.
func wrapped(paragraph string) string {
	var out strings.Builder
	width := 0
	for _, word := range strings.Fields(paragraph) {
		n := utf8.RuneCountInString(word)
		switch {
		case width == 0:
		case width+1+n > wrapWidth:
			out.WriteByte('\n')
			width = 0
		default:
			out.WriteByte(' ')
			width++
		}
		out.WriteString(word)
		width += n
	}
	return out.String() + "\n"
}
