// One signed request to AWS (Signature Version 4), for the services whose clients in the SDK would weigh more, and
// take longer to start, than everything else in a function.
import { createHash, createHmac } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { transmit } from "./transport.ts";

export type Credentials = { accessKeyId: string; secretAccessKey: string; sessionToken?: string | undefined };

export type Access = {
  region: string;
  credentials: Credentials;
  /** A server that plays AWS. */
  endpoint?: string | undefined;
  maxAttempts?: number;
};

export type Ask = {
  service: "dynamodb" | "s3" | "secretsmanager" | "ssm";
  method: "GET" | "POST" | "PUT";
  url: URL;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** For one attempt, from connecting to the last byte. */
  timeoutMs: number;
};

export type Answer = { status: number; body: string };

/** As Lambda puts it into the environment. Read at every call: it may be renewed. */
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
const authenticated = (key: string | Buffer, data: string) => createHmac("sha256", key).update(data).digest();

/** As AWS encodes: all but letters, digits and - . _ ~ */
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** By S3's rule, which for the path / is everybody's: encoded once, however the URL writes it. */
const canonicalPath = ({ pathname }: URL) =>
  pathname
    .split("/")
    .map((part) => encode(decodeURIComponent(part)))
    .join("/");

/** By name, then by value: no encoded character sorts before the space. */
const canonicalQuery = ({ searchParams }: URL) =>
  [...searchParams]
    .map(([name, value]) => `${encode(name)} ${encode(value)}`)
    .sort()
    .join("&")
    .replaceAll(" ", "=");

/** All headers of the request, its signature among them. Names of headers are given in small letters. */
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
    canonicalPath(url),
    canonicalQuery(url),
    ...names.map((name) => `${name}:${all[name]?.trim().replace(/\s+/g, " ")}`),
    "",
    signed,
    hash(body),
  ].join("\n");
  const scope = `${day}/${region}/${service}/aws4_request`;
  const key = [day, region, service, "aws4_request"].reduce<string | Buffer>(
    authenticated,
    `AWS4${credentials.secretAccessKey}`,
  );
  const signature = authenticated(key, ["AWS4-HMAC-SHA256", instant, scope, hash(canonical)].join("\n"));
  const credential = `${credentials.accessKeyId}/${scope}`;
  return {
    ...all,
    authorization: `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${signed}, Signature=${signature.toString("hex")}`,
  };
}

async function attempt(ask: Ask, access: Access): Promise<Answer> {
  const headers = {
    ...sign(ask, access, Date.now()),
    "content-length": String(Buffer.byteLength(ask.body)),
  };
  const { method, url, timeoutMs } = ask;
  const { status, body } = await transmit(url, { method, headers, body: ask.body }, timeoutMs);
  return { status, body: body.toString() };
}

/** The names that AWS has for "too fast". */
const throttled = /"__type":\s*"[^"]*(?:Throttl|ThroughputExceeded|RequestLimitExceeded)/;

const isPassing = ({ status, body }: Answer) =>
  status >= 500 || status === 429 || (status === 400 && throttled.test(body));

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
