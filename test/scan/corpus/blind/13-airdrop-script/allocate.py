"""Turn eligible.csv into a merkle-tree input."""
import csv
import json
import math
import sys

POOL = 1_000_000


def weights(rows):
    return {r["main_wallet"]: math.sqrt(float(r["score"])) for r in rows}


def main(path):
    with open(path) as fh:
        rows = list(csv.DictReader(fh))
    w = weights(rows)
    total = sum(w.values())
    tree = {wallet: int(POOL * v / total) for wallet, v in w.items()}
    json.dump(tree, sys.stdout, indent=2)


if __name__ == "__main__":
    main(sys.argv[1])
