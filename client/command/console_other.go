//go:build !windows

package command

import "os"

// UseConsole does nothing here: standard streams are there for every program.
func UseConsole([]string) {}

func notifyConsole(chan<- os.Signal) {}
