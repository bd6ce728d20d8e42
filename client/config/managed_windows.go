package config

// trusted accepts the file: it is beside the program (ManagedPath), and whoever may write there could replace the program itself.
func trusted(string) error { return nil }
