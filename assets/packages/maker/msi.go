package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"regexp"
	"time"

	"github.com/spf13/cobra"

	"assay/client/bounded"
)

// largestInstaller bounds what is read of an installer.
const largestInstaller = 1 << 30

func newMSI() *cobra.Command {
	var seconds int64
	cmd := &cobra.Command{
		Use: "msi FILE CODE", Short: "give an installer of Windows this package code and time, in place of random ones", Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			content, err := bounded.ReadFile(args[0], largestInstaller)
			if err != nil {
				return fmt.Errorf("msi: %w", err)
			}
			if err := settle(content, args[1], time.Unix(seconds, 0)); err != nil {
				return fmt.Errorf("msi: %w", err)
			}
			return os.WriteFile(args[0], content, 0o644) //nolint:gosec // of packages, which everybody may read
		},
	}
	cmd.Flags().Int64Var(&seconds, "time", 0, "seconds since 1970")
	return cmd
}

// The summary of an installer is a property set (MS-OLEPS). Its identifier, what stands before that, and the properties and types that are written here.
var summaryID = []byte{0xe0, 0x85, 0x9f, 0xf2, 0xf9, 0x4f, 0x68, 0x10, 0xab, 0x91, 0x08, 0x00, 0x2b, 0x27, 0xb3, 0xd9}

const (
	beforeSummaryID = 28

	packageCode, created, saved = 9, 12, 13
	isText, isTime              = 30, 64
)

var codes = regexp.MustCompile(`^\{[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}\}$`)

var errSummary = errors.New("it has no summary as wixl and msibuild write it, in one piece")

// settle sets the package code and the times of an installer, in place: nothing else of it moves.
func settle(installer []byte, code string, at time.Time) error {
	if !codes.MatchString(code) {
		return fmt.Errorf("%s is no code such as {0D8F8F3C-0000-5000-8000-000000000000}, in capitals", code)
	}
	found := bytes.Index(installer, summaryID)
	if found < beforeSummaryID || bytes.LastIndex(installer, summaryID) != found {
		return errSummary
	}
	set := installer[found-beforeSummaryID:]
	number := func(b []byte, at uint32) uint32 {
		if uint64(at)+4 > uint64(len(b)) {
			return 0
		}
		return binary.LittleEndian.Uint32(b[at:])
	}
	begin := number(set, uint32(beforeSummaryID+len(summaryID)))
	if begin == 0 || uint64(begin) >= uint64(len(set)) {
		return errSummary
	}
	section, written := set[begin:], 0
	for i := range min(number(section, 4), 64) {
		property, place := number(section, 8+8*i), number(section, 12+8*i)
		if uint64(place)+uint64(8+len(code)) > uint64(len(section)) {
			continue
		}
		value := section[place+4:]
		switch kind := number(section, place); {
		case property == packageCode && kind == isText && codes.Match(bytes.ToUpper(value[4:4+len(code)])):
			copy(value[4:], code)
		case (property == created || property == saved) && kind == isTime:
			const since1601 = 11_644_473_600 // seconds before 1970
			binary.LittleEndian.PutUint64(value, uint64(at.Unix()+since1601)*1e7)
		default:
			continue
		}
		written++
	}
	if written != 3 {
		return errSummary
	}
	return nil
}
