package copies

// syncFolder does nothing: the system makes names durable by itself.
func syncFolder(string) error { return nil }
