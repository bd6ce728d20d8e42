-- How a feedback stands, and when it may be sent; until now none was sent from here.
ALTER TABLE feedback ADD COLUMN state TEXT NOT NULL DEFAULT 'waiting';
ALTER TABLE feedback ADD COLUMN due INTEGER;
UPDATE feedback SET state = 'sent' WHERE sent IS NOT NULL;
