// A server that says exactly the bytes it is told to, over TCP or TLS, and counts who came.
import { readFileSync } from "node:fs";
import net from "node:net";
import tls from "node:tls";

export const certificate = (name: string) =>
  readFileSync(new URL(`certificates/${name}.pem`, import.meta.url), "utf8");

export type Answer = (socket: net.Socket, request: string, number: number) => void;
export type HostileServer = {
  url: URL;
  /** The heads of the requests that came, as text. */
  requests: string[];
  connections(): number;
  [Symbol.asyncDispose](): Promise<void>;
};

/** Each complete request head is given to `answer`, with its number from 1. */
export async function serve(answer: Answer, certificateName?: string): Promise<HostileServer> {
  const requests: string[] = [];
  const sockets = new Set<net.Socket>();
  let connections = 0;
  const accept = (socket: net.Socket) => {
    let received = "";
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      if (!received.endsWith("\r\n\r\n")) return;
      requests.push(received);
      received = "";
      answer(socket, requests.at(-1) ?? "", requests.length);
    });
  };
  const server = certificateName
    ? tls.createServer({ key: certificate("server-key"), cert: certificate(certificateName) }, accept)
    : net.createServer(accept);
  server.on("tlsClientError", () => {});
  server.on("connection", (socket) => {
    connections++;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as net.AddressInfo;
  return {
    url: new URL(`${certificateName ? "https" : "http"}://127.0.0.1:${port}/api/v1/passports`),
    requests,
    connections: () => connections,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** A well-formed answer that closes the connection; `headers` are whole lines. */
export function say(status: string, body: string | Uint8Array = "", headers: readonly string[] = []): Answer {
  return (socket) => {
    const bytes = Buffer.from(body as string);
    const lines = [`HTTP/1.1 ${status}`, ...headers, `Content-Length: ${bytes.length}`, "", ""];
    socket.write(lines.join("\r\n"));
    socket.end(bytes);
  };
}

/** Exactly these bytes, then the end of the connection. */
export function sayBytes(bytes: string | Uint8Array): Answer {
  return (socket) => {
    socket.end(Buffer.from(bytes as string));
  };
}
