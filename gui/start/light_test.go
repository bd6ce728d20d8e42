package start

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"testing"
)

// What one package of ours, and all of them, may allocate before main: every start pays for it, even one that only prints the help.
const (
	mostAtInit    = 64 << 10
	mostAtInitAll = 256 << 10
)

var initLine = regexp.MustCompile(`(?m)^init (assay/\S+) @.* (\d+) bytes, \d+ allocs$`)

// TestNoPackageWorksBeforeMain runs itself again and reads what the runtime says of each package. It counts bytes, which a busy machine does not
// change, and no time.
func TestNoPackageWorksBeforeMain(t *testing.T) {
	again := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^$") //nolint:gosec // this program
	again.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	out, err := again.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	found := initLine.FindAllStringSubmatch(string(out), -1)
	if len(found) < 10 {
		t.Fatalf("the runtime names hardly a package of ours: %s", out)
	}
	all := 0
	for _, line := range found {
		bytes, err := strconv.Atoi(line[2])
		if err != nil {
			t.Fatal(err)
		}
		if all += bytes; bytes > mostAtInit {
			t.Errorf("%s allocates %d bytes before main, %d at most: do it at the first use (sync.OnceValue, client/lazyregexp)", line[1], bytes, mostAtInit)
		}
	}
	if all > mostAtInitAll {
		t.Errorf("our packages allocate %d bytes before main, %d at most", all, mostAtInitAll)
	}
}
