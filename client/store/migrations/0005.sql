-- What contradicts itself needs a human first, beside what is suspicious.
DROP INDEX results_human;
ALTER TABLE submissions DROP COLUMN human;
ALTER TABLE submissions ADD COLUMN human INTEGER GENERATED ALWAYS AS (
    (CASE status WHEN 'contradictory' THEN 0 WHEN 'SUSPICIOUS' THEN 0 WHEN 'NOT_APPLICABLE' THEN 2 WHEN 'FAKE' THEN 3 WHEN 'AUTHENTIC' THEN 4 ELSE 1 END << 56) - key
) VIRTUAL;
CREATE INDEX results_human ON submissions (human, status, type, source, linked, accepted) WHERE listed = 1;
