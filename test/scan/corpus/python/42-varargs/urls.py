BASE = "https://rep.example.org"


def url(*segments, base=BASE):
    return base + "/" + "/".join(segments)


def api(*segments):
    return url("api", "v1", *segments)


def build(**parts):
    return "{base}/api/v1/{resource}".format(**parts)
