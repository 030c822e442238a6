-- The tables of the relay, the same in SQLite and PostgreSQL. Times are milliseconds since 1970.

CREATE TABLE commands (
    command_id   TEXT PRIMARY KEY,
    machine      TEXT NOT NULL,
    seq          BIGINT NOT NULL,             -- counts for each machine
    actor        TEXT NOT NULL,               -- who wrote it in the chat
    platform     TEXT NOT NULL,
    chat         TEXT NOT NULL,               -- where the outcome goes; empty: to the actor
    language     TEXT NOT NULL,
    fingerprint  TEXT NOT NULL,               -- of what it asks for, to recognize a repetition
    body         TEXT NOT NULL,               -- the order, as JSON
    state        TEXT NOT NULL,               -- queued, taken, done
    outcome      TEXT,                        -- as JSON; the first one counts
    reported     BIGINT NOT NULL DEFAULT 0,   -- 1: the chat has it; 2: the chat did not take it
    report_node  TEXT NOT NULL DEFAULT '',    -- which node sends the outcome to the chat
    is_cancelled BIGINT NOT NULL DEFAULT 0,
    retried_from TEXT NOT NULL DEFAULT '',
    created_ms   BIGINT NOT NULL,
    UNIQUE (machine, seq)
);
CREATE INDEX open_commands ON commands (machine, seq) WHERE state <> 'done';
CREATE INDEX unreported_commands ON commands (report_node, created_ms) WHERE state = 'done' AND reported = 0;
CREATE INDEX recent_commands ON commands (fingerprint, created_ms);

-- Messages and nonces that were seen, for a day.
CREATE TABLE messages (
    platform TEXT NOT NULL,
    message  TEXT NOT NULL,
    at_ms    BIGINT NOT NULL,
    PRIMARY KEY (platform, message)
);
CREATE INDEX old_messages ON messages (at_ms);

CREATE TABLE machines (
    machine     TEXT PRIMARY KEY,
    public_key  TEXT NOT NULL,
    enrolled_ms BIGINT NOT NULL,
    revoked_ms  BIGINT
);

-- One-time codes: only a hash of each.
CREATE TABLE codes (
    hash       TEXT PRIMARY KEY,
    machine    TEXT NOT NULL,
    expires_ms BIGINT NOT NULL
);

-- Processes of the relay. One that has not been seen for a while is dead, and another takes over its work.
CREATE TABLE nodes (
    node    TEXT PRIMARY KEY,
    seen_ms BIGINT NOT NULL
);

-- Which node holds a machine's socket.
CREATE TABLE connections (
    machine    TEXT PRIMARY KEY,
    node       TEXT NOT NULL,
    connection TEXT NOT NULL,
    since_ms   BIGINT NOT NULL
);

-- What one node does for all: a connection that there may be one of.
CREATE TABLE leads (
    name TEXT PRIMARY KEY,
    node TEXT NOT NULL
);

-- Every step. The hash covers this line and the hash of the line before.
CREATE TABLE audit (
    seq        BIGINT PRIMARY KEY,
    at_ms      BIGINT NOT NULL,
    step       TEXT NOT NULL,
    command_id TEXT NOT NULL,
    actor      TEXT NOT NULL,
    machine    TEXT NOT NULL,
    status     TEXT NOT NULL,
    detail     TEXT NOT NULL,
    hash       TEXT NOT NULL
);
CREATE INDEX audit_of_command ON audit (command_id, seq);
