-- How the person let a submission leave: under a name that says nothing, and as a copy without what identifies.
ALTER TABLE submissions ADD COLUMN neutral INTEGER NOT NULL DEFAULT 0;
ALTER TABLE submissions ADD COLUMN copy_path TEXT NOT NULL DEFAULT '';
ALTER TABLE submissions ADD COLUMN copy_sha256 TEXT NOT NULL DEFAULT '';
ALTER TABLE submissions ADD COLUMN copy_size INTEGER NOT NULL DEFAULT 0;
ALTER TABLE submissions ADD COLUMN copy_removed TEXT NOT NULL DEFAULT '';

-- From here on, answers are kept without the queries of the links in them.
