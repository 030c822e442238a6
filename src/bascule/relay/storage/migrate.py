"""Migrations: SQL files in this package, applied once each, in the order of their names."""

from importlib import resources

from bascule.core.faults import UserError
from bascule.relay.storage.database import Database

DIALECTS = ("sqlite", "postgresql")


def list_migrations(dialect: str) -> dict[str, str]:
    """By name, without those that are for another dialect."""
    folder = resources.files("bascule.relay.storage") / "migrations"
    found = {entry.name: entry for entry in folder.iterdir() if entry.name.endswith(".sql")}
    others = tuple(f".{one}.sql" for one in DIALECTS if one != dialect)
    return {name: found[name].read_text("utf-8") for name in sorted(found) if not name.endswith(others)}


def migrate(db: Database) -> None:
    """Brings the tables up to date, while no other node does."""
    known = list_migrations(db.dialect)
    db.begin()
    try:
        db.run_script("CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, at_ms BIGINT NOT NULL);")
        applied = {row[0] for row in db.query("SELECT name FROM migrations")}
        if newer := sorted(applied - known.keys()):
            raise UserError(
                f"The database was made by a newer version of Bascule ({newer[0]}). Update first."
            )
        for name, sql in known.items():
            if name not in applied:
                db.run_script(sql)
                db.execute("INSERT INTO migrations VALUES (?, ?)", (name, db.now_ms()))
    except BaseException:
        db.rollback()
        raise
    db.commit([], [])
