package session

import (
	"path/filepath"
	"strings"

	"assay/client/bounded"
	"assay/client/desk/postgres"
)

// longestDeskFile is the most of a file that ReadDeskFile reads.
const longestDeskFile = 64 << 10

// ReadDeskFile reads a text file that IT hands out, so that nobody has to type an address: its first line is that, with or without the member's login.
// Empty lines, and those that begin with #, are skipped. Certificates that the address names without a full path are beside the file.
func ReadDeskFile(path string) (postgres.Parts, error) {
	content, err := bounded.ReadFile(path, longestDeskFile)
	if err != nil {
		return postgres.Parts{}, err
	}
	for line := range strings.Lines(string(content)) {
		line = strings.TrimSpace(strings.TrimPrefix(line, "\ufeff"))
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		p := postgres.PartsOf(line)
		for _, file := range []*string{&p.Authority, &p.Certificate, &p.Key} {
			if *file != "" && !filepath.IsAbs(*file) {
				*file = filepath.Join(filepath.Dir(path), *file)
			}
		}
		check := p
		if check.Login == "" {
			check.Login = "somebody" // who is to join fills in their own
		}
		_, err := check.Address()
		return p, err
	}
	return postgres.Parts{}, postgres.ErrAddress
}
