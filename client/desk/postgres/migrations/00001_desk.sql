-- The desk: what a newsroom's people share of their cases. It is made by `assay desk init`, with the login of the database's owner.
--
-- Members have a login each, and the group assay_desk in common. They may insert and select, never update or delete, and row-level security
-- shows them their own cases alone. Who somebody is, is session_user: SET ROLE does not change that.

-- +goose Up
-- +goose StatementBegin
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'assay_desk') THEN
        CREATE ROLE assay_desk NOLOGIN; -- roles are of the cluster: another desk in it may have made this one
    END IF;
END
$$;
-- +goose StatementEnd

-- The schema itself is made before this, to hold the number of the last migration.
GRANT USAGE ON SCHEMA desk TO assay_desk;

-- What the database is: read before anything else.
CREATE TABLE desk.about (
    one       boolean PRIMARY KEY DEFAULT true CHECK (one),
    version   integer NOT NULL, -- of what is made here, which a member's Assay must know to write
    epoch     text    NOT NULL, -- of the cluster and schema in which its transactions were counted: see desk.epoch
    elsewhere boolean NOT NULL DEFAULT false -- whether a member is told that somebody has checked a content in a case which isn't theirs
);

CREATE TABLE desk.members (
    name    text        COLLATE "C" PRIMARY KEY, -- their login; of the collation of session_user, without which no index is of use where the two are compared
    display text        NOT NULL CHECK (octet_length(display) BETWEEN 1 AND 200),
    role    text        NOT NULL CHECK (role IN ('reader', 'editor', 'reviewer', 'admin')),
    added   timestamptz NOT NULL DEFAULT now(),
    revoked timestamptz
);

