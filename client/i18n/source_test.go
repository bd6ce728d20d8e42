package i18n_test

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"assay/client/i18n"
)

// A used is a text that the program says.
type used struct {
	key    string // as in a translation's file: with its context
	one    string // the English form for one; "" where the text has none
	plural bool
	kept   bool // in records, as a message's code
	at     token.Position
	area   string
}

// A source is what the program says, found in its own source by type: a constant that becomes an i18n.Key. Only this module's packages are
// looked at, those for other systems too; whatever they import from elsewhere is left unresolved, since no key comes from there. So nothing
// is built, and a package that does not compile at the moment hides at most what its error touches.
type source struct {
	files    *token.FileSet
	root     string
	packages map[string]*types.Package
	parsed   map[string][]*ast.File
	used     []used
	faults   []string // what is not as the package's rules say
	broken   []string // files that can't be parsed
}

const (
	module  = "assay"
	i18nPkg = module + "/client/i18n"
)

func readSource(root string) (*source, error) {
	s := &source{files: token.NewFileSet(), root: root, packages: map[string]*types.Package{}, parsed: map[string][]*ast.File{}}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			if base := d.Name(); name != root && (strings.HasPrefix(base, ".") || base == "testdata" || base == "build" || base == "e2e" || base == "i18ntest" || base == "guitest") {
				return filepath.SkipDir
			}
			return nil
		case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(s.files, name, nil, parser.SkipObjectResolution)
		if err != nil {
			s.broken = append(s.broken, err.Error())
		}
		if file != nil {
			folder, err := filepath.Rel(root, filepath.Dir(name))
			if err != nil {
				return err
			}
			keepValues(file)
			at := path.Join(module, filepath.ToSlash(folder))
			s.parsed[at] = append(s.parsed[at], file)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for at := range s.parsed {
		if _, err := s.Import(at); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(s.used, func(a, b used) int {
		return cmp.Or(cmp.Compare(a.at.Filename, b.at.Filename), cmp.Compare(a.at.Offset, b.at.Offset))
	})
	slices.Sort(s.faults)
	return s, nil
}

// keepValues makes lists of the tables in a file whose keys say nothing to a person: where such a key, or the type of a variable that is one, comes
// from another module, it can't be resolved, and its value would be passed over.
func keepValues(file *ast.File) {
	ast.Inspect(file, func(n ast.Node) bool {
		table, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		kind, ok := table.Type.(*ast.MapType)
		if !ok {
			return true
		}
		of := kind.Key
		if selector, ok := of.(*ast.SelectorExpr); ok {
			of = selector.Sel
		}
		if name, ok := of.(*ast.Ident); ok && name.Name == "Key" { // i18n.Key
			return true
		}
		table.Type = &ast.ArrayType{Elt: kind.Value}
		for i := range table.Elts {
			table.Elts[i] = value(table.Elts[i])
		}
		return true
	})
}

// Import checks a package's types. It is the importer of the packages that import it.
func (s *source) Import(at string) (*types.Package, error) {
	if p, ok := s.packages[at]; ok {
		if p == nil {
			return nil, errors.New("a circle of imports")
		}
		return p, nil
	}
	files, ok := s.parsed[at]
	if !ok {
		p := types.NewPackage(at, path.Base(at)) // of another module
		s.packages[at] = p
		return p, nil
	}
	s.packages[at] = nil
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
	c := types.Config{Importer: s, Error: func(error) {}, FakeImportC: true}
	p, _ := c.Check(at, s.files, files, info) // the errors are what other modules leave unresolved
	s.packages[at] = p
	for _, file := range files {
		(&reader{source: s, info: info, own: at == i18nPkg}).file(file)
	}
	return p, nil
}

// A reader finds the keys of one file.
type reader struct {
	*source
	info *types.Info
	own  bool // the file is one of client/i18n itself, which passes keys on
}

func (r *reader) file(file *ast.File) {
	for _, d := range file.Decls {
		if general, ok := d.(*ast.GenDecl); ok && general.Tok == token.VAR {
			ast.Inspect(general, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok && !slices.Contains([]string{"", "M", "MN"}, r.function(call)) {
					r.fault(call, "is said before a language is chosen: keep the key, and say it where it is shown")
				}
				_, inside := n.(*ast.FuncLit)
				return !inside
			})
		}
		ast.Inspect(d, r.node)
	}
}

// node takes the outermost constant of a key: its parts are none.
func (r *reader) node(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		return r.call(n)
	case *ast.CompositeLit:
		if r.is(n, "Plural") && len(n.Elts) == 2 {
			r.pair(n, value(n.Elts[0]), value(n.Elts[1]), false)
			return false
		}
	case ast.Expr:
		if key, ok := r.key(n); ok {
			r.add(used{key: key}, n)
			return false
		}
	}
	return true
}

