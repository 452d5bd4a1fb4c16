import httpx
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from pydantic import ValidationError

from .routers import references

app = FastAPI(title="Housing references")
app.include_router(references.router)


@app.exception_handler(httpx.HTTPError)
async def upstream_failed(_: Request, exc: httpx.HTTPError):
    return JSONResponse({"detail": f"passport service: {exc}"}, status_code=502)


@app.exception_handler(ValidationError)
async def upstream_changed(_: Request, exc: ValidationError):
    return JSONResponse({"detail": "passport service changed its answer", "errors": exc.error_count()}, status_code=502)


@app.get("/healthz")
async def healthz():
    return {"ok": True}
