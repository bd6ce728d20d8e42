package store

// WaitForTidying waits until what a start leaves for later is done.
func WaitForTidying(s *Store) { s.work.Wait() }
