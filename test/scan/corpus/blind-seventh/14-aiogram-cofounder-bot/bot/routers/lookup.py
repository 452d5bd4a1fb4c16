from aiogram import F, Router
from aiogram.filters import Command, CommandObject
from aiogram.types import CallbackQuery, InlineKeyboardButton, InlineKeyboardMarkup, Message

from ..api import BuilderApi
from ..texts import credential_line, full, headline

router = Router(name="lookup")


@router.message(Command("start", "help"))
async def start(message: Message) -> None:
    await message.answer("/who &lt;wallet&gt;, /find &lt;name&gt;, /match &lt;wallet&gt; &lt;tag&gt;")


@router.message(Command("who"))
async def who(message: Message, command: CommandObject, api: BuilderApi) -> None:
    if not command.args:
        await message.reply("Whose passport?")
        return
    passport = await api.passport(command.args.strip())
    if passport is None:
        await message.reply("I know nobody with that wallet.")
        return
    keyboard = InlineKeyboardMarkup(
        inline_keyboard=[[InlineKeyboardButton(text="Credentials", callback_data=f"creds:{passport['passport_id']}")]]
    )
    await message.answer(full(passport), reply_markup=keyboard, disable_web_page_preview=True)


@router.message(Command("find"))
async def find(message: Message, command: CommandObject, api: BuilderApi) -> None:
    people = await api.find(command.args or "")
    if not people:
        await message.reply("Nobody found.")
        return
    await message.answer("\n".join(f"{headline(p)} <code>{p['main_wallet']}</code>" for p in people[:10]))


@router.callback_query(F.data.startswith("creds:"))
async def creds(query: CallbackQuery, api: BuilderApi) -> None:
    passport_id = int(query.data.split(":", 1)[1])
    items = await api.credentials(passport_id)
    earned = [c for c in items if c.get("earned_at")]
    earned.sort(key=lambda c: c["score"], reverse=True)
    await query.message.answer("\n".join(map(credential_line, earned[:15])) or "No credentials yet.")
    await query.answer()
