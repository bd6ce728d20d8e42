package folders_test

import (
	"os"
	"path/filepath"
	"testing"

	"assay/client/folders"
	"assay/client/intake"
	"assay/client/submission"
)

func TestAFileThatArrivesIsTakenOnce(t *testing.T) {
	d, in := setup(t), t.TempDir()
	id := d.add(sends(in), folders.OnlyNew)
	write(t, filepath.Join(in, "statement.txt"), "a statement")
	d.becomes("statement.txt done")
	d.until("it is counted", func() bool { return d.folder(id).Answered == 1 })
	s := d.named("statement.txt")
	if s.Source != submission.Watched || s.Folder != in || s.Path != filepath.Join(in, "statement.txt") {
		t.Errorf("it does not say where it came from: %+v", s)
	}
	f := d.folder(id)
	if f.Taken != 1 || f.LastName != "statement.txt" || f.LastAt.IsZero() || !f.Problem.IsZero() || f.Held+f.UnderWay+f.Failed != 0 {
		t.Errorf("the folder stands as %+v", f)
	}
	must(t, os.Rename(s.Path, filepath.Join(in, "renamed.txt")))
	write(t, filepath.Join(in, "copy.txt"), "a statement")
	write(t, filepath.Join(in, "other.txt"), "another statement")
	d.becomes("statement.txt done", "other.txt done")
}

func TestTheGateOfAFolder(t *testing.T) {
	d, in := setup(t), t.TempDir()
	s := sends(in)
	s.Gate = submission.GateAsk
	id := d.add(s, folders.OnlyNew)
	write(t, filepath.Join(in, "asked.txt"), "ask before this leaves")
	d.becomes("asked.txt held")
	d.until("it is counted", func() bool { return d.folder(id).Held == 1 })

	s.Gate = submission.GateNever
	must(t, d.Change(t.Context(), id, s))
	write(t, filepath.Join(in, "kept.txt"), "this never leaves")
	d.becomes("asked.txt held", "kept.txt stays")
	if sent := d.service.contents(); len(sent) > 0 {
		t.Errorf("%q has left", sent)
	}

	s.Gate = submission.GateSend
	must(t, d.Change(t.Context(), id, s))
	write(t, filepath.Join(in, "sent.txt"), "this may leave")
	d.becomes("asked.txt held", "kept.txt stays", "sent.txt done")
	d.queue.Approve(intake.ApproveOptions{}, d.named("asked.txt").ID)
	d.becomes("asked.txt done", "kept.txt stays", "sent.txt done")
	d.until("the counts are right", func() bool {
		f := d.folder(id)
		return f.Taken == 3 && f.Answered == 2 && f.Held == 0 && f.UnderWay == 0
	})
}
