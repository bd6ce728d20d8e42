package main

import (
	"debug/buildinfo"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/assets"
)

func newCopyright() *cobra.Command {
	var apache string
	var names bool
	c := &cobra.Command{
		Use: "copyright BINARY", Short: "print the licences of all that is in a binary, as Debian's packages have them", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			info, err := buildinfo.ReadFile(args[0])
			if err != nil {
				return fmt.Errorf("copyright: %w", err)
			}
			parts, err := partsOf(assets.LicencesOf(info))
			if err != nil {
				return err
			}
			if names {
				cmd.Println(expression(parts))
				return nil
			}
			return writeCopyright(cmd.OutOrStdout(), parts, apache)
		},
	}
	c.Flags().StringVar(&apache, "apache", "/usr/share/common-licenses/Apache-2.0", "the file with the text of the Apache License, which is not repeated")
	c.Flags().BoolVar(&names, "names", false, "print the names of the licences alone, as an SPDX expression")
	return c
}

// part is something in a binary, with its licence's names as of SPDX.
type part struct {
	assets.Licence
	names string
}

// known are licences by words that only they have.
var known = []struct{ name, words string }{
	{"Apache-2.0", "Apache License Version 2.0"},
	{"MIT", "Permission is hereby granted, free of charge, to any person obtaining a copy of this software"},
	{"ISC", "Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee"},
	{"BSD-3-Clause", "may be used to endorse or promote products"},
	{"BSD-2-Clause", "Redistribution and use in source and binary forms"},
	{"MPL-2.0", "Mozilla Public License Version 2.0"},
	{"Unlicense", "This is free and unencumbered software released into the public domain"},
	{"OFL-1.1", "SIL OPEN FONT LICENSE Version 1.1"},
	{"Bitstream-Vera", "Bitstream Vera is a trademark"},
	{"CC0-1.0", "CC0 1.0 Universal"},
	{"ZPL-2.1", "Names of the copyright holders must not be used to endorse or promote products"},
}

// choice is how a text itself says that one of several may be chosen.
var choice = regexp.MustCompile(`SPDX-License-Identifier: ([\w.-]+ OR [\w.-]+)`)

// partsOf finds the names of licences by their texts. One that is not known is an error: somebody has to read it.
func partsOf(licences []assets.Licence) (parts []part, err error) {
	for _, l := range licences {
		names := namesIn(l.Text)
		if names == "" {
			return nil, errors.New("copyright: which licence is that of " + l.Name + "?")
		}
		parts = append(parts, part{l, names})
	}
	return parts, nil
}

func namesIn(text string) string {
	text = strings.Join(strings.Fields(strings.ReplaceAll(text, "//", " ")), " ")
	if found := choice.FindStringSubmatch(text); found != nil {
		return found[1]
	}
	var names []string
	for _, k := range known {
		if k.name == "BSD-2-Clause" && slices.Contains(names, "BSD-3-Clause") {
			continue // they share these words
		}
		if strings.Contains(text, k.words) {
			names = append(names, k.name)
		}
	}
	return strings.Join(names, " AND ")
}

// expression is all of it in one line, with Assay's own.
func expression(parts []part) string {
	all := []string{"Apache-2.0"}
	for _, p := range parts {
		if strings.Contains(p.names, " OR ") {
			all = append(all, "("+p.names+")")
			continue
		}
		all = append(all, strings.Split(p.names, " AND ")...)
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), " AND ")
}

const copyrightHead = `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Assay
Source: https://assay.news
Comment: Assay is one program, linked from its own source and the modules that are named here with their versions.

Files: *
Copyright: 2026, the authors of Assay
License: Apache-2.0
`

func writeCopyright(to io.Writer, parts []part, apache string) error {
	var out strings.Builder
	out.WriteString(copyrightHead)
	for _, p := range parts {
		name := strings.TrimSuffix(p.Name+"@"+p.Version, "@")
		fmt.Fprintf(&out, "\nFiles: %s/*\n", strings.ReplaceAll(name, " ", "-"))
		begin := "Copyright: "
		for _, line := range holders(p) {
			out.WriteString(begin + line + "\n")
			begin = "           "
		}
		// Its own text, though others have the same licence: it names whom it protects.
		text := apacheText.ReplaceAllString(p.Text, "\n")
		if strings.TrimSpace(text) == "" && p.names == "Apache-2.0" {
			out.WriteString("License: Apache-2.0\n")
			continue
		}
		shortNames := strings.NewReplacer(" AND ", " and ", " OR ", " or ").Replace(p.names)
		fmt.Fprintf(&out, "License: %s\n%s", shortNames, indented(text))
		if text != p.Text {
			fmt.Fprintf(&out, " .\n And the Apache License 2.0, see %s.\n", apache)
		}
	}
	fmt.Fprintf(&out, "\nLicense: Apache-2.0\n The text of the Apache License, version 2.0, is in %s.\n", apache)
	_, err := io.WriteString(to, out.String())
	return err
}

// apacheText is the Apache License, with its appendix on how to use it.
var apacheText = regexp.MustCompile(`(?s)[ \t]*Apache License\s+Version 2\.0, January 2004.*?warranty or additional liability\.(\s+END OF TERMS AND CONDITIONS)?(\s+APPENDIX: .*?limitations under the License\.)?`)

// holder is a line that says whose something is.
var holder = regexp.MustCompile(`(?i)^\W*copyright\b\s*(?:\(c\)|©)?\s*(\d.*)$`)

// holders are those whom a part's text names.
func holders(p part) (all []string) {
	for line := range strings.Lines(p.Text) {
		if found := holder.FindStringSubmatch(strings.TrimSpace(line)); found != nil && !slices.Contains(all, found[1]) {
			all = append(all, strings.TrimSpace(found[1]))
		}
	}
	if all == nil {
		all = []string{"the authors of " + p.Name}
	}
	return all
}

// indented is a text as a field of the format has it.
func indented(text string) string {
	var out strings.Builder
	for line := range strings.Lines(strings.TrimSpace(text)) {
		line = strings.TrimRight(line, " \t\r\n")
		if line == "" {
			line = "."
		}
		out.WriteString(" " + line + "\n")
	}
	return out.String()
}
