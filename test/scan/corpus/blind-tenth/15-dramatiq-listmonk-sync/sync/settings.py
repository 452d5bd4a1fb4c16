import tomllib
from pathlib import Path

_raw = tomllib.loads((Path(__file__).parent / "settings.toml").read_text())

TALENT_ROOT = _raw["talent"]["origin"] + _raw["talent"]["prefix"]
LISTMONK_ROOT = _raw["listmonk"]["origin"]
LIST_ID = _raw["listmonk"]["list_id"]
VIP_SCORE = _raw["rules"]["vip_score"]
