import queue
import threading
import requests

work = queue.Queue()
done = queue.Queue()


def worker():
    while True:
        ident = work.get()
        res = requests.get(f"https://rep.example.org/api/v1/passports/{ident}")  # call: passport
        done.put((ident, res.json()["passport"]))
        work.task_done()


def main(idents):
    for _ in range(3):
        threading.Thread(target=worker, daemon=True).start()
    for i in idents:
        work.put(i)
    work.join()
    while not done.empty():
        ident, p = done.get()
        print(ident, p["activity_score"])  # read: passport.activity_score
    results = {}
    while not done.empty():
        ident, p = done.get_nowait()
        results[ident] = p
    best = sorted(results.items(), key=lambda kv: kv[1]["score"], reverse=True)  # read: passport.score
    for ident, p in best[:3]:
        print(p["main_wallet"])  # read: passport.main_wallet
