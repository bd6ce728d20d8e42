package main

import (
	"cmp"
	"debug/elf"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
)

func newSize() *cobra.Command {
	var least int64
	cmd := &cobra.Command{
		Use: "size FILE", Short: "print what is in a Linux binary, by section and by package", Args: cobra.ExactArgs(1),
		Long: "Print how many bytes of a Linux binary are what, by section and by package. FILE is the binary with its symbols, or the assay.debug beside it.",
		RunE: func(cmd *cobra.Command, args []string) error {
			sections, packages, err := sizes(args[0])
			if err != nil {
				return err
			}
			out := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', tabwriter.AlignRight)
			printSizes(out, "section", sections, least)
			printSizes(out, "package", packages, least)
			return out.Flush()
		},
	}
	cmd.Flags().Int64Var(&least, "least", 50_000, "leave out what is smaller, in bytes")
	return cmd
}

// sizes are the bytes of each section that a program takes from its file, and of the functions and data of each package in them. What the linker
// writes for all packages together (line tables, types) has no symbols of its own: it counts among the sections alone.
func sizes(path string) (sections, packages map[string]int64, err error) {
	file, err := elf.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close() //nolint:errcheck // nothing is written
	sections, packages = map[string]int64{}, map[string]int64{}
	// A file of symbols alone has no bytes of code and data (SHT_NOBITS), as memory that begins empty has none; only of that is a binary's name .bss.
	inFile := map[elf.SectionIndex]bool{}
	for i, s := range file.Sections {
		if s.Flags&elf.SHF_ALLOC != 0 && !strings.HasSuffix(s.Name, "bss") {
			sections[s.Name] = int64(s.Size) //nolint:gosec // of a file that exists
			inFile[elf.SectionIndex(i)] = true
		}
	}
	symbols, err := file.Symbols()
	if err != nil {
		return nil, nil, err
	}
	for _, s := range symbols {
		if kind := elf.ST_TYPE(s.Info); inFile[s.Section] && (kind == elf.STT_FUNC || kind == elf.STT_OBJECT) {
			packages[packageOf(s.Name)] += int64(s.Size) //nolint:gosec // as above
		}
	}
	return sections, packages, nil
}

// packageOf is the package that a symbol is of, by the form that Go's linker gives it: path/to/package.name.
func packageOf(symbol string) string {
	if strings.HasPrefix(symbol, "type:") || strings.HasPrefix(symbol, "go:") {
		return "types and tables of Go"
	}
	symbol, _, _ = strings.Cut(symbol, "[") // the types of a generic function
	slash := strings.LastIndex(symbol, "/")
	name, _, dotted := strings.Cut(symbol[slash+1:], ".")
	if !dotted {
		return "C"
	}
	return strings.ReplaceAll(symbol[:slash+1]+name, "%2e", ".")
}

// printSizes prints a table, the largest first.
func printSizes(out io.Writer, what string, bytes map[string]int64, least int64) {
	total, rest := int64(0), int64(0)
	_, _ = fmt.Fprintf(out, "bytes\t  %s\n", what)
	for _, name := range slices.SortedFunc(maps.Keys(bytes), func(a, b string) int {
		return cmp.Or(cmp.Compare(bytes[b], bytes[a]), cmp.Compare(a, b))
	}) {
		total += bytes[name]
		if bytes[name] < least {
			rest += bytes[name]
			continue
		}
		_, _ = fmt.Fprintf(out, "%d\t  %s\n", bytes[name], name)
	}
	_, _ = fmt.Fprintf(out, "%d\t  smaller ones\n%d\t  in all\n\t\n", rest, total)
}
