package command

// openMask does nothing: there is no such mask.
func openMask() (back func()) { return func() {} }
