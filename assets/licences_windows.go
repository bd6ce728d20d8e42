package assets

// linked are the licences of what is linked in besides Go's modules.
func linked() []Licence { return []Licence{mingw()} }
