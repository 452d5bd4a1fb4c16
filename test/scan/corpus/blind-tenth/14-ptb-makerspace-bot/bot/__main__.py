import os

from telegram.ext import Application, CallbackQueryHandler, CommandHandler

from .gateway import DoorLock, TalentGateway
from .handlers import button, open_door, whois


async def setup(app: Application) -> None:
    app.bot_data["talent"] = TalentGateway(os.environ["TALENT_API_KEY"])
    app.bot_data["lock"] = DoorLock(os.environ["HASS_TOKEN"])


async def teardown(app: Application) -> None:
    await app.bot_data["talent"].aclose()


def main() -> None:
    app = Application.builder().token(os.environ["BOT_TOKEN"]).post_init(setup).post_shutdown(teardown).build()
    app.add_handler(CommandHandler("whois", whois))
    app.add_handler(CommandHandler("door", open_door))
    app.add_handler(CallbackQueryHandler(button))
    app.run_polling()


main()
