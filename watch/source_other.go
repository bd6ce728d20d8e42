//go:build !linux

package watch

// openSource opens the system's source of hints. errNoRoom: the system's limit is reached.
func openSource(emit func(hint)) (source, error) { return openNotifySource(emit) }
