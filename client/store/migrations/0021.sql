-- What this computer's member may do in a shared case, as the desk last said.
ALTER TABLE cases ADD COLUMN level TEXT NOT NULL DEFAULT '';
-- When what a record says was removed; its kind is 'emptied' then.
ALTER TABLE case_records ADD COLUMN removed INTEGER;
