package command

import (
	"fmt"
	"strings"

	"assay/client/folders"
	"assay/client/media"
	"assay/client/submission"
	"assay/watch"
)

// heldLine says that a file waits; kept: its folder is one of the window's.
func heldLine(s submission.Submission, kept bool) string {
	return strings.ToValidUTF8(s.Name, "\ufffd") + " waits for your word: " + wayOut(kept)
}

// wayOut is what helps where files are held.
func wayOut(kept bool) string {
	if kept {
		return "decide in Assay's window."
	}
	return "decide in Assay's window, or start with --gate send."
}

// gateText says what becomes of a folder's files.
func gateText(g submission.Gate) string {
	switch g {
	case submission.GateSend:
		return "each new file is sent"
	case submission.GateAsk:
		return "each new file waits for your word"
	}
	return "nothing of it is sent"
}

// beginsText says that a folder is being watched.
func beginsText(f folders.Folder) string {
	name := media.DisplayName(f.Path)
	if f.Passing {
		return fmt.Sprintf("Watching %s: %s.", name, gateText(f.Gate))
	}
	return fmt.Sprintf("%s is watched as it is set up in Assay's window: %s.", name, gateText(f.Gate))
}

// standsText says in a sentence what is in a folder's way, "" for nothing.
func standsText(folder folders.Folder, known bool) string {
	switch {
	case !known:
		return "It was removed in Assay's window and is watched no more."
	case folder.Problem != "" && folder.State.Phase == watch.Gone:
		return folder.Problem + " Assay looks for it until it is back."
	case folder.Problem != "":
		return folder.Problem
	}
	switch folder.State.Phase {
	case watch.Paused:
		return "It is paused: resume it in Assay's window."
	case watch.Gone:
		return "It is not there. Assay looks for it until it is back."
	case watch.Unreadable:
		return "It can't be read. Assay tries again until it can."
	case watch.Stuck:
		return "Its disk does not answer. Assay waits for it."
	}
	return ""
}

// folderText is a sentence about a folder, which it names.
func folderText(path, sentence string) string {
	name := media.DisplayName(path)
	if strings.Contains(sentence, name) {
		return sentence
	}
	return name + ": " + sentence
}
