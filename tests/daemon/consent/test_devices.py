"""Whose answer counts: not that of a pass which was revoked while the answer was on its way."""

from pathlib import Path
from typing import cast

from tests.daemon.consent.test_record import COMMAND
from tests.daemon.hubs import NOW_MS

from bascule.daemon.consent.asks import Asks
from bascule.daemon.consent.devices import REVOKED, Devices
from bascule.daemon.consent.doors import Doors
from bascule.daemon.consent.record import Record
from bascule.daemon.workspace_settings import WorkspaceSettings
from bascule.host.config.device_file import EnrolledDevices
from bascule.host.config.trust_store import TrustStore
from bascule.host.files.data_folder import Folder
from bascule.model.asks import Answer, Refuse
from bascule.model.consent.origin import Origin


def test_a_yes_by_a_revoked_pass_does_not_count_at_this_machine_either(tmp_path: Path) -> None:
    doors = Doors()
    devices = Devices(
        enrolled=EnrolledDevices(tmp_path),
        doors=doors,
        asks=cast("Asks", None),  # nothing is asked here
        record=Record(tmp_path, lambda: NOW_MS),
        settings=WorkspaceSettings(Folder(tmp_path), TrustStore(tmp_path / "trust.json")),
        surfaces=list,
        now_ms=lambda: NOW_MS,
        now_s=lambda: 0.0,
    )
    page = Origin(door="page", credential="browser-1")
    yes = Answer(ask=COMMAND.id, choice="accept", origin=page)
    assert devices.find_answer_bar(COMMAND, yes) is None
    doors.revoke("browser-1")
    assert devices.find_answer_bar(COMMAND, yes) == Refuse(REVOKED)
