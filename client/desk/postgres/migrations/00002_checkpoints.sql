-- What is read of the custody logs' checkpoints: the last ones of each desktop.

-- +goose Up
CREATE INDEX checkpoints_last ON desk.checkpoints (device, at);
