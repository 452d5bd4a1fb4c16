import logging

import requests
from huey import crontab

from . import mapping, settings, talent
from .settings import huey

logger = logging.getLogger("leads")


def _hubspot(method, path, **kwargs):
    r = requests.request(
        method,
        settings.HUBSPOT_URL + path,
        headers={"Authorization": f"Bearer {settings.HUBSPOT_TOKEN}"},
        timeout=20,
        **kwargs,
    )
    r.raise_for_status()
    return r.json() if r.content else None


@huey.task(retries=2, retry_delay=60)
def enrich(contact_id, wallet):
    passport = talent.get_passport(wallet)
    if not passport:
        logger.info("%s has no passport", wallet)
        push.schedule(({"talent_score": 0},), {"contact_id": contact_id}, delay=1)
        return
    props = mapping.to_properties(passport)
    creds = talent.get_credentials(passport["passport_id"])
    props["talent_best"] = mapping.strongest(creds)
    props["talent_types"] = ";".join(sorted({c["type"] for c in creds}))
    push(props, contact_id=contact_id)


@huey.task(retries=5, retry_delay=30)
def push(props, contact_id):
    _hubspot("PATCH", f"/crm/v3/objects/contacts/{contact_id}", json={"properties": props})


@huey.periodic_task(crontab(minute="0", hour="*/6"))
def enrich_new_contacts():
    found = _hubspot(
        "POST",
        "/crm/v3/objects/contacts/search",
        json={
            "filterGroups": [{"filters": [{"propertyName": "talent_score", "operator": "NOT_HAS_PROPERTY"}]}],
            "properties": ["wallet", "email", "score"],
            "limit": 50,
        },
    )
    for contact in found["results"]:
        wallet = contact["properties"].get("wallet")
        if wallet:
            enrich(contact["id"], wallet)
