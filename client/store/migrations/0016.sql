-- What must be done to a file before any of it can be sent, whether a copy in another format may be made without asking, and the part that the person chose
-- of a clip that is too large (nanoseconds from its beginning).
ALTER TABLE submissions ADD COLUMN needs TEXT NOT NULL DEFAULT '';
ALTER TABLE submissions ADD COLUMN copies TEXT NOT NULL DEFAULT '';
ALTER TABLE submissions ADD COLUMN part_from INTEGER NOT NULL DEFAULT 0;
ALTER TABLE submissions ADD COLUMN part_to INTEGER NOT NULL DEFAULT 0;
-- Of the copy: its format, '' for the file's own; whether metadata went along; which part of the clip it is; and what else is different in it.
ALTER TABLE submissions ADD COLUMN copy_format TEXT NOT NULL DEFAULT '';
ALTER TABLE submissions ADD COLUMN copy_metadata INTEGER NOT NULL DEFAULT 0;
ALTER TABLE submissions ADD COLUMN copy_from INTEGER NOT NULL DEFAULT 0;
ALTER TABLE submissions ADD COLUMN copy_to INTEGER NOT NULL DEFAULT 0;
ALTER TABLE submissions ADD COLUMN copy_note TEXT NOT NULL DEFAULT '';