-- A member's desktops, and the keys that sign what they write.
CREATE TABLE desk.devices (
    id     uuid        PRIMARY KEY,
    member text        COLLATE "C" NOT NULL DEFAULT session_user REFERENCES desk.members,
    key    bytea       NOT NULL CHECK (octet_length(key) = 32), -- Ed25519, public
    at     timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE desk.cases (
    id         uuid        PRIMARY KEY,
    created_by text        NOT NULL DEFAULT session_user REFERENCES desk.members,
    at         timestamptz NOT NULL DEFAULT now()
);

-- Who is in a case: of the rows of a member in it, the last counts.
CREATE TABLE desk.case_members (
    seq     bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    case_id uuid        NOT NULL REFERENCES desk.cases,
    member  text        COLLATE "C" NOT NULL REFERENCES desk.members,
    level   text        NOT NULL CHECK (level IN ('none', 'reader', 'editor', 'reviewer', 'owner')),
    by      text        NOT NULL DEFAULT session_user,
    at      timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX case_members_of ON desk.case_members (member, case_id, seq DESC);
CREATE INDEX case_members_in ON desk.case_members (case_id);

-- What was done. An event never changes, but that a redaction takes its body and subject away: digest and signature, which bind both, stay.
CREATE TABLE desk.events (
    seq     bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tx      xid8        NOT NULL DEFAULT pg_current_xact_id(), -- with seq the order in which events are pulled: see desk.md
    id      uuid        NOT NULL UNIQUE,
    case_id uuid        NOT NULL REFERENCES desk.cases,
    author  text        NOT NULL DEFAULT session_user REFERENCES desk.members,
    device  uuid        NOT NULL REFERENCES desk.devices,
    lamport bigint      NOT NULL CHECK (lamport BETWEEN 1 AND 9007199254740991), -- at most what every reader of JSON can hold
    kind    text        NOT NULL CHECK (octet_length(kind) BETWEEN 1 AND 40),
    about   uuid, -- the event that it answers, judges, signs off, takes back or redacts
    subject bytea       CHECK (subject IS NULL OR octet_length(subject) = 32 AND kind <> 'redact'), -- SHA-256 of a content
    body    text        CHECK (octet_length(body) <= 1048576 AND jsonb_typeof(body::jsonb) = 'object'), -- text, since a signature binds its bytes
    digest  bytea       NOT NULL CHECK (octet_length(digest) = 32), -- SHA-256 over subject and body
    sig     bytea       NOT NULL CHECK (octet_length(sig) = 64), -- Ed25519, by the device's key
    at      timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX events_pulled ON desk.events (tx, seq);
CREATE INDEX events_of_case ON desk.events (case_id, tx, seq);
CREATE INDEX events_lamport ON desk.events (lamport);

-- Which contents were checked, in which case: one question about a SHA-256, however many events there are.
CREATE TABLE desk.checks (
    sha256     bytea       NOT NULL CHECK (octet_length(sha256) = 32),
    case_id    uuid        NOT NULL REFERENCES desk.cases,
    request_id text        NOT NULL CHECK (octet_length(request_id) <= 200),
    status     text        NOT NULL CHECK (octet_length(status) <= 40),
    release    text        NOT NULL CHECK (octet_length(release) <= 100),
    author     text        NOT NULL DEFAULT session_user REFERENCES desk.members,
    at         timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (sha256, case_id, request_id)
) PARTITION BY HASH (sha256);
-- +goose StatementBegin
DO $$
BEGIN
    FOR i IN 0..15 LOOP
        EXECUTE format('CREATE TABLE desk.checks_%s PARTITION OF desk.checks FOR VALUES WITH (MODULUS 16, REMAINDER %s)', i, i);
    END LOOP;
END
$$;
-- +goose StatementEnd

-- Files that are shared outside of the database, by the SHA-256 of what is stored there.
CREATE TABLE desk.blobs (
    sha256  bytea       NOT NULL CHECK (octet_length(sha256) = 32),
    case_id uuid        NOT NULL REFERENCES desk.cases,
    size    bigint      NOT NULL CHECK (size >= 0),
    place   text        NOT NULL CHECK (octet_length(place) <= 2000),
    author  text        NOT NULL DEFAULT session_user REFERENCES desk.members,
    at      timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (sha256, case_id)
);

-- What each desktop's custody log was, so that nobody can take entries away there without the others' knowing.
CREATE TABLE desk.checkpoints (
    device uuid        NOT NULL REFERENCES desk.devices,
    size   bigint      NOT NULL CHECK (size >= 0),
    root   bytea       NOT NULL CHECK (octet_length(root) = 32),
    note   text        NOT NULL CHECK (octet_length(note) <= 4000),
    at     timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (device, size, root)
);

-- Who asks. These run as the owner, whom the policies below let read what they need.

-- The cluster, its line of history, and the schema: after a restore of the database, by dump or by files, at least one of the three is another.
-- +goose StatementBegin
CREATE FUNCTION desk.epoch() RETURNS text LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    SELECT format('%s.%s.%s', (pg_control_system()).system_identifier, (pg_control_checkpoint()).timeline_id, 'desk'::regnamespace::oid)
$$;
-- +goose StatementEnd

-- rank orders roles and levels: who has one may do what those below it may. NULL and unknown ones are 0. (Its names are looked up here and now, once, so
-- that it needs no search_path of its own and is done in place.)
-- +goose StatementBegin
CREATE FUNCTION desk.rank(of text) RETURNS integer LANGUAGE sql IMMUTABLE
    RETURN CASE of WHEN 'reader' THEN 1 WHEN 'editor' THEN 2 WHEN 'reviewer' THEN 3 WHEN 'owner' THEN 4 WHEN 'admin' THEN 4 ELSE 0 END;
-- +goose StatementEnd

-- The policies ask the next three for each statement. They are in plpgsql, since that keeps their plans for a connection.
-- +goose StatementBegin
CREATE FUNCTION desk.my_rank() RETURNS integer LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN coalesce((SELECT desk.rank(role) FROM desk.members WHERE name = session_user AND revoked IS NULL), 0);
END
$$;
-- +goose StatementEnd

-- my_cases are the cases in which the member is at this level at least. An owner of a case who may only read at this desk may only read.
-- +goose StatementBegin
CREATE FUNCTION desk.my_cases(lowest text) RETURNS SETOF uuid LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RETURN QUERY SELECT case_id FROM (SELECT DISTINCT ON (m.case_id) m.case_id, m.level FROM desk.case_members m WHERE m.member = session_user ORDER BY m.case_id, m.seq DESC) mine
        WHERE level <> 'none' AND desk.rank(level) >= desk.rank(lowest)
            AND (SELECT desk.rank(role) FROM desk.members WHERE name = session_user AND revoked IS NULL) >= CASE lowest WHEN 'owner' THEN desk.rank('editor') ELSE desk.rank(lowest) END;
END
$$;
-- +goose StatementEnd

-- checked_elsewhere says whether a content was checked in a case that is not the member's, where the desk's admin allows that much.
-- +goose StatementBegin
CREATE FUNCTION desk.checked_elsewhere(content bytea) RETURNS boolean LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NOT (SELECT elsewhere FROM desk.about) OR desk.my_rank() = 0 THEN
        RETURN false;
    END IF;
    RETURN EXISTS (SELECT FROM desk.checks WHERE sha256 = content AND case_id NOT IN (SELECT desk.my_cases('reader')));
END
$$;
-- +goose StatementEnd

-- Nothing is written to a database that was restored, before its owner has seen to it: transactions are counted anew there.
-- +goose StatementBegin
CREATE FUNCTION desk.same_epoch() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF (SELECT epoch FROM desk.about) <> desk.epoch() THEN
        RAISE EXCEPTION 'the database was restored: run assay desk init' USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
    RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER same_epoch BEFORE INSERT ON desk.events FOR EACH STATEMENT EXECUTE FUNCTION desk.same_epoch();

-- Each desktop counts on from the largest number that it knows. A number far beyond all others would leave them none to go on with.
-- +goose StatementBegin
CREATE FUNCTION desk.next_lamport() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF (SELECT max(lamport) FROM added) - 1000000 > coalesce((SELECT max(lamport) FROM desk.events WHERE tx < pg_current_xact_id()), 0) THEN
        RAISE EXCEPTION 'the event is too far ahead of all others' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER next_lamport AFTER INSERT ON desk.events REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION desk.next_lamport();

-- Who makes a case owns it.
-- +goose StatementBegin
CREATE FUNCTION desk.own_case() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    INSERT INTO desk.case_members (case_id, member, level) VALUES (NEW.id, NEW.created_by, 'owner');
    RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER own_case AFTER INSERT ON desk.cases FOR EACH ROW EXECUTE FUNCTION desk.own_case();

-- A sign-off is by a second person, and of a judgement in the same case.
-- +goose StatementBegin
CREATE FUNCTION desk.second_person() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    judgement desk.events;
BEGIN
    SELECT * INTO judgement FROM desk.events WHERE id = NEW.about AND case_id = NEW.case_id AND kind = 'judgement';
    IF judgement.id IS NULL THEN
        RAISE EXCEPTION 'there is no such judgement in this case' USING ERRCODE = 'foreign_key_violation';
    ELSIF judgement.author = NEW.author THEN
        RAISE EXCEPTION 'a second person signs off' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER second_person BEFORE INSERT ON desk.events FOR EACH ROW WHEN (NEW.kind = 'sign_off') EXECUTE FUNCTION desk.second_person();

-- A redaction takes away what an event said, and that its content was checked in the case. It is for the event's author and the case's owners.
-- +goose StatementBegin
CREATE FUNCTION desk.redact() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    event desk.events;
BEGIN
    SELECT * INTO event FROM desk.events WHERE id = NEW.about AND case_id = NEW.case_id AND kind <> 'redact';
    IF event.id IS NULL THEN
        RAISE EXCEPTION 'there is no such event in this case' USING ERRCODE = 'foreign_key_violation';
    ELSIF event.author <> NEW.author AND NEW.case_id NOT IN (SELECT desk.my_cases('owner')) THEN
        RAISE EXCEPTION 'only its author and the owner of the case can redact it' USING ERRCODE = 'insufficient_privilege';
    END IF;
    UPDATE desk.events SET body = NULL, subject = NULL WHERE id = event.id;
    DELETE FROM desk.checks WHERE sha256 = event.subject AND case_id = event.case_id
        AND NOT EXISTS (SELECT FROM desk.events WHERE case_id = event.case_id AND subject = event.subject);
    RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER redact AFTER INSERT ON desk.events FOR EACH ROW WHEN (NEW.kind = 'redact') EXECUTE FUNCTION desk.redact();

-- A result of a content is a check of it.
-- +goose StatementBegin
CREATE FUNCTION desk.check_of() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    item jsonb := NEW.body::jsonb -> 'item';
BEGIN
    INSERT INTO desk.checks (sha256, case_id, request_id, status, release, author)
    VALUES (NEW.subject, NEW.case_id, coalesce(item ->> 'requestId', ''), coalesce(item ->> 'status', ''), coalesce(item ->> 'release', ''), NEW.author)
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER check_of AFTER INSERT ON desk.events FOR EACH ROW WHEN (NEW.kind = 'result' AND NEW.subject IS NOT NULL) EXECUTE FUNCTION desk.check_of();

-- A notice carries a number and nothing else: row-level security does not reach who listens.
-- +goose StatementBegin
CREATE FUNCTION desk.tell() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    PERFORM pg_notify('desk_events', max(seq)::text) FROM added HAVING count(*) > 0;
    RETURN NULL;
END
$$;
-- +goose StatementEnd
-- Who was let into a case hears of it, too.
CREATE TRIGGER tell AFTER INSERT ON desk.case_members REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION desk.tell();
CREATE TRIGGER tell AFTER INSERT ON desk.events REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION desk.tell();

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA desk FROM PUBLIC;
GRANT EXECUTE ON FUNCTION desk.epoch(), desk.rank(text), desk.my_rank(), desk.my_cases(text), desk.checked_elsewhere(bytea) TO assay_desk;

-- What members may do. Columns that a default fills can't be given by them: author, time, and the order of events.
GRANT SELECT ON desk.about, desk.members, desk.devices, desk.cases, desk.case_members, desk.events, desk.checks, desk.blobs, desk.checkpoints TO assay_desk;
GRANT INSERT (id, key) ON desk.devices TO assay_desk;
GRANT INSERT (id) ON desk.cases TO assay_desk;
GRANT INSERT (case_id, member, level) ON desk.case_members TO assay_desk;
GRANT INSERT (id, case_id, device, lamport, kind, about, subject, body, digest, sig) ON desk.events TO assay_desk;
GRANT INSERT (sha256, case_id, size, place) ON desk.blobs TO assay_desk;
GRANT INSERT (device, size, root, note) ON desk.checkpoints TO assay_desk;

-- Row-level security, forced: it holds for the owner as well, whose own policy is what the functions above go by.
-- +goose StatementBegin
DO $$
DECLARE
    t text;
BEGIN
    FOREACH t IN ARRAY ARRAY['about', 'members', 'devices', 'cases', 'case_members', 'events', 'checks', 'blobs', 'checkpoints'] LOOP
        EXECUTE format('ALTER TABLE desk.%I ENABLE ROW LEVEL SECURITY', t);
        EXECUTE format('ALTER TABLE desk.%I FORCE ROW LEVEL SECURITY', t);
        EXECUTE format('CREATE POLICY owner ON desk.%I TO CURRENT_USER USING (true) WITH CHECK (true)', t);
    END LOOP;
END
$$;
-- +goose StatementEnd

-- A member who is revoked still learns that; nothing else.
CREATE POLICY about ON desk.about FOR SELECT TO assay_desk USING ((SELECT desk.my_rank()) > 0);
CREATE POLICY everybody ON desk.members FOR SELECT TO assay_desk USING (name = session_user OR (SELECT desk.my_rank()) > 0);
CREATE POLICY everybody ON desk.devices FOR SELECT TO assay_desk USING ((SELECT desk.my_rank()) > 0);
CREATE POLICY own ON desk.devices FOR INSERT TO assay_desk WITH CHECK (member = session_user AND (SELECT desk.my_rank()) > 0);
CREATE POLICY mine ON desk.cases FOR SELECT TO assay_desk USING (id IN (SELECT desk.my_cases('reader')));
CREATE POLICY make ON desk.cases FOR INSERT TO assay_desk WITH CHECK (created_by = session_user AND (SELECT desk.my_rank()) >= desk.rank('editor'));
CREATE POLICY mine ON desk.case_members FOR SELECT TO assay_desk USING (case_id IN (SELECT desk.my_cases('reader')));
-- An owner lets people in and out; everybody can leave.
CREATE POLICY invite ON desk.case_members FOR INSERT TO assay_desk WITH CHECK (by = session_user
    AND (case_id IN (SELECT desk.my_cases('owner')) OR member = session_user AND level = 'none' AND case_id IN (SELECT desk.my_cases('reader'))));
CREATE POLICY mine ON desk.events FOR SELECT TO assay_desk USING (case_id IN (SELECT desk.my_cases('reader')));
CREATE POLICY write ON desk.events FOR INSERT TO assay_desk WITH CHECK (author = session_user
    AND device IN (SELECT id FROM desk.devices WHERE member = session_user)
    AND (kind <> 'sign_off' AND case_id IN (SELECT desk.my_cases('editor')) OR case_id IN (SELECT desk.my_cases('reviewer'))));
CREATE POLICY mine ON desk.checks FOR SELECT TO assay_desk USING (case_id IN (SELECT desk.my_cases('reader')));
CREATE POLICY mine ON desk.blobs FOR SELECT TO assay_desk USING (case_id IN (SELECT desk.my_cases('reader')));
CREATE POLICY write ON desk.blobs FOR INSERT TO assay_desk WITH CHECK (author = session_user AND case_id IN (SELECT desk.my_cases('editor')));
CREATE POLICY everybody ON desk.checkpoints FOR SELECT TO assay_desk USING ((SELECT desk.my_rank()) > 0);
CREATE POLICY own ON desk.checkpoints FOR INSERT TO assay_desk WITH CHECK (device IN (SELECT id FROM desk.devices WHERE member = session_user) AND (SELECT desk.my_rank()) > 0);
INSERT INTO desk.about (version, epoch) VALUES (1, desk.epoch());
