package present

import (
	"time"

	"assay/client/folders"
	"assay/client/media"
)

// FolderInside is what a folder holds that would count.
type FolderInside struct {
	Files  int
	Bytes  int64
	Newest []FolderInsideFile // to choose from; not all of them where there are many
}

// FolderInsideFile is one of them.
type FolderInsideFile struct {
	Path  string
	Name  string // safe for the screen
	Bytes int64
	At    time.Time
}

// FolderInsideOf puts what was found into words' reach.
func FolderInsideOf(in folders.Inside) FolderInside {
	inside := FolderInside{Files: in.Files, Bytes: in.Bytes}
	for _, f := range in.Newest {
		inside.Newest = append(inside.Newest, FolderInsideFile{Path: f.Path, Name: media.DisplayName(f.Name), Bytes: f.Size, At: f.Time})
	}
	return inside
}

// Words are how much it is: "1,204 files, 8.3 GB".
func (i FolderInside) Words() string {
	if i.Files == 0 {
		return "Nothing that counts is inside yet."
	}
	return filesText(i.Files) + ", " + media.SizeText(i.Bytes)
}

// Listed says which of them can be chosen, "" where it is all of them.
func (i FolderInside) Listed() string {
	if len(i.Newest) >= i.Files {
		return ""
	}
	return "The newest " + CountInFull(len(i.Newest)) + " of " + CountInFull(i.Files) + " are listed."
}

// Size is the file's size in words.
func (f FolderInsideFile) Size() string { return media.SizeText(f.Bytes) }

// When says when it was last changed.
func (f FolderInsideFile) When(now time.Time) string {
	if f.At.IsZero() {
		return ""
	}
	return dateTime(f.At, now)
}

// FolderChosen says how many files were chosen.
func FolderChosen(n int, bytes int64) string {
	if n == 0 {
		return "None chosen"
	}
	return CountInFull(n) + " chosen, " + media.SizeText(bytes)
}

func filesText(n int) string {
	if n == 1 {
		return "1 file"
	}
	return CountInFull(n) + " files"
}

// FolderBegin is what becomes of the files that a folder holds when it is added, as the screen offers it.
type FolderBegin int

// The beginnings, in the order in which they are offered.
const (
	FolderOnlyNew FolderBegin = iota
	FolderAll
	FolderChoose
)

// FolderBegins are the beginnings in words, which say what leaves this computer at once.
func FolderBegins(g FolderGate) []FolderChoice {
	goes := ""
	switch g {
	case FolderAsks:
		goes = ", and wait in the inbox until you allow them"
	case FolderSends:
		goes = ", and are sent to the service"
	}
	return []FolderChoice{
		FolderOnlyNew: {"Only new files", "What is inside now is left alone."},
		FolderAll:     {"All of them", "They are taken too" + goes + "."},
		FolderChoose:  {"Choose…", "Those that you tick are taken too" + goes + "."},
	}
}

// Begin is what it stands for.
func (b FolderBegin) Begin() folders.Begin {
	switch b {
	case FolderAll:
		return folders.All
	case FolderChoose:
		return folders.Chosen
	}
	return folders.OnlyNew
}
