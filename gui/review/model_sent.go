package review

import (
	"path/filepath"
	"strings"

	"assay/client"
	"assay/client/i18n"
	"assay/client/intake"
	"assay/client/media"
	"assay/client/submission"
)

// Sum is the size in bytes and the SHA-256, in hexadecimal, of what would be sent; zero while they are not known.
type Sum struct {
	Size   int64
	SHA256 string
}

// Made is the copy that would be sent of a file that the service does not take as it is, or why there is none.
type Made struct {
	Sum
	Extension string // of the name that is sent
	Format    string // for the person, such as "JPEG"
	Note      string // what is different in it, a sentence or ""
	Err       error
}

// Summed sets what a submission's copy without metadata would be.
func (l *Review) Summed(id string, sum Sum) { l.sums[id] = sum }

// Made sets the copy that a submission needs.
func (l *Review) Made(id string, made Made) { l.made[id] = made }

// HasCopy reports whether the copy that a submission needs is known.
func (l *Review) HasCopy(id string) bool { return l.made[id].SHA256 != "" }

// asItIs is what would be sent with its metadata: the file, or the copy that the service takes.
func (l *Review) asItIs(s submission.Submission) Sum {
	if s.Needs != submission.NeedsNothing {
		return l.made[s.ID].Sum
	}
	return Sum{Size: s.Size, SHA256: s.SHA256}
}

// tabulate sets the table of what would be sent of a file.
func (l *Review) tabulate(sheet *SheetContent, s submission.Submission, how Choice) {
	sheet.Heads = [2]string{i18n.T("As it is"), i18n.T("Without metadata")}
	name, whole, plain := nameAsSent(s, how), l.asItIs(s), l.sums[s.ID]
	copied := s.Needs != submission.NeedsNothing
	if copied {
		made := l.made[s.ID]
		if made.Format == "" && s.Type == client.Image {
			made.Format, made.Extension = "JPEG", ".jpg" // of every picture
		}
		sheet.Heads[0] = i18n.T("Copy")
		sheet.Plain.Means = i18n.T("The copy, with what the file says of itself.")
		name = ""
		sheet.Copied = i18n.T("The service does not take this kind of file. Assay makes a copy, and the copy is analysed. The file itself stays here.")
		if made.Format != "" {
			sheet.Heads[0] = i18n.F("Copy as %s", made.Format)
			sheet.Plain.Means = i18n.F("The %s copy, with what the file says of itself.", made.Format)
			sheet.Copied = i18n.F("The service does not take this kind of file. Assay makes a copy in %s format, and the copy is analysed. The file itself stays here.", made.Format)
			sent := nameAsSent(s, how)
			name = strings.TrimSuffix(sent, filepath.Ext(sent)) + made.Extension
		}
		if made.Note != "" {
			sheet.Copied += " " + made.Note
		}
	}
	sheet.Rows = []Row{{Label: i18n.T("Name as sent"), AsItIs: name}, {Label: i18n.T("Size")}, {Label: i18n.T("SHA-256"), AsItIs: whole.SHA256, Hash: true}}
	if whole.SHA256 != "" {
		sheet.Rows[1].AsItIs = media.SizeText(whole.Size)
	}
	if plain.SHA256 != "" && plain != whole {
		sheet.Rows[0].Copy, sheet.Rows[1].Copy, sheet.Rows[2].Copy = name, media.SizeText(plain.Size), plain.SHA256
	}
	sheet.Noted = i18n.T("The custody log notes your choice and the SHA-256.")
	if copied {
		sheet.Rows = append(sheet.Rows, Row{Label: i18n.T("File's SHA-256"), AsItIs: s.SHA256, Hash: true, Wide: true})
	}
	if copied || sheet.Rows[0].Copy != "" {
		sheet.Noted = i18n.T("The custody log notes your choice and both SHA-256.")
	}
}

// nameAsSent is the name that the service receives, unless a copy has another extension.
func nameAsSent(s submission.Submission, how Choice) string {
	if how.NeutralName {
		return intake.NeutralName(s)
	}
	return s.SendName
}
