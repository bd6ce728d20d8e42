-- What a case is: open or concluded, its tags, and the record that holds the desk's conclusion.
ALTER TABLE cases ADD COLUMN state TEXT NOT NULL DEFAULT 'open';
ALTER TABLE cases ADD COLUMN tags TEXT NOT NULL DEFAULT '[]'; -- JSON
ALTER TABLE cases ADD COLUMN conclusion INTEGER;              -- case_records.seq; NULL: none

-- The notes become the records of all that the desk does in a case: what they say is never changed.
ALTER TABLE case_notes RENAME TO case_records;
DROP INDEX case_notes_case;
ALTER TABLE case_records ADD COLUMN about TEXT NOT NULL DEFAULT '';      -- the question that an answer is to; the submission that was added or removed
ALTER TABLE case_records ADD COLUMN evidence TEXT NOT NULL DEFAULT '[]'; -- of an answer, JSON
CREATE INDEX case_records_case ON case_records (of_case, at, seq);
INSERT INTO case_records (id, of_case, kind, text, author, at) SELECT lower(hex(randomblob(16))), key, 'created', title, '', created FROM cases ORDER BY key;
INSERT INTO case_records (id, of_case, kind, text, author, at, about)
    SELECT lower(hex(randomblob(16))), i.of_case, 'added', s.name, '', i.added, s.id FROM case_items i JOIN submissions s ON s.key = i.submission ORDER BY i.seq;

-- What the person marked as graphic is covered until somebody wants to see it.
ALTER TABLE submissions ADD COLUMN graphic INTEGER NOT NULL DEFAULT 0;
