-- A desk: cases that are shared with colleagues over the newsroom's own database. The one row says who this computer is there.
CREATE TABLE desk (
    one     INTEGER PRIMARY KEY CHECK (one = 1),
    address TEXT NOT NULL, -- without a password
    member  TEXT NOT NULL, -- their login
    device  TEXT NOT NULL, -- a UUID
    epoch   TEXT NOT NULL, -- of the desk's database, when the cursor was kept
    cursor  TEXT NOT NULL DEFAULT ''  -- up to which event all were received
);
-- Its people, and the public keys of their computers, so that what was received can be read and verified without a network.
CREATE TABLE desk_members (name TEXT PRIMARY KEY, display TEXT NOT NULL, role TEXT NOT NULL, revoked INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE desk_devices (id TEXT PRIMARY KEY, member TEXT NOT NULL, key BLOB NOT NULL) WITHOUT ROWID;

ALTER TABLE cases ADD COLUMN desk_case TEXT NOT NULL DEFAULT ''; -- its ID at the desk, a UUID; '' while it is on this computer alone
ALTER TABLE cases ADD COLUMN share TEXT NOT NULL DEFAULT '';     -- how much of its items is shared
ALTER TABLE cases ADD COLUMN looked INTEGER NOT NULL DEFAULT 0;  -- desk_events.seq: up to which the person has seen what colleagues did
ALTER TABLE case_items ADD COLUMN share TEXT NOT NULL DEFAULT ''; -- likewise of this one, by the person's word; '': as the case and the gate say
CREATE INDEX cases_desk ON cases (desk_case) WHERE desk_case <> '';

-- Whether a judgement in the case needs a second person's sign-off before the case is concluded; and what a judgement says, in the feed of what happened.
ALTER TABLE cases ADD COLUMN sign_off INTEGER NOT NULL DEFAULT 0;
ALTER TABLE case_records ADD COLUMN label TEXT NOT NULL DEFAULT '';

-- What is done with a file that a colleague has checked; '': it is sent.
ALTER TABLE submissions ADD COLUMN colleagues TEXT NOT NULL DEFAULT '';
-- Whose answer it has, where a colleague shared it, and when they had it.
ALTER TABLE submissions ADD COLUMN answered_by TEXT NOT NULL DEFAULT '';
ALTER TABLE submissions ADD COLUMN answered_there INTEGER;

-- What was done in shared cases, here and elsewhere.
CREATE TABLE desk_events (
    seq       INTEGER PRIMARY KEY,
    id        TEXT    NOT NULL UNIQUE, -- a UUID
    desk_case TEXT    NOT NULL,
    author    TEXT    NOT NULL, -- a member
    device    TEXT    NOT NULL,
    lamport   INTEGER NOT NULL,
    kind      TEXT    NOT NULL,
    about     TEXT    NOT NULL, -- another event; '' for none
    subject   BLOB,             -- SHA-256 of a content
    body      BLOB,             -- JSON; NULL once it was redacted
    digest    BLOB,             -- NULL until it is signed, when it is sent
    sig       BLOB,
    at        INTEGER,          -- by the clock of the desk's server; NULL before it is there
    state     TEXT    NOT NULL  -- 'waiting', 'refused', 'shared', or 'altered': it is not what its author signed
);
CREATE INDEX desk_events_waiting ON desk_events (seq) WHERE state = 'waiting';
CREATE INDEX desk_events_new ON desk_events (desk_case, seq);
CREATE INDEX desk_events_case ON desk_events (desk_case, kind, lamport);
CREATE INDEX desk_events_subject ON desk_events (subject) WHERE subject IS NOT NULL;
CREATE INDEX desk_events_about ON desk_events (about) WHERE about <> '';
CREATE INDEX desk_events_lamport ON desk_events (lamport) WHERE state <> 'altered';
CREATE INDEX desk_events_state ON desk_events (state, desk_case, device);
CREATE INDEX desk_events_emptied ON desk_events (id) WHERE body IS NULL;
-- Records of before have IDs of another form than their events at the desk.
CREATE INDEX case_records_before ON case_records (of_case) WHERE length(id) <> 36;
