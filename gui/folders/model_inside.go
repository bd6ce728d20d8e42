package folders

import (
	"time"

	clientfolders "assay/client/folders"
	"assay/client/i18n"
	"assay/client/plain"
	"assay/client/submission"
	"assay/gui/present"
)

// Inside is which files a folder has that count.
type Inside struct {
	Files  int
	Bytes  int64
	Newest []File // to choose from; if there are many, not all of them
}

// File is one of these files.
type File struct {
	Path  string
	Name  string // safe for the screen
	Bytes int64
	At    time.Time
}

// InsideOf converts what was counted for the screen.
func InsideOf(in clientfolders.Inside) Inside {
	inside := Inside{Files: in.Files, Bytes: in.Bytes}
	for _, f := range in.Newest {
		inside.Newest = append(inside.Newest, File{Path: f.Path, Name: plain.From(f.Name).String(), Bytes: f.Size, At: f.Time})
	}
	return inside
}

// Words say how many files there are and their size: "1,204 files, 8.3 GB".
func (i Inside) Words() string {
	if i.Files == 0 {
		return i18n.T("No matching files inside yet.")
	}
	return filesText(i.Files) + ", " + i18n.Size(i.Bytes)
}

// Listed says which of them are listed, "" for all.
func (i Inside) Listed() string {
	if len(i.Newest) >= i.Files {
		return ""
	}
	return i18n.N(len(i.Newest), "The newest %s of %s are listed.", "The newest %s of %s are listed.", i18n.Count(i.Files))
}

// Size is the file's size in words.
func (f File) Size() string { return i18n.Size(f.Bytes) }

// When is when it was last changed, in words.
func (f File) When(now time.Time) string {
	if f.At.IsZero() {
		return ""
	}
	return i18n.DayTime(f.At, now)
}

// ChosenWords says how many files were chosen.
func ChosenWords(n int, bytes int64) string {
	if n == 0 {
		return i18n.T("None chosen")
	}
	return i18n.N(n, "%s chosen, %s", "%s chosen, %s", i18n.Size(bytes))
}

func filesText(n int) string {
	return i18n.N(n, "%s file", "%s files")
}

// Begin is what to do with the files that a folder has when it is added.
type Begin int

// The values, in the order of the menu.
const (
	OnlyNew Begin = iota
	All
	Choose
)

// Begins are the options for Begin, which say what leaves this computer at once.
func Begins(g submission.Gate) []present.Option {
	all, ticked := i18n.T("They are added, too."), i18n.T("Those that you tick are added, too.")
	switch g {
	case submission.GateAsk:
		all = i18n.T("They are added, too, and wait in the inbox until you allow them.")
		ticked = i18n.T("Those that you tick are added, too, and wait in the inbox until you allow them.")
	case submission.GateSend:
		all = i18n.T("They are added, too, and sent to the service.")
		ticked = i18n.T("Those that you tick are added, too, and sent to the service.")
	}
	return []present.Option{
		OnlyNew: {Words: i18n.T("Only new files"), Means: i18n.T("Files already inside are left out.")},
		All:     {Words: i18n.T("All of them"), Means: all},
		Choose:  {Words: i18n.T("Choose…"), Means: ticked},
	}
}

// Begin returns the corresponding value of client/folders.
func (b Begin) Begin() clientfolders.Begin {
	switch b {
	case All:
		return clientfolders.All
	case Choose:
		return clientfolders.Chosen
	}
	return clientfolders.OnlyNew
}
