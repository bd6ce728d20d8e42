//go:build unix && !linux && !darwin

package folders

// renameAlone renames a file, and fails with fs.ErrExist where the new name is taken.
func renameAlone(from, to string) error { return linkAway(from, to) }
