-- A command that waits for an answer at its machine: state "asking".

ALTER TABLE commands ADD COLUMN asks BIGINT NOT NULL DEFAULT 0;       -- questions at the machine, so far
ALTER TABLE commands ADD COLUMN asks_sent BIGINT NOT NULL DEFAULT 0;  -- of which the chat knows
CREATE INDEX unsent_asks ON commands (created_ms) WHERE state = 'asking' AND asks_sent < asks;
