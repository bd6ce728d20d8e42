// Package forensics looks at a picture with classic forensic methods for the
// sandbox: error levels, noise, and the traces that generators leave in a file.
// It may import the standard library, x/image, imaging, gonum, imagemeta
// and cbor, and nothing of Assay's own.
//
// Every number is computed from the bytes handed in. A file's name, a table of
// known files, the clock and chance play no part: the same bytes give the same
// report. (Between processor families the last digits may differ, since some fuse
// a multiplication with the addition after it.)
//
// # What it can and cannot say
//
// The two pixel analysers look for a part of the picture whose history differs
// from the rest: another JPEG compression before the last one, or another
// amount of fine grain. They are blind to a picture that was made by a machine
// as a whole, to a retouch followed by a strong recompression or a scaling
// down, and to flat or clipped parts. A sharp subject before a blurred
// background, heavy noise reduction or a collage made openly can stir them.
// The provenance analyser reads what a file says about itself; that is easily
// removed and easily forged, no signature is checked, and finding nothing there
// says nothing.
//
// None of this detects deepfakes. It gives the sandbox answers that depend on
// real input in a way a person can follow.
package forensics
