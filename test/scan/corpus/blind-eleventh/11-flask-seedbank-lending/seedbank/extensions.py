from flask_caching import Cache

from .gateways import GbifGateway, TalentGateway

cache = Cache()
talent = TalentGateway()
gbif = GbifGateway()
