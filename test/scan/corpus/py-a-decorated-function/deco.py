import functools


def unwrap(key):
    def outer(fn):
        @functools.wraps(fn)
        def inner(*args, **kwargs):
            return fn(*args, **kwargs).json()[key]
        return inner
    return outer


def logged(fn):
    def inner(*a, **k):
        print("call")
        return fn(*a, **k)
    return inner
