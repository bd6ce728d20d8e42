package store

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
)

// access is what a connection may do.
type access int

const (
	writes access = iota // one connection: SQLite has one writer at a time
	reads                // a few connections besides the writer, which see what is committed
	sees                 // likewise, of a file that nobody writes to and that has no write-ahead log: nothing is written beside it
)

const (
	readers       = 4
	maxStatements = 200 // the most that are kept prepared; beyond that each call prepares its own
)

// connection is access to the file, with its statements kept prepared.
type connection struct {
	pool *sql.DB

	mu         sync.RWMutex
	statements map[string]*sql.Stmt
}

// connectTo opens the file. When it returns, nothing of the file need have been read yet.
func connectTo(ctx context.Context, path string, a access) (*connection, error) {
	pragmas := url.Values{"_pragma": {
		"busy_timeout(10000)",
		"temp_store(MEMORY)", // a sort needs no room on the disk
		"cache_size(-4000)",  // in KiB, for each connection
	}}
	if a == writes {
		// Locking stays NORMAL, since an exclusive lock would keep our own readers out. secure_delete overwrites deleted data, such as a secret
		// upload URL, on every page.
		pragmas["_pragma"] = append(pragmas["_pragma"],
			"journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(ON)", "secure_delete(ON)", "journal_size_limit(16777216)")
	} else {
		pragmas["_pragma"] = append(pragmas["_pragma"], "query_only(ON)")
	}
	if a == sees {
		pragmas["mode"], pragmas["immutable"] = []string{"ro"}, []string{"1"}
	}
	pool, err := sql.Open("sqlite", address(path)+"?"+pragmas.Encode())
	if err != nil {
		return nil, err
	}
	connections := 1
	if a != writes {
		connections = readers
	}
	pool.SetMaxOpenConns(connections)
	pool.SetMaxIdleConns(connections)
	if err := pool.PingContext(ctx); err != nil {
		_ = pool.Close()
		return nil, err
	}
	return &connection{pool: pool, statements: map[string]*sql.Stmt{}}, nil
}

// address is the path in the form in which SQLite accepts parameters with it.
func address(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive's letter
	}
	return "file://" + (&url.URL{Path: path}).EscapedPath()
}

// close closes the statements, then the connections. The last connection to close moves the write-ahead log into the file.
func (c *connection) close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, statement := range c.statements {
		_ = statement.Close()
	}
	c.statements = nil
	return c.pool.Close()
}

// prepared returns the statement, and a function to call after use.
func (c *connection) prepared(ctx context.Context, query string) (*sql.Stmt, func(), error) {
	c.mu.RLock()
	kept, closed := c.statements[query], c.statements == nil
	c.mu.RUnlock()
	if kept != nil {
		return kept, func() {}, nil
	}
	if closed {
		return nil, nil, ErrClosed
	}
	fresh, err := c.pool.PrepareContext(ctx, query)
	if err != nil {
		return nil, nil, fmt.Errorf("prepare: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch kept := c.statements[query]; {
	case c.statements == nil:
		_ = fresh.Close()
		return nil, nil, ErrClosed
	case kept != nil: // another goroutine was faster
		_ = fresh.Close()
		return kept, func() {}, nil
	case len(c.statements) >= maxStatements:
		return fresh, func() { _ = fresh.Close() }, nil
	}
	c.statements[query] = fresh
	return fresh, func() {}, nil
}

// exec runs a statement.
func (c *connection) exec(ctx context.Context, query string, values ...any) (sql.Result, error) {
	statement, used, err := c.prepared(ctx, query)
	if err != nil {
		return nil, err
	}
	defer used()
	return statement.ExecContext(ctx, values...)
}

// scanner is what a row is read from.
type scanner interface{ Scan(into ...any) error }

// rowsPerCheck is after how many rows the context is checked.
const rowsPerCheck = 256

// each calls read with every row. It checks the context itself: the driver would start a goroutine for each query, and drop the connection with its
// statements when one is interrupted.
func (c *connection) each(ctx context.Context, read func(scanner) error, query string, values ...any) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	waiting := ctx
	ctx = context.WithoutCancel(ctx)
	statement, used, err := c.prepared(ctx, query)
	if err != nil {
		return err
	}
	defer used()
	rows, err := statement.QueryContext(ctx, values...)
	if err != nil {
		return err
	}
	for n := 1; rows.Next(); n++ {
		err := read(rows)
		if err == nil && n%rowsPerCheck == 0 {
			err = waiting.Err()
		}
		if err != nil {
			_ = rows.Close()
			return err
		}
	}
	if err := rows.Err(); err != nil {
		_ = rows.Close()
		return err
	}
	return rows.Close()
}

// one reads the first row; found is false where there is none.
func (c *connection) one(ctx context.Context, into []any, query string, values ...any) (found bool, err error) {
	err = c.each(ctx, func(row scanner) error {
		if found {
			return nil
		}
		found = true
		return row.Scan(into...)
	}, query, values...)
	return found, err
}

// number reads a single number, 0 where there is none.
func (c *connection) number(ctx context.Context, query string, values ...any) (int64, error) {
	var n sql.NullInt64
	_, err := c.one(ctx, []any{&n}, query, values...)
	return n.Int64, err
}
