package command

import (
	"log/slog"
	"path/filepath"
	"sync"

	"assay/client/logs"
)

// logFile is the window's log on the disk, in the folder of the session that is open: only its process writes there.
type logFile struct {
	mu   sync.Mutex
	dir  string
	file *logs.File // nil: none is open
}

// Write implements io.Writer. It never fails.
func (l *logFile) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return len(line), nil
	}
	return l.file.Write(line)
}

// logDir is where the log of a session lies, whose folder this is.
func logDir(folder string) string { return filepath.Join(folder, "log") }

// open goes over to another folder, which this process holds.
func (l *logFile) open(folder string, log *slog.Logger) {
	file, err := logs.OpenFile(logDir(folder))
	if err != nil {
		log.Warn("the log can't be written to the disk", "error", err)
	}
	l.close()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.dir, l.file = logDir(folder), file
}

// close ends it, before the folder is given free.
func (l *logFile) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file != nil {
		_ = l.file.Close() // a log that can't be closed is no matter for the person
	}
	l.dir, l.file = "", nil
}

// folder is where it is written now, "" for nowhere.
func (l *logFile) folder() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.dir
}
