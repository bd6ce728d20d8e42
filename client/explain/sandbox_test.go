package explain_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/client/explain"
	"assay/client/sandbox/forensics"
)

func TestReadTakesTheSandboxsPageWhole(t *testing.T) {
	refrain := "The harbour was closed for the night and nobody could tell when it would open again for the boats that were waiting outside. "
	text := "A storm came up on Monday.\n\n" + refrain + "Some of the <b>crews</b> slept aboard & waited.\n" + strings.Repeat(refrain, 3) + "\nIn the morning the wind had gone."
	report, err := forensics.Text(t.Context(), []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	var page bytes.Buffer
	if err := report.Explain(&page, text); err != nil {
		t.Fatal(err)
	}
	got, err := explain.Read(t.Context(), page.Bytes(), explain.DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}

	var marked, want []string
	for _, m := range report.Marks {
		want = append(want, strings.Join(strings.Fields(text[m.Start:m.End]), " "))
	}
	at := map[int]int{}
	for _, b := range got.Blocks {
		for _, r := range b.Runs {
			if r.Mark < 0 || got.Marks[r.Mark].Legend {
				continue
			}
			if i, known := at[r.Mark]; known {
				marked[i] += " " + strings.TrimSpace(b.Text[r.Start:r.End])
				continue
			}
			at[r.Mark] = len(marked)
			marked = append(marked, strings.TrimSpace(b.Text[r.Start:r.End]))
		}
	}
	if len(want) == 0 {
		t.Fatal("the sandbox marked nothing")
	}
	if diff := cmp.Diff(want, marked); diff != "" {
		t.Error(diff)
	}
	for i, m := range got.Marks {
		if !m.Legend && (m.Kind == "" || m.Label == "" || !m.Tinted) {
			t.Errorf("mark %d: %+v", i, m)
		}
	}
	whole := told(got)
	for _, line := range []string{"A storm came up on Monday.", "In the morning the wind had gone.", "crews</b> slept aboard & waited."} {
		if !strings.Contains(whole, line) {
			t.Errorf("%q is not in\n%s", line, whole)
		}
	}
	if got.LeftOut.Any() || len(got.Cuts) > 0 {
		t.Errorf("left out %+v, cut %v", got.LeftOut, got.Cuts)
	}
}
