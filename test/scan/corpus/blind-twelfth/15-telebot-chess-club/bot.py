import os
import threading
import time

import requests
import schedule
import telebot
from telebot import types

import db
import lichess

bot = telebot.TeleBot(os.environ["BOT_TOKEN"], parse_mode="HTML")
CLUB_CHAT = int(os.getenv("CLUB_CHAT", "0"))
TALENT = os.getenv("TALENT_HOST", "https://api.talentprotocol.com") + "/api/v1"
H = {"X-API-KEY": os.getenv("TALENT_KEY", "")}


def get_passport(wallet):
    try:
        r = requests.get(TALENT + "/passports/" + wallet, headers=H, timeout=10)
        if r.status_code != 200:
            return {}
        return r.json().get("passport", {})
    except Exception as e:
        print("talent error", e)
        return {}


def get_score(wallet):
    return get_passport(wallet).get("score", 0)


def get_badges(pid):
    r = requests.get(f"{TALENT}/passport_credentials?passport_id={pid}", headers=H)
    return r.json().get("passport_credentials", [])


def search(name):
    data = requests.get(TALENT + "/passports", params={"keyword": name}, headers=H).json()
    return data.get("passports", [])[:5]


@bot.message_handler(commands=["start", "help"])
def start(m):
    kb = types.ReplyKeyboardMarkup(resize_keyboard=True)
    kb.add("/me", "/table", "/play")
    bot.send_message(m.chat.id, "Welcome to the club! /wallet 0x.. and /lichess name to join", reply_markup=kb)


@bot.message_handler(commands=["wallet"])
def wallet(m):
    parts = m.text.split()
    if len(parts) < 2:
        return bot.reply_to(m, "usage: /wallet 0x...")
    p = get_passport(parts[1])
    if not p:
        return bot.reply_to(m, "no passport for this wallet :(")
    if not p["human_checkmark"]:
        bot.reply_to(m, "you need the human checkmark for paid tournaments")
    db.save_player(m.from_user.id, wallet=p.get("main_wallet") or parts[1])
    db.set_score(m.from_user.id, p["score"])
    bot.reply_to(m, "saved, score %s" % p["score"])


@bot.message_handler(commands=["lichess"])
def set_lichess(m):
    name = m.text.replace("/lichess", "").strip()
    if lichess.rating(name) is None:
        return bot.reply_to(m, "who?")
    db.save_player(m.from_user.id, lichess=name)
    bot.reply_to(m, "ok")


@bot.message_handler(commands=["me"])
def me(m):
    player = db.get_player(m.from_user.id)
    if not player or not player["wallet"]:
        return bot.reply_to(m, "send /wallet first")
    p = get_passport(player["wallet"])
    prof = p.get("passport_profile", {})
    lines = [
        f"<b>{prof.get('display_name') or m.from_user.first_name}</b>",
        prof.get("bio") or "",
        f"Score {p.get('score', 0)} (skills {p.get('skills_score', 0)})",
        f"Rapid {lichess.rating(player['lichess'])}",
    ]
    for s in p.get("passport_socials", []):
        if s.get("source") in ("farcaster", "twitter"):
            lines.append(f'{s["source"]}: <a href="{s.get("profile_url")}">{s.get("profile_name")}</a>')
    if p:
        badges = get_badges(p["passport_id"])
        lines.append(", ".join(b["name"] for b in badges if b.get("value")) or "no badges")
    bot.send_message(m.chat.id, "\n".join(lines), disable_web_page_preview=True)


@bot.message_handler(commands=["find"])
def find(m):
    kb = types.InlineKeyboardMarkup()
    for p in search(m.text.split(maxsplit=1)[-1]):
        title = "%s (%s)" % (p["passport_profile"]["display_name"], p["score"])
        kb.add(types.InlineKeyboardButton(title, callback_data="p:%s" % p["passport_id"]))
    bot.send_message(m.chat.id, "Results:", reply_markup=kb)


@bot.callback_query_handler(func=lambda c: c.data.startswith("p:"))
def on_pick(c):
    p = get_passport(c.data[2:])
    bot.answer_callback_query(c.id)
    bot.send_message(c.message.chat.id, f"{p['passport_profile']['display_name']}, {p['passport_profile'].get('location')}")


@bot.message_handler(commands=["table"])
def table(m):
    players = sorted(db.all_players(), key=lambda x: x["score"], reverse=True)
    bot.send_message(m.chat.id, "\n".join(f"{i}. {p['lichess']} {p['score']:.0f}" for i, p in enumerate(players, 1)))


@bot.message_handler(commands=["play"])
def play(m):
    bot.send_message(m.chat.id, lichess.open_challenge())


def refresh():
    for player in db.all_players():
        db.set_score(player["tg"], get_score(player["wallet"]))
        time.sleep(1)
    if CLUB_CHAT:
        bot.send_message(CLUB_CHAT, "scores are fresh, see /table")


def loop():
    schedule.every().day.at("06:00").do(refresh)
    while True:
        schedule.run_pending()
        time.sleep(30)


threading.Thread(target=loop, daemon=True).start()
bot.infinity_polling()
