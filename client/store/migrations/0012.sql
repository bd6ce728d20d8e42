-- Of an answer that differs from the one before on the same content: that answer and its status, and who has looked at it since.
ALTER TABLE submissions ADD COLUMN was_answer INTEGER;                  -- its seq in answers, NULL for none
ALTER TABLE submissions ADD COLUMN was_status TEXT NOT NULL DEFAULT ''; -- as in status
ALTER TABLE submissions ADD COLUMN seen INTEGER;
ALTER TABLE submissions ADD COLUMN seen_by TEXT NOT NULL DEFAULT '';
ALTER TABLE submissions ADD COLUMN changed INTEGER GENERATED ALWAYS AS
    (was_answer IS NOT NULL AND seen IS NULL AND state = 'done' AND earlier = '') VIRTUAL;
CREATE INDEX results_changed ON submissions (key, status, type, source, linked, accepted) WHERE changed = 1;

-- The content that one to be checked again had when it was checked; '' for others.
ALTER TABLE submissions ADD COLUMN recheck TEXT NOT NULL DEFAULT '';

WITH answered AS (
    SELECT key, status, lag(status) OVER before AS was_status, lag(answer) OVER before AS was_answer FROM submissions
    WHERE listed = 1 AND content <> '' AND answer IS NOT NULL WINDOW before AS (PARTITION BY content ORDER BY coalesce(answered, 0), key)
)
UPDATE submissions SET was_answer = a.was_answer, was_status = a.was_status FROM answered a
WHERE submissions.key = a.key AND a.was_answer IS NOT NULL AND a.was_status <> a.status;
