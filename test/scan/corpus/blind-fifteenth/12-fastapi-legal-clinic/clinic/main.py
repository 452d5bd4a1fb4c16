from contextlib import asynccontextmanager

from fastapi import FastAPI

from .config import get_settings
from .gateway import ReputationGateway
from .routers import volunteers


@asynccontextmanager
async def lifespan(app: FastAPI):
    app.state.reputation = ReputationGateway(get_settings())
    yield
    await app.state.reputation.aclose()


app = FastAPI(title="Pro bono clinic", lifespan=lifespan)
app.include_router(volunteers.router)
