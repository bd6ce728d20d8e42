package desktest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"assay/client/assert"
)

// Backup is all of the database as IT would keep it, in SQL.
func (d *Database) Backup(t testing.TB) string {
	t.Helper()
	return d.program(t, "pg_dump", "", d.Name)
}

// Restore makes another database of a backup of this one, in the same cluster.
func (d *Database) Restore(t testing.TB, backup string) *Database {
	t.Helper()
	other := &Database{Cluster: d.Cluster, t: t, Name: fmt.Sprintf("desk%d", d.databases.Add(1)), Owner: d.Owner}
	_, err := d.Connect(t, Superuser, "postgres").Exec(t.Context(), "CREATE DATABASE "+other.Name+" OWNER "+other.Owner)
	assert.NoError(t, err)
	d.program(t, "psql", backup, "-q", "-v", "ON_ERROR_STOP=1", other.Name)
	return other
}

// program runs one of PostgreSQL's, as the server's owner, and returns what it prints.
func (c *Cluster) program(t testing.TB, name, input string, args ...string) string {
	t.Helper()
	bin, err := programs()
	assert.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), filepath.Join(bin, name), args...) //nolint:forbidigo,gosec // the tests' own server
	cmd.Env = append(os.Environ(), "PGPASSWORD="+Password, "PGUSER="+Superuser, "PGHOST="+c.folder, fmt.Sprint("PGPORT=", c.Port))
	cmd.Stdin = strings.NewReader(input)
	var said, problem strings.Builder
	cmd.Stdout, cmd.Stderr = &said, &problem
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v: %s", name, err, problem.String())
	}
	return said.String()
}
