-- What the desk has of the custody logs of its computers, this one among them: of each log the largest checkpoint that was seen there.
CREATE TABLE desk_logs (
    device TEXT    NOT NULL, -- a UUID
    origin TEXT    NOT NULL, -- what the log is called
    size   INTEGER NOT NULL, -- entries
    root   BLOB    NOT NULL,
    at     INTEGER NOT NULL, -- by the clock of the desk's server
    found  TEXT    NOT NULL, -- 'shrank' or 'changed' since; '': neither
    PRIMARY KEY (device, origin)
) WITHOUT ROWID;

-- Who is to answer a question of a case, and by when: a member's login, where a name is one's, and a day as 2006-01-02.
ALTER TABLE case_records ADD COLUMN assignee TEXT NOT NULL DEFAULT '';
ALTER TABLE case_records ADD COLUMN due TEXT NOT NULL DEFAULT '';
ALTER TABLE case_records ADD COLUMN replaced INTEGER NOT NULL DEFAULT 0; -- a later assignment of the question holds

-- The PDQ hashes that colleagues have shared with their answers, by which what is nearly the same is found.
CREATE TABLE desk_hashes (
    seq     INTEGER PRIMARY KEY AUTOINCREMENT,
    event   TEXT    NOT NULL, -- desk_events.id
    content TEXT    NOT NULL, -- SHA-256, hex
    kind    TEXT    NOT NULL, -- 'picture' or 'frame', as in fingerprints
    quality INTEGER NOT NULL,
    bits    BLOB    NOT NULL
);
CREATE INDEX desk_hashes_event ON desk_hashes (event);

-- Files of a shared case: whether heatmaps and small pictures of its results are shared, and how they are kept ('': they are not; 'plain', 'encrypted').
ALTER TABLE cases ADD COLUMN files TEXT NOT NULL DEFAULT '';
ALTER TABLE case_items ADD COLUMN files INTEGER NOT NULL DEFAULT 0; -- by the person's word for the item: 1 likewise, 2 the file itself, 3 both
ALTER TABLE desk_events ADD COLUMN fetched INTEGER NOT NULL DEFAULT 0; -- 1: the file that it shares is here, or was
CREATE INDEX desk_events_files ON desk_events (seq) WHERE kind = 'share_artifact' AND fetched = 0;
