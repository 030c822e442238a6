"""device.*: enrolled, proved and revoked; passes listed and revoked."""

from typing import TYPE_CHECKING, TypeVar

from bascule.core.wire import rpc
from bascule.daemon.surfaces.surfaces import Handler, Surface
from bascule.model.asks import Refuse
from bascule.model.protocol import devices, setup

if TYPE_CHECKING:
    from bascule.daemon.parts import App

T = TypeVar("T")


def _get(done: T | Refuse) -> T:
    if isinstance(done, Refuse):
        raise rpc.refuse(rpc.FAILED, done)
    return done


async def list_devices(app: "App", _surface: Surface, _params: setup.InspectParams) -> devices.DeviceList:
    return await app.devices.list_all()


async def invite(app: "App", surface: Surface, params: devices.InviteParams) -> devices.Invited:
    return _get(await app.devices.invite(surface, params.name))


async def wait(app: "App", _surface: Surface, params: devices.InviteRef) -> devices.ListedDevice:
    return _get(await app.devices.wait(params.code))


async def link(app: "App", surface: Surface, params: devices.OuterLinkParams) -> devices.OuterLink:
    return _get(await app.devices.link(surface, params.scope))


async def revoke(app: "App", surface: Surface, params: devices.RevokeParams) -> devices.Revoked:
    return _get(await app.devices.revoke(surface, params.name))


async def offer(app: "App", surface: Surface, params: devices.OfferParams) -> devices.ListedDevice:
    return _get(await app.devices.offer(surface, params))


async def challenge(app: "App", surface: Surface, _params: devices.ChallengeParams) -> devices.Challenge:
    return _get(app.devices.challenge(surface))


async def prove(app: "App", surface: Surface, params: devices.ProveParams) -> devices.Access:
    return _get(await app.devices.prove(surface, params))


HANDLERS: dict[str, Handler] = {
    "device.list": list_devices,
    "device.invite": invite,
    "device.wait": wait,
    "device.link": link,
    "device.revoke": revoke,
    "device.offer": offer,
    "device.challenge": challenge,
    "device.prove": prove,
}
