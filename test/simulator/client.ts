// A minimal HTTP client for tests, which returns the raw response or the failure.
import { type IncomingHttpHeaders, request } from "node:http";

export type Reply = {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  /** The error code of a failed request, such as ECONNRESET, or `deadline`. */
  failure?: string;
};

export type Options = { method?: string; headers?: Record<string, string>; deadlineMs?: number };

export function get(
  url: string,
  { method = "GET", headers = {}, deadlineMs = 5000 }: Options = {},
): Promise<Reply> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const reply: Reply = { status: 0, headers: {}, bytes: Buffer.alloc(0) };
    const finish = (failure?: string) => {
      clearTimeout(deadline);
      outgoing.destroy();
      resolve({ ...reply, bytes: Buffer.concat(chunks), ...(failure === undefined ? {} : { failure }) });
    };
    const deadline = setTimeout(() => finish("deadline"), deadlineMs);
    const outgoing = request(url, { method, headers, agent: false }, (incoming) => {
      reply.status = incoming.statusCode ?? 0;
      reply.headers = incoming.headers;
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("end", () => finish());
      incoming.on("error", (error: NodeJS.ErrnoException) => finish(error.code));
    });
    outgoing.on("error", (error: NodeJS.ErrnoException) => finish(error.code));
    outgoing.end();
  });
}

// biome-ignore lint/suspicious/noExplicitAny: tests read bodies that are broken on purpose
export const bodyOf = (reply: Reply): any => JSON.parse(reply.bytes.toString());
