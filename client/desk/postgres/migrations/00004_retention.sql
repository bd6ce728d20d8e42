-- For how long the desk keeps what was shared: the owner of a case chooses, by an event of the kind retention, and desk.expire() follows. Whoever owns
-- the database runs that, from time to time; `assay desk init` does, too.

-- +goose Up
-- +goose StatementBegin
CREATE FUNCTION desk.retention() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF NEW.case_id NOT IN (SELECT desk.my_cases('owner')) THEN
        RAISE EXCEPTION 'only the owner of the case chooses for how long it is kept' USING ERRCODE = 'insufficient_privilege';
    ELSIF NOT (CASE jsonb_typeof(NEW.body::jsonb -> 'days') WHEN 'number' THEN (NEW.body::jsonb ->> 'days')::numeric BETWEEN 1 AND 36500 ELSE NOT NEW.body::jsonb ? 'days' END) THEN
        RAISE EXCEPTION 'a case is kept for 1 to 36500 days, or without limit' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER retention BEFORE INSERT ON desk.events FOR EACH ROW WHEN (NEW.kind = 'retention') EXECUTE FUNCTION desk.retention();

-- expire removes what is said in the cases in which nothing was done for as long as their owners chose: that something was there stays, and so does the
-- choice, by which members' computers know why the rest is gone. It returns of how many cases.
-- +goose StatementBegin
CREATE FUNCTION desk.expire() RETURNS integer LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    due uuid[];
BEGIN
    SELECT array_agg(chosen.case_id) INTO due FROM (
        SELECT DISTINCT ON (case_id) case_id, floor(coalesce((body::jsonb ->> 'days')::numeric, 0))::integer AS days FROM desk.events
        WHERE kind = 'retention' AND body IS NOT NULL ORDER BY case_id, lamport DESC, author COLLATE "C" DESC, id DESC -- as members' computers do
    ) chosen
    WHERE days > 0 AND (SELECT max(at) FROM desk.events WHERE case_id = chosen.case_id AND kind <> 'redact') < now() - make_interval(days => days)
        AND EXISTS (SELECT FROM desk.events WHERE case_id = chosen.case_id AND kind NOT IN ('retention', 'redact') AND body IS NOT NULL);
    UPDATE desk.events SET body = NULL, subject = NULL WHERE case_id = ANY (due) AND kind NOT IN ('retention', 'redact') AND body IS NOT NULL;
    DELETE FROM desk.checks WHERE case_id = ANY (due);
    DELETE FROM desk.blobs WHERE case_id = ANY (due);
    RETURN coalesce(cardinality(due), 0);
END
$$;
-- +goose StatementEnd
REVOKE ALL ON FUNCTION desk.retention(), desk.expire() FROM PUBLIC;
