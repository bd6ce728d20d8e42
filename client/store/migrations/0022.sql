-- For how many days the desk keeps a shared case after the last thing that was done in it; 0 is without limit.
ALTER TABLE cases ADD COLUMN keep INTEGER NOT NULL DEFAULT 0;
