package nearly

// HoldReading keeps the fingerprints from being read into memory until release is called.
func HoldReading(f *Finder) (release func()) {
	f.memory.mu.Lock()
	return f.memory.mu.Unlock
}
