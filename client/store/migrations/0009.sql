-- The signed checkpoints of the custody log: what it was when it had so many entries.
CREATE TABLE custody_checkpoints (
    size INTEGER PRIMARY KEY, -- entries
    note BLOB    NOT NULL,    -- a signed note, as c2sp.org/tlog-checkpoint has it
    key  BLOB    NOT NULL     -- the public key that it was signed with
);
