// One signed request to AWS (Signature Version 4), for the services that a function asks a single question:
// their clients in the SDK weigh more than everything else in a bundle. For functions alone: it knows no
// credentials but those that Lambda puts into the environment.
import { createHash, createHmac } from "node:crypto";
import { request as askHttp } from "node:http";
import { request as askHttps } from "node:https";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";

export type Credentials = { accessKeyId: string; secretAccessKey: string; sessionToken?: string | undefined };

export type Access = {
  region: string;
  credentials: Credentials;
  /** A server that plays AWS. */
  endpoint?: string | undefined;
  maxAttempts?: number;
};

export type Ask = {
  service: "s3" | "secretsmanager" | "ssm";
  method: "POST" | "PUT";
  url: URL;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** For one attempt, from connecting to the last byte. */
  timeoutMs: number;
};

export type Answer = { status: number; body: string };

/** Read at every call: Lambda may renew them. */
export function readAccess(env: Readonly<Record<string, string | undefined>> = process.env): Access {
  return {
    region: env.AWS_REGION ?? "",
    credentials: {
      accessKeyId: env.AWS_ACCESS_KEY_ID ?? "",
      secretAccessKey: env.AWS_SECRET_ACCESS_KEY ?? "",
      sessionToken: env.AWS_SESSION_TOKEN,
    },
    endpoint: env.AWS_ENDPOINT_URL || undefined,
  };
}

/** Where a region's services are, unless under amazonaws.com. */
const suffixes: readonly [RegExp, string][] = [
  [/^cn-/, "amazonaws.com.cn"],
  [/^eusc-/, "amazonaws.eu"],
  [/^us-iso-/, "c2s.ic.gov"],
  [/^us-isob-/, "sc2s.sgov.gov"],
  [/^eu-isoe-/, "cloud.adc-e.uk"],
  [/^us-isof-/, "csp.hci.ic.gov"],
];

export const hostOf = (service: Ask["service"], region: string) =>
  `${service}.${region}.${suffixes.find(([form]) => form.test(region))?.[1] ?? "amazonaws.com"}`;

const hash = (data: string) => createHash("sha256").update(data).digest("hex");
const keyed = (key: string | Buffer, data: string) => createHmac("sha256", key).update(data).digest();

/** All headers of the request, its signature among them. The URL has no query, and S3's rule for paths. */
export function sign({ service, method, url, headers, body }: Ask, access: Access, atMs: number) {
  const { region, credentials } = access;
  const instant = new Date(atMs).toISOString().replace(/[-:]|\.\d{3}/g, "");
  const day = instant.slice(0, 8);
  const all: Record<string, string> = {
    ...headers,
    host: url.host,
    "x-amz-content-sha256": hash(body),
    "x-amz-date": instant,
    ...(credentials.sessionToken && { "x-amz-security-token": credentials.sessionToken }),
  };
  const names = Object.keys(all).sort();
  const signed = names.join(";");
  const canonical = [
    method,
    url.pathname,
    "",
    ...names.map((name) => `${name}:${all[name]?.trim()}`),
    "",
    signed,
    hash(body),
  ].join("\n");
  const scope = `${day}/${region}/${service}/aws4_request`;
  const key = [day, region, service, "aws4_request"].reduce<string | Buffer>(
    keyed,
    `AWS4${credentials.secretAccessKey}`,
  );
  const signature = keyed(key, ["AWS4-HMAC-SHA256", instant, scope, hash(canonical)].join("\n"));
  const credential = `${credentials.accessKeyId}/${scope}`;
  return {
    ...all,
    authorization: `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${signed}, Signature=${signature.toString("hex")}`,
  };
}

async function attempt(ask: Ask, access: Access): Promise<Answer> {
  const send = ask.url.protocol === "http:" ? askHttp : askHttps;
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const headers = {
    ...sign(ask, access, Date.now()),
    "content-length": String(Buffer.byteLength(ask.body)),
  };
  const signal = AbortSignal.timeout(ask.timeoutMs);
  send(ask.url, { method: ask.method, headers, signal }, (response) => {
    text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
  })
    .on("error", reject)
    .end(ask.body);
  return promise;
}

const isPassing = ({ status, body }: Answer) =>
  status >= 500 || status === 429 || (status === 400 && /"__type":\s*"[^"]*Throttl/.test(body));

/** Tries again, as the SDK does, what may pass; rejects only where nobody answered. */
export async function askAws(ask: Ask, access: Access): Promise<Answer> {
  const { maxAttempts = 3 } = access;
  for (let attempts = 1; ; attempts += 1) {
    const isLast = attempts >= maxAttempts;
    const answer = await attempt(ask, access).catch((error) => {
      if (isLast) throw error;
    });
    if (answer && (isLast || !isPassing(answer))) return answer;
    await wait(Math.random() * 100 * 2 ** attempts);
  }
}
