// Package start has what differs between Assay with its window and Assay without it, which the build tag headless makes: main hands it to the
// subcommands. With the tag it imports nothing of gui, so that neither the toolkit nor what needs a C compiler is in the binary.
package start
