"""Who a surface is, for the record: what its door and its pass say; its own name is only quoted."""

from bascule.model.asks import Answer
from bascule.model.consent.audit import Asker, Local, Outside, Remote, Who
from bascule.model.consent.origin import Origin


def describe_who(origin: Origin, client: str) -> Local | Outside:
    if origin.is_here:
        return Local(surface=origin.door, client=client, credential=origin.credential)
    return Outside(
        credential=origin.credential, device=origin.device, device_name=origin.device_name, client=client
    )


def name_who(who: Who) -> str:
    """In a sentence."""
    match who:
        case Local(surface=surface):
            return surface
        case Outside(device_name=device, credential=credential):
            return device or credential
        case Remote(user=user):
            return user


def who_answered(answer: Answer) -> Asker:
    return answer.by if answer.origin is None else describe_who(answer.origin, answer.client or answer.by)
