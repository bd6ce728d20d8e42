//go:build profile

package main

import (
	"errors"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"strconv"
)

// profileVariable names the folder into which a program of `make profile` writes what it measures of itself: CPU, memory, waiting, and a trace. Without
// it, nothing is measured.
const profileVariable = "ASSAY_PROFILE"

func init() {
	folder := os.Getenv(profileVariable)
	if folder == "" {
		return
	}
	create := func(name string) *os.File {
		file, err := os.Create(filepath.Join(folder, name+"-"+strconv.Itoa(os.Getpid())))
		if err != nil {
			log.Fatal(err)
		}
		return file
	}
	cpu, traced := create("cpu"), create("trace")
	runtime.SetBlockProfileRate(1_000_000) // waits of a millisecond and more
	if err := errors.Join(pprof.StartCPUProfile(cpu), trace.Start(traced)); err != nil {
		log.Fatal(err)
	}
	atExit = func() {
		pprof.StopCPUProfile()
		trace.Stop()
		err := errors.Join(cpu.Close(), traced.Close())
		for _, name := range []string{"heap", "allocs", "block"} {
			file := create(name)
			err = errors.Join(err, pprof.Lookup(name).WriteTo(file, 0), file.Close())
		}
		if err != nil {
			log.Fatal(err)
		}
	}
}