func value(element ast.Expr) ast.Expr {
	if pair, ok := element.(*ast.KeyValueExpr); ok {
		return pair.Value
	}
	return element
}

func (r *reader) call(call *ast.CallExpr) bool {
	if t, ok := r.info.Types[call.Fun]; ok && t.IsType() && isNamed(t.Type, "Key") {
		if _, constant := r.key(call); !constant && !r.own {
			r.fault(call, "makes a key of what is no constant")
		}
	}
	if key, ok := r.key(call); ok { // i18n.Key("…")
		r.add(used{key: key}, call)
		return false
	}
	switch name := r.function(call); {
	case r.own:
	case (name == "N" || name == "MN") && len(call.Args) >= 3:
		ast.Inspect(call.Args[0], r.node)
		r.pair(call, call.Args[1], call.Args[2], name == "MN")
		r.rest(call.Args[3:])
		return false
	case name == "C" && len(call.Args) == 2:
		context, ok := r.constant(call.Args[0])
		key, isKey := r.key(call.Args[1])
		if !ok || !isKey {
			r.fault(call, "is no constant in a constant context")
			return true
		}
		r.add(used{key: i18n.InContext(context, i18n.Key(key))}, call)
		return false
	case name == "M" && len(call.Args) > 0:
		key, ok := r.key(call.Args[0])
		if !ok {
			r.fault(call, "keeps a code that is no constant")
		} else if !exactly(verbsOf(key), len(call.Args)-1) {
			r.fault(call, fmt.Sprintf("%q does not go with %d arguments", key, len(call.Args)-1))
		}
		r.add(used{key: key, kept: true}, call)
		r.rest(call.Args[1:])
		return false
	case name == "F" && len(call.Args) > 0 && !call.Ellipsis.IsValid():
		if key, ok := r.key(call.Args[0]); ok && !exactly(verbsOf(key), len(call.Args)-1) {
			r.fault(call, fmt.Sprintf("%q does not go with %d arguments", key, len(call.Args)-1))
		}
	}
	return true
}

func (r *reader) rest(args []ast.Expr) {
	for _, arg := range args {
		ast.Inspect(arg, r.node)
	}
}

func (r *reader) pair(at ast.Expr, one, other ast.Expr, kept bool) {
	single, ok := r.key(one)
	many, also := r.key(other)
	if !ok || !also {
		r.fault(at, "is a plural of what is no constant: tables hold i18n.Plural")
		return
	}
	r.add(used{key: many, one: single, plural: true, kept: kept}, at)
}

// function is the name of the function of client/i18n that is called, "" for any other.
func (r *reader) function(call *ast.CallExpr) string {
	var name *ast.Ident
	switch fun := call.Fun.(type) {
	case *ast.SelectorExpr:
		name = fun.Sel
	case *ast.Ident:
		name = fun
	default:
		return ""
	}
	f, ok := r.info.Uses[name].(*types.Func)
	if !ok || f.Pkg() == nil || f.Pkg().Path() != i18nPkg || f.Signature().Recv() != nil || !slices.Contains([]string{"T", "F", "N", "C", "List", "M", "MN"}, f.Name()) {
		return ""
	}
	return f.Name()
}

func (r *reader) key(e ast.Expr) (string, bool) {
	if !r.is(e, "Key") {
		return "", false
	}
	return r.constant(e)
}

func (r *reader) constant(e ast.Expr) (string, bool) {
	v := r.info.Types[e].Value
	if v == nil || v.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(v), true
}

func (r *reader) is(e ast.Expr, name string) bool {
	t, ok := r.info.Types[e]
	return ok && isNamed(t.Type, name)
}

func isNamed(t types.Type, name string) bool {
	named, ok := t.(*types.Named)
	return ok && named.Obj().Name() == name && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == i18nPkg
}

func (r *reader) add(u used, at ast.Node) {
	if u.key == "" {
		return // no text
	}
	u.at = r.place(at)
	var known bool
	if u.area, known = areaOf(u.at.Filename); !known {
		r.fault(at, "is in no area of assets/lang: add its folder to areas")
	}
	if u.key != strings.TrimSpace(u.key) {
		r.fault(at, fmt.Sprintf("%q begins or ends with a space: say whole sentences", u.key))
	}
	r.used = append(r.used, u)
}

func (r *reader) fault(at ast.Node, what string) {
	r.faults = append(r.faults, fmt.Sprintf("%s: %s", r.place(at), what))
}

// place is where a node stands, its file relative to the module's root.
func (s *source) place(n ast.Node) token.Position {
	at := s.files.Position(n.Pos())
	if name, err := filepath.Rel(s.root, at.Filename); err == nil {
		at.Filename = filepath.ToSlash(name)
	}
	return at
}
