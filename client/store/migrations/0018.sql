-- What the service says of a clip's voice, a result of its own: its JSON beside the clip's, its status beside the clip's status and filed likewise, and
-- whether the two differ, so that a human must look.
ALTER TABLE answers ADD COLUMN voice BLOB; -- NULL: there is none, or it isn't known yet
ALTER TABLE submissions ADD COLUMN voice_status TEXT NOT NULL DEFAULT '';
ALTER TABLE submissions ADD COLUMN voice_differs INTEGER NOT NULL DEFAULT 0;
DROP INDEX results_human;
ALTER TABLE submissions DROP COLUMN human;
ALTER TABLE submissions ADD COLUMN human INTEGER GENERATED ALWAYS AS (
    (CASE WHEN voice_differs THEN 0 ELSE CASE status WHEN 'contradictory' THEN 0 WHEN 'SUSPICIOUS' THEN 0 WHEN 'NOT_APPLICABLE' THEN 2
        WHEN 'FAKE' THEN 3 WHEN 'AUTHENTIC' THEN 4 ELSE 1 END END << 56) - key
) VIRTUAL;
CREATE INDEX results_human ON submissions (human, status, type, source, linked, accepted) WHERE listed = 1;
