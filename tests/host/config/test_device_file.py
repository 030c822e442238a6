"""The file of devices: for its owner only, whole after a write, and refused when it is not what we wrote."""

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.outside import Key

from bascule.host.config.device_file import MAX_FILE, MAX_REVOKED, DevicesRefused, EnrolledDevices
from bascule.model.consent.devices import Device

PHONE = Device(id="device-1", name="Phone", key=Key().public, enrolled_at_ms=1)
TABLET = Device(id="device-2", name="Tablet", key=Key().public, enrolled_at_ms=2)


def test_devices_come_prove_themselves_and_go(tmp_path: Path) -> None:
    devices = EnrolledDevices(tmp_path)
    assert devices.read() == ()
    devices.add(PHONE)
    devices.add(TABLET)
    devices.see(PHONE.id, 5)
    devices.remove(TABLET.id)
    seen = Device(id="device-1", name="Phone", key=PHONE.key, enrolled_at_ms=1, seen_at_ms=5)
    assert EnrolledDevices(tmp_path).read() == (seen,)
    assert [path.name for path in tmp_path.iterdir()] == ["devices.json"]
    assert stat.S_IMODE((tmp_path / "devices.json").stat().st_mode) == 0o600


def test_a_revoked_credential_stays_revoked_whatever_else_changes(tmp_path: Path) -> None:
    devices = EnrolledDevices(tmp_path)
    assert not devices.is_revoked("one")
    devices.revoke_credential("one")
    devices.add(PHONE)
    devices.remove(PHONE.id)
    again = EnrolledDevices(tmp_path)
    assert (again.is_revoked("one"), again.is_revoked("two")) == (True, False)
    assert b"one" not in (tmp_path / "devices.json").read_bytes()
    for number in range(MAX_REVOKED):
        devices.revoke_credential(str(number))
    assert not devices.is_revoked("one")
    assert len((tmp_path / "devices.json").read_bytes()) < MAX_FILE


def test_changes_at_the_same_time_lose_none(tmp_path: Path) -> None:
    """A device that proves itself meanwhile doesn't write a credential back that was just revoked."""
    devices = EnrolledDevices(tmp_path)
    devices.add(PHONE)
    credentials = [f"credential {number}" for number in range(32)]
    with ThreadPoolExecutor(8) as pool:
        for number, credential in enumerate(credentials):
            pool.submit(devices.revoke_credential, credential)
            pool.submit(devices.see, PHONE.id, number)
    assert [one for one in credentials if not devices.is_revoked(one)] == []


@pytest.mark.parametrize("wrong", ["", "{", "[]", '{"devices": 1}', '{"devices": [{"id": "x"}]}', "\udcff"])
def test_what_cannot_be_read_counts_for_nobody(tmp_path: Path, wrong: str) -> None:
    file = tmp_path / "devices.json"
    file.write_bytes(wrong.encode("utf-8", "surrogateescape"))
    file.chmod(0o600)
    with pytest.raises(DevicesRefused, match="No device is accepted"):
        EnrolledDevices(tmp_path).read()
    with pytest.raises(DevicesRefused):
        EnrolledDevices(tmp_path).add(PHONE)
    assert file.read_bytes() == wrong.encode("utf-8", "surrogateescape")  # not written over


def test_a_key_that_is_none_one_device_twice_and_open_files_are_refused(tmp_path: Path) -> None:
    devices, file = EnrolledDevices(tmp_path), tmp_path / "devices.json"
    devices.add(PHONE)
    whole = file.read_text()
    for wrong in (whole.replace(PHONE.key, "AAAA"), whole.replace("[{", "[{}, {"), whole * 2):
        file.write_text(wrong)
        with pytest.raises(DevicesRefused):
            devices.read()
    file.write_text(whole)
    devices.add(PHONE)
    with pytest.raises(DevicesRefused, match="twice"):
        devices.read()
    file.write_text(whole)
    file.chmod(0o644)
    with pytest.raises(DevicesRefused, match="others can read"):
        devices.read()


def test_a_link_in_its_place_is_not_followed(tmp_path: Path) -> None:
    EnrolledDevices(tmp_path).add(PHONE)
    (tmp_path / "devices.json").rename(tmp_path / "elsewhere")
    (tmp_path / "devices.json").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(DevicesRefused):
        EnrolledDevices(tmp_path).read()
