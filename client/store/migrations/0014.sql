-- What the service's own clock said when it gave an answer: the Date header; NULL where it isn't known.
ALTER TABLE answers ADD COLUMN service_date INTEGER;
