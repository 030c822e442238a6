-- A command that waits for an answer at its machine: state "asking".

ALTER TABLE commands ADD COLUMN asks BIGINT NOT NULL DEFAULT 0;       -- questions at the machine, so far
ALTER TABLE commands ADD COLUMN asks_told BIGINT NOT NULL DEFAULT 0;  -- of which the chat knows
CREATE INDEX untold_asks ON commands (created_ms) WHERE state = 'asking' AND asks_told < asks;
