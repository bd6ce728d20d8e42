package client_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"assay/client/assert"
)

// oldWord is a word that names in the code no longer use: CONTRIBUTING.md ("Words") has the ones that they do.
type oldWord struct {
	words string   // one, or several that follow each other in a name: "learn number" is in learnNumber and in learn_number.go
	use   string   // what to write in its place
	in    []string // folders that must not have it, with what is below them; none: all
	but   []string // folders where it is the right word for something else
}

var oldWords = []oldWord{
	{words: "anew", use: "again"},
	{words: "ask address", use: "requestUploadURL"},
	{words: "forget address", use: "dropUploadURL"},
	{words: "cabinet", use: "fixture, made by setup(t)"},
	{words: "deed", use: "custody event for what the log records, action for what a person does, callbacks for functions"},
	{words: "deeds", use: "custody events, actions or callbacks"},
	{words: "exhibit", use: "sample"},
	{words: "exhibits", use: "samples"},
	{words: "follower", use: "duplicate"},
	{words: "followers", use: "duplicates"},
	{words: "handover", use: "remote: the request to the process that holds the folder"},
	{words: "heir", use: "primary"},
	{words: "look", use: "query or request, for what is asked of the service", in: []string{"client/intake/poll"}},
	{words: "judged", use: "feedback"},
	{words: "keeper", use: "fetcher", in: []string{"client/vault"}},
	{words: "lane", use: "queue or worker", in: []string{"client/intake", "client/session", "watch"}},
	{words: "lanes", use: "queue or workers", in: []string{"client/intake", "client/session", "watch"}},
	{words: "learn", use: "baseline", in: []string{"watch"}},
	{words: "learn number", use: "findRequestID"},
	{words: "leaving", use: "review"},
	{words: "let go", use: "release"},
	{words: "museum", use: "fixture, made by setup(t)"},
	{words: "neverable", use: "canNeverSend"},
	{words: "news", use: "events"},
	{words: "passing", use: "temporary"},
	{words: "piece", use: "artifact or task", in: []string{"client/vault"}},
	{words: "stand for", use: "primary"},
	{words: "standing", use: "status"},
	{words: "stay at home", use: "same origin"},
	{words: "street", use: "fixture, made by setup(t)"},
	{words: "studio", use: "fixture, made by setup(t)"},
	{words: "take up", use: "resume"},
	{words: "taker", use: "acceptor"},
	{words: "told", use: "reported, or the message itself"},
	{words: "troubles", use: "events"},
	{words: "turns", use: "slots", but: []string{"client/sandbox/forensics"}}, // there speakers take turns
	{words: "unkept", use: "unwritten"},
	{words: "world", use: "fixture, made by setup(t)"},
}

func TestNamesUseTheWordsOfTheDictionary(t *testing.T) {
	names := 0
	eachName(t, "..", func(folder, name string, at string) {
		names++
		for _, old := range oldWords {
			if old.isIn(folder, name) {
				t.Errorf("%s: %s: in place of %q use %s", at, name, old.words, old.use)
			}
		}
	})
	if names < 5000 {
		t.Errorf("only %d names were looked at", names)
	}
}

// isIn reports whether a name in a folder uses the word.
func (w oldWord) isIn(folder, name string) bool {
	below := func(parent string) bool { return folder == parent || strings.HasPrefix(folder, parent+"/") }
	if len(w.in) > 0 && !slices.ContainsFunc(w.in, below) || slices.ContainsFunc(w.but, below) {
		return false
	}
	return strings.Contains(" "+wordsOf(name)+" ", " "+w.words+" ")
}

