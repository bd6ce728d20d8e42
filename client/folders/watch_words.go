package folders

import (
	"errors"
	"fmt"

	"assay/client/i18n"
	"assay/watch"
)

// watchWords are the sentences of package watch, which knows no languages.
var watchWords = []i18n.Key{
	"This folder does not exist. It may have been moved or renamed, or its disk is not connected.",
	"This is a file, not a folder.",
	"Assay keeps its own files in this folder. Choose another one.",
	"You are not allowed to read this folder. Ask its owner, or choose another one.",
	"This folder can't be read: its disk reports an error.",
	"The disk or share with this folder does not answer. Check that it is connected.",
	"This computer watches no more folders at once. New files are looked for every few seconds instead.",
	"This disk does not tell of new files. They are looked for every few seconds instead.",
	"New files wait: what was taken from this folder can't be written down at the moment.",
	"New files wait: they can't be taken over at the moment. It is tried again.",
	"One file can't be read. Another program may hold it, or it must not be read. It is tried again.",
}

// translated is the sentence of an error in the person's language, where it is one of watch's; others are said as they are.
func translated(err error, sentence string) string {
	for _, words := range watchWords {
		if string(words) == sentence {
			return i18n.T(words)
		}
	}
	var problem *watch.Problem
	if errors.As(err, &problem) && errors.Is(problem.Kind, watch.ErrBadPattern) {
		return i18n.F("The pattern %s can't be used. Write it like *.jpg or scan-*.", quoted(problem.Pattern))
	}
	files := 0
	if _, err := fmt.Sscanf(sentence, "%d files can't be read.", &files); err == nil && files > 1 {
		return i18n.N(files, "%s file can't be read. Other programs may hold them, or they must not be read. They are tried again.",
			"%s files can't be read. Other programs may hold them, or they must not be read. They are tried again.")
	}
	return sentence
}
