-- Which Assay wrote this file, and the oldest version of the file whose readers still understand it: an older Assay that finds a newer file
-- here reads it all the same, and changes nothing. A later step that only adds leaves readable_since as it is; one after which the queries of earlier
-- versions would fail or mislead sets it to its own number.
CREATE TABLE written (readable_since INTEGER NOT NULL, version TEXT NOT NULL) STRICT;
INSERT INTO written (readable_since, version) VALUES (15, '');
