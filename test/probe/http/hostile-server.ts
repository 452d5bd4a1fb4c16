// A test server that sends arbitrary bytes over TCP or TLS and counts connections and requests.
import { readFileSync } from "node:fs";
import net from "node:net";
import tls from "node:tls";

export const certificate = (name: string) =>
  readFileSync(new URL(`certificates/${name}.pem`, import.meta.url), "utf8");

export type Responder = (socket: net.Socket, request: string, number: number) => void;
export type HostileServer = {
  url: URL;
  /** The request heads that were received, as text. */
  requests: string[];
  connections(): number;
  [Symbol.asyncDispose](): Promise<void>;
};

/** Calls `responder` for each complete request head, with its number from 1. */
export async function serve(responder: Responder, certificateName?: string): Promise<HostileServer> {
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
      responder(socket, requests.at(-1) ?? "", requests.length);
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

/** Sends a valid response and closes the connection. `headers` are complete lines. */
export function respond(
  status: string,
  body: string | Uint8Array = "",
  headers: readonly string[] = [],
): Responder {
  return (socket) => {
    const bytes = Buffer.from(body as string);
    const lines = [`HTTP/1.1 ${status}`, ...headers, `Content-Length: ${bytes.length}`, "", ""];
    socket.write(lines.join("\r\n"));
    socket.end(bytes);
  };
}

/** Sends exactly these bytes and closes the connection. */
export function sendBytes(bytes: string | Uint8Array): Responder {
  return (socket) => {
    socket.end(Buffer.from(bytes as string));
  };
}
