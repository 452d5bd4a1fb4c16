import sys

from .actors import most_active, refresh_all


def main() -> int:
    match sys.argv[1:]:
        case ["refresh"]:
            refresh_all.send()
        case ["preview", keyword]:
            for wallet, activity in most_active(keyword):
                print(f"{wallet}\t{activity:.0f}")
        case _:
            print("usage: python -m sync refresh | preview KEYWORD", file=sys.stderr)
            return 2
    return 0


raise SystemExit(main())
