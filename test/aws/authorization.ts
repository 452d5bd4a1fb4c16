// What a request that arrived should have as its Authorization, by our own signer.
import type { IncomingMessage } from "node:http";
import { type Ask, type Credentials, sign } from "../../lib/aws/signed-request.ts";

/** These are the signer's own to write. */
const own = new Set(["host", "x-amz-content-sha256", "x-amz-date", "x-amz-security-token"]);

export function authorizationOf(request: IncomingMessage, body: string, credentials: Credentials): string {
  const { headers, method, url = "" } = request;
  const [, region = "", service = "", signed = ""] =
    /Credential=[^/]+\/\d+\/([^/]+)\/([^/]+)\/aws4_request, ?SignedHeaders=([^,]+)/.exec(
      headers.authorization ?? "",
    ) ?? [];
  const names = signed.split(";").filter((name) => !own.has(name));
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(String(headers["x-amz-date"])) ?? [];
  const ask: Ask = {
    service: service as Ask["service"],
    method: method as Ask["method"],
    url: new URL(url, `http://${headers.host}`),
    headers: Object.fromEntries(names.map((name) => [name, String(headers[name])])),
    body,
    timeoutMs: 1_000,
  };
  const atMs = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return sign(ask, { region, credentials }, atMs).authorization;
}
