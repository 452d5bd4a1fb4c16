// One request to AWS and its whole answer, under one deadline.
import { request as askHttp } from "node:http";
import { request as askHttps } from "node:https";

type Message = { method: string; headers: Readonly<Record<string, string>>; body: string | Uint8Array };
type Reply = { status: number; headers: NodeJS.Dict<string | string[]>; body: Buffer };

/** Rejects where the answer did not come, or not whole; by the name TimeoutError where it took too long. */
export function transmit(url: URL, { method, headers, body }: Message, timeoutMs: number): Promise<Reply> {
  const send = url.protocol === "http:" ? askHttp : askHttps;
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const outgoing = send(url, { method, headers }, (response) => {
    const parts: Buffer[] = [];
    const { statusCode: status = 0, headers } = response;
    response
      .on("data", (part: Buffer) => parts.push(part))
      .on("end", () => resolve({ status, headers, body: Buffer.concat(parts) }))
      .on("error", reject);
  });
  outgoing.on("error", reject).end(body);
  const timer = setTimeout(() => {
    reject(Object.assign(new Error("AWS took too long"), { name: "TimeoutError" }));
    outgoing.destroy();
  }, timeoutMs);
  return promise.finally(() => clearTimeout(timer));
}

type SdkRequest = Message & { protocol: string; hostname: string; port?: number; path: string };

/** For the SDK's clients: at its deadline their own handler only warns, and waits on. */
export const sdkHandler = (timeoutMs: number) => ({
  async handle(request: SdkRequest) {
    const { protocol, hostname, port, path } = request;
    const url = new URL(path, `${protocol}//${hostname}${port ? `:${port}` : ""}`);
    const { status, headers, body } = await transmit(url, request, timeoutMs);
    return { response: { statusCode: status, headers, body } };
  },
});
