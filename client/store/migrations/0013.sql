-- The fingerprints of contents, by which what is nearly the same is found. A content of which none can be made has one of the kind ''.
CREATE TABLE fingerprints (
    content TEXT    NOT NULL, -- SHA-256, hex
    kind    TEXT    NOT NULL, -- 'picture', 'frame', 'sound', or ''
    place   INTEGER NOT NULL, -- which of a clip's frames, from 0
    quality INTEGER NOT NULL, -- 0 to 100
    bits    BLOB    NOT NULL,
    PRIMARY KEY (content, kind, place)
) WITHOUT ROWID;
CREATE TRIGGER fingerprints_removed AFTER DELETE ON submissions WHEN old.sha256 <> '' BEGIN
    DELETE FROM fingerprints WHERE content = old.sha256
        AND NOT EXISTS (SELECT 1 FROM submissions WHERE content = old.sha256 AND content <> '' AND earlier = '');
END;
