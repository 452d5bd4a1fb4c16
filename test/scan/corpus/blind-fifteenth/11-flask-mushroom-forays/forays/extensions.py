from flask_caching import Cache

cache = Cache()
