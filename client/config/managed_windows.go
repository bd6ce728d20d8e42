package config

// trusted believes the file: it lies beside the program (ManagedPath), and who may write there can put another program in its place.
func trusted(string) error { return nil }
