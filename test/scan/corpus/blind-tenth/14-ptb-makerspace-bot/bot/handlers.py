from __future__ import annotations

import logging

import aiosqlite
from telegram import InlineKeyboardButton, InlineKeyboardMarkup, Update
from telegram.constants import ParseMode
from telegram.ext import ContextTypes

from .cards import machines, member_card, social_lines
from .gateway import DoorLock, TalentError, TalentGateway

log = logging.getLogger(__name__)
DOOR_MINIMUM = 40


def gateway(context: ContextTypes.DEFAULT_TYPE) -> TalentGateway:
    return context.bot_data["talent"]


async def whois(update: Update, context: ContextTypes.DEFAULT_TYPE) -> None:
    if not context.args:
        await update.effective_message.reply_text("Usage: /whois 0x…")
        return
    try:
        member = await gateway(context).member(context.args[0])
    except TalentError as err:
        await update.effective_message.reply_text(f"{err}, try later.")
        return
    if not member:
        await update.effective_message.reply_text("Nobody by that wallet.")
        return
    context.user_data["member"] = member
    keyboard = InlineKeyboardMarkup.from_row(
        [
            InlineKeyboardButton("Socials", callback_data="socials"),
            InlineKeyboardButton("Machines", callback_data="machines"),
        ]
    )
    await update.effective_message.reply_text(member_card(member), ParseMode.HTML, reply_markup=keyboard)


async def button(update: Update, context: ContextTypes.DEFAULT_TYPE) -> None:
    query = update.callback_query
    await query.answer()
    member = context.user_data.get("member")
    if member is None:
        await query.edit_message_text("Ask again with /whois.")
        return
    if query.data == "socials":
        text = "\n".join(social_lines(member["passport_socials"])) or "none"
    else:
        try:
            badges = await gateway(context).badges(member["passport_id"])
        except TalentError:
            badges = []
        text = ", ".join(sorted(machines(badges))) or "no machines"
    await query.edit_message_text(text, ParseMode.HTML)


async def open_door(update: Update, context: ContextTypes.DEFAULT_TYPE) -> None:
    lock: DoorLock = context.bot_data["lock"]
    async with aiosqlite.connect("members.db") as db:
        cur = await db.execute("SELECT wallet FROM keyholders WHERE telegram_id = ?", (update.effective_user.id,))
        row = await cur.fetchone()
    score, human = await standing(gateway(context), row[0]) if row else (0, False)
    if score < DOOR_MINIMUM or not human:
        await update.effective_message.reply_text("The door stays shut.")
        return
    await lock.open("workshop")
    await update.effective_message.reply_text("Open! " + await lock.state("workshop"))


async def standing(talent: TalentGateway, wallet: str) -> tuple[float, bool]:
    try:
        member = await talent.member(wallet)
        return member["score"], member["human_checkmark"]
    except (TalentError, KeyError):
        log.warning("standing of %s unknown", wallet)
        return 0, False
