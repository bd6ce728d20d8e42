package store

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"assay/client/release"
)

// applicationID marks the file as Assay's ("Asay").
const applicationID = 0x41736179

// tellsVersion is the first version of the file that says which Assay wrote it.
const tellsVersion = 15

// The migrations, each named by the version that it leads to. One that was released is never changed.
//
//go:embed migrations/*.sql
var migrations embed.FS

// versions are the migrations' SQL, in their order: the first leads to version 1.
func versions() ([]string, error) {
	names, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	all := make([]string, 0, len(names))
	for i, name := range names {
		if want := fmt.Sprintf("%04d.sql", i+1); path.Base(name) != want {
			return nil, fmt.Errorf("the migration %s is missing", want)
		}
		text, err := migrations.ReadFile(name)
		if err != nil {
			return nil, err
		}
		all = append(all, string(text))
	}
	return all, nil
}

// migrate brings the file to the newest version, step by step, each step in one transaction with its number. begun is true where the file held
// something when it was opened.
func migrate(ctx context.Context, c *connection, begun bool) error {
	steps, err := versions()
	if err != nil {
		return err
	}
	return migrateBy(ctx, c, begun, steps)
}

func migrateBy(ctx context.Context, c *connection, begun bool, steps []string) error {
	version, err := c.number(ctx, "PRAGMA user_version")
	if err != nil {
		return err
	}
	owner, err := c.number(ctx, "PRAGMA application_id")
	if err != nil {
		return err
	}
	switch {
	case begun && version > 0 && owner != applicationID:
		return fmt.Errorf("%w: it is another program's", ErrDamaged)
	case version > int64(len(steps)):
		return &Newer{known: fmt.Sprintf("version %d, known up to %d", version, len(steps))} // checkVersion has not found it
	}
	if version == 0 {
		tables, err := c.number(ctx, "SELECT count(*) FROM sqlite_schema")
		if err != nil {
			return err
		}
		if tables > 0 { // the first step is made all at once
			return fmt.Errorf("%w: it has no version", ErrDamaged)
		}
	}
	for i := int(version); i < len(steps); i++ {
		// One statement for the driver, so that all the statements of a step are committed with its number, or none.
		by := ""
		if i+1 >= tellsVersion {
			by = fmt.Sprintf("UPDATE written SET version = '%s';\n", strings.ReplaceAll(release.Version(), "'", ""))
		}
		step := fmt.Sprintf("BEGIN IMMEDIATE;\n%s\n%sPRAGMA application_id = %d;\nPRAGMA user_version = %d;\nCOMMIT;", steps[i], by, applicationID, i+1)
		if _, err := c.pool.ExecContext(ctx, step); err != nil {
			_, _ = c.pool.ExecContext(ctx, "ROLLBACK")
			return fmt.Errorf("bring the file to version %d: %w", i+1, err)
		}
	}
	return nil
}
