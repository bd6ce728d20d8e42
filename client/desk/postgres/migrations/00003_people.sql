-- Who has a case open at this moment.

-- +goose Up
-- Which case each desktop has open. It is no record: a row counts for less than a minute, and none outlives a crash of the server.
CREATE UNLOGGED TABLE desk.viewers (
    device  uuid        PRIMARY KEY REFERENCES desk.devices,
    member  text        NOT NULL REFERENCES desk.members,
    case_id uuid        NOT NULL REFERENCES desk.cases,
    at      timestamptz NOT NULL
);
ALTER TABLE desk.viewers ENABLE ROW LEVEL SECURITY;
ALTER TABLE desk.viewers FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON desk.viewers TO CURRENT_USER USING (true) WITH CHECK (true);

-- look_at says that a desktop of the member has a case open, which is one of theirs, or with NULL that it has none, and returns who else has: nobody sees
-- that without being seen. A desktop says so again every 15 seconds.
-- +goose StatementBegin
CREATE FUNCTION desk.look_at(mine uuid, opened uuid) RETURNS SETOF text LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    before desk.viewers;
BEGIN
    IF desk.my_rank() = 0 OR NOT EXISTS (SELECT FROM desk.devices WHERE id = mine AND member = session_user)
        OR opened IS NOT NULL AND opened NOT IN (SELECT desk.my_cases('reader')) THEN
        RAISE EXCEPTION 'only from a desktop of their own, and only at a case that they are in' USING ERRCODE = 'insufficient_privilege';
    END IF;
    SELECT * INTO before FROM desk.viewers WHERE device = mine;
    IF opened IS NULL THEN
        DELETE FROM desk.viewers WHERE device = mine;
    ELSE
        INSERT INTO desk.viewers (device, member, case_id, at) VALUES (mine, session_user, opened, clock_timestamp())
            ON CONFLICT (device) DO UPDATE SET case_id = excluded.case_id, at = excluded.at;
    END IF;
    IF before.case_id IS DISTINCT FROM opened OR before.at < clock_timestamp() - interval '40 seconds' THEN
        PERFORM pg_notify('desk_viewers', pg_current_xact_id()::text); -- a number that says nothing of the case
    END IF;
    RETURN QUERY SELECT DISTINCT v.member FROM desk.viewers v
        WHERE v.case_id = opened AND v.member <> session_user AND v.at > clock_timestamp() - interval '40 seconds' ORDER BY 1;
END
$$;
-- +goose StatementEnd

REVOKE ALL ON FUNCTION desk.look_at(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION desk.look_at(uuid, uuid) TO assay_desk;
