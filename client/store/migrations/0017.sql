-- The person's tags on a submission, one to a line. The search finds them where it finds the note.
ALTER TABLE submissions ADD COLUMN tags TEXT NOT NULL DEFAULT '';

DROP TRIGGER search_added;
CREATE TRIGGER search_added AFTER INSERT ON submissions WHEN new.listed = 1 BEGIN
    INSERT INTO search (rowid, name, link, note) VALUES (new.key, new.name, new.link, new.note || char(10) || new.tags);
END;
DROP TRIGGER search_changed;
CREATE TRIGGER search_changed AFTER UPDATE OF name, link, note, tags, state, earlier ON submissions
WHEN old.listed <> new.listed OR new.listed = 1 AND (old.name <> new.name OR old.link <> new.link OR old.note <> new.note OR old.tags <> new.tags) BEGIN
    DELETE FROM search WHERE rowid = old.key AND old.listed = 1;
    INSERT INTO search (rowid, name, link, note) SELECT new.key, new.name, new.link, new.note || char(10) || new.tags WHERE new.listed = 1;
END;