func TestFilesThatDocumentsNameAreThere(t *testing.T) {
	var files []string
	err := filepath.WalkDir("..", func(file string, _ fs.DirEntry, err error) error {
		files = append(files, filepath.ToSlash(file))
		return err
	})
	assert.NoError(t, err)
	named := 0
	for _, document := range []string{"../CONTRIBUTING.md", "wait/README.md"} {
		text, err := os.ReadFile(document)
		assert.NoError(t, err)
		for _, found := range regexp.MustCompile("`([a-z0-9_/]+\\.go)`").FindAllStringSubmatch(string(text), -1) {
			named++
			if !slices.ContainsFunc(files, func(file string) bool { return strings.HasSuffix(file, "/"+found[1]) }) {
				t.Errorf("%s names %s, which is not there", document, found[1])
			}
		}
	}
	if named < 10 {
		t.Errorf("only %d files are named", named)
	}
}

func TestOldWordsAreFound(t *testing.T) {
	for _, c := range []struct {
		words, folder, name string
		found               bool
	}{
		{"learn number", "client/intake", "learnNumber", true},
		{"learn number", "client/intake", "learn_number_test.go", true},
		{"learn number", "client/intake", "learnNumbering", false},
		{"turns", "client/intake", "takeTurns", true},
		{"turns", "client/sandbox/forensics/audio", "takeTurns", false},
		{"turns", "client/intake", "returns", false},
		{"lane", "gui/chart", "laneRow", false},
		{"lane", "client/intake", "laneRow", true},
	} {
		i := slices.IndexFunc(oldWords, func(w oldWord) bool { return w.words == c.words })
		if found := oldWords[i].isIn(c.folder, c.name); found != c.found {
			t.Errorf("%q in %s of %s: %v", c.words, c.name, c.folder, found)
		}
	}
}

// wordsOf are the words of a name in Go, or of a file's, in lower case with a space between two.
func wordsOf(name string) string {
	var b strings.Builder
	runes := []rune(strings.TrimSuffix(name, ".go"))
	for i, r := range runes {
		if r == '_' || r == '-' || r == '.' {
			b.WriteByte(' ')
			continue
		}
		begins := i > 0 && unicode.IsUpper(r) && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]))
		if begins {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// eachName calls visit with the names of all files, functions, methods, types, variables and constants of packages, and exported
// fields below a folder; the names of tests are sentences and left out.
func eachName(t *testing.T, root string, visit func(folder, name, at string)) {
	t.Helper()
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == "build" || len(entry.Name()) > 2 && entry.Name()[0] == '.'):
			return filepath.SkipDir
		case entry.IsDir() || !strings.HasSuffix(file, ".go"):
			return nil
		}
		fileSet := token.NewFileSet()
		parsed, err := parser.ParseFile(fileSet, file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		shown, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		shown = filepath.ToSlash(shown)
		folder := path.Dir(shown)
		visit(folder, path.Base(shown), shown)
		named := func(names ...*ast.Ident) {
			for _, name := range names {
				visit(folder, name.Name, shown)
			}
		}
		for _, declared := range parsed.Decls {
			switch d := declared.(type) {
			case *ast.FuncDecl:
				if !strings.HasSuffix(file, "_test.go") || !isTest(d.Name.Name) {
					named(d.Name)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch s := spec.(type) {
					case *ast.ValueSpec:
						named(s.Names...)
					case *ast.TypeSpec:
						named(s.Name)
						named(membersOf(s.Type)...)
					}
				}
			}
		}
		return nil
	})
	assert.NoError(t, err)
}

func isTest(name string) bool {
	return slices.ContainsFunc([]string{"Test", "Fuzz", "Benchmark", "Example"}, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

// membersOf are the exported fields of a struct, or the methods of an interface.
func membersOf(of ast.Expr) (names []*ast.Ident) {
	var fields *ast.FieldList
	switch of := of.(type) {
	case *ast.StructType:
		fields = of.Fields
	case *ast.InterfaceType:
		fields = of.Methods
	default:
		return nil
	}
	for _, field := range fields.List {
		for _, name := range field.Names {
			if name.IsExported() {
				names = append(names, name)
			}
		}
	}
	return names
}
