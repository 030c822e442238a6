"""The tables of the relay, for a person to read."""

SCHEMA = """
    CREATE TABLE IF NOT EXISTS commands (
        command_id TEXT PRIMARY KEY,
        machine TEXT NOT NULL,
        seq INTEGER NOT NULL,
        actor TEXT NOT NULL,
        platform TEXT NOT NULL,
        chat TEXT NOT NULL,
        language TEXT NOT NULL,
        fingerprint TEXT NOT NULL,
        body BLOB NOT NULL,
        state TEXT NOT NULL,
        outcome BLOB,
        reported INTEGER NOT NULL DEFAULT 0,
        is_cancelled INTEGER NOT NULL DEFAULT 0,
        retried_from TEXT NOT NULL DEFAULT '',
        created_ms INTEGER NOT NULL,
        UNIQUE (machine, seq)
    );
    CREATE VIEW IF NOT EXISTS listed AS SELECT
        command_id, machine, seq, actor, platform, chat, language, body, state, outcome, reported,
        is_cancelled, retried_from, created_ms FROM commands;
    CREATE INDEX IF NOT EXISTS open_commands ON commands (state, machine);
    CREATE INDEX IF NOT EXISTS recent_commands ON commands (fingerprint, created_ms);
    CREATE TABLE IF NOT EXISTS messages (
        platform TEXT NOT NULL, message TEXT NOT NULL, at_ms INTEGER NOT NULL, PRIMARY KEY (platform, message)
    );
    CREATE INDEX IF NOT EXISTS old_messages ON messages (at_ms);
    CREATE TABLE IF NOT EXISTS machines (
        machine TEXT PRIMARY KEY, public_key TEXT NOT NULL, enrolled_ms INTEGER NOT NULL, revoked_ms INTEGER
    );
    CREATE TABLE IF NOT EXISTS codes (
        hash TEXT PRIMARY KEY, machine TEXT NOT NULL, expires_ms INTEGER NOT NULL
    );
    CREATE TABLE IF NOT EXISTS audit (
        seq INTEGER PRIMARY KEY, line BLOB NOT NULL, command_id TEXT NOT NULL, hash TEXT NOT NULL
    );
    CREATE INDEX IF NOT EXISTS audit_of_command ON audit (command_id);
    CREATE TRIGGER IF NOT EXISTS audit_stays BEFORE DELETE ON audit BEGIN
        SELECT RAISE(ABORT, 'the audit trail is only added to');
    END;
    CREATE TRIGGER IF NOT EXISTS audit_unchanged BEFORE UPDATE ON audit BEGIN
        SELECT RAISE(ABORT, 'the audit trail is only added to');
    END;
    PRAGMA user_version = 1;
"""
