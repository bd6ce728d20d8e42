-- Whether a submission may leave this computer, when the person allowed it, and the watched folder that it came from.
ALTER TABLE submissions ADD COLUMN gate TEXT NOT NULL DEFAULT '';
ALTER TABLE submissions ADD COLUMN allowed INTEGER;
ALTER TABLE submissions ADD COLUMN folder TEXT NOT NULL DEFAULT '';
CREATE INDEX submissions_folder ON submissions (folder, state, earlier) WHERE folder <> '';

-- What stays on this computer has ended.
DROP INDEX submissions_inbox;
ALTER TABLE submissions DROP COLUMN inbox;
ALTER TABLE submissions ADD COLUMN inbox INTEGER GENERATED ALWAYS AS
    (filed = 0 OR earlier = '' AND state NOT IN ('done', 'refused', 'failed', 'cancelled', 'stays')) VIRTUAL;
CREATE INDEX submissions_inbox ON submissions (key) WHERE inbox = 1;

-- The watched folders.
CREATE TABLE folders (
    key      INTEGER PRIMARY KEY,
    id       TEXT    NOT NULL UNIQUE,
    path     TEXT    NOT NULL,
    added    INTEGER,
    passing  INTEGER NOT NULL,
    settings BLOB    NOT NULL
);

-- The files that are known of each, by their names in any encoding.
CREATE TABLE folder_files (
    folder INTEGER NOT NULL REFERENCES folders (key) ON DELETE CASCADE,
    name   BLOB    NOT NULL,
    size   INTEGER NOT NULL,
    time   INTEGER NOT NULL,
    file   INTEGER NOT NULL, -- its number on the disk, its bits taken for a signed one
    sha256 BLOB,             -- NULL while it is not known
    PRIMARY KEY (folder, name)
) WITHOUT ROWID;

-- The contents that were announced of each, whatever has become of the files.
CREATE TABLE folder_contents (
    folder INTEGER NOT NULL REFERENCES folders (key) ON DELETE CASCADE,
    sha256 BLOB    NOT NULL,
    PRIMARY KEY (folder, sha256)
) WITHOUT ROWID;
