// An HTTP proxy on this machine: whatever host is asked for, it connects to one server here. What it answers can be replaced.
import net from "node:net";
import tls from "node:tls";
import { certificate } from "./hostile-server.ts";

/** Called with the socket of a client that has sent its CONNECT. */
export type Answer = (client: net.Socket, head: string) => void;
type Options = {
  /** The port on 127.0.0.1 that every tunnel leads to. */
  port?: number;
  /** `user:password`, without which it answers 407. */
  credentials?: string;
  answer?: Answer | undefined;
  /** It speaks TLS, with this certificate. */
  certificateName?: string;
};

export type ConnectProxy = {
  /** Without credentials. */
  address: string;
  host: string;
  /** What came before the tunnel, as text. */
  heads: string[];
  options: Options;
  /** Connections of clients that are open. */
  open(): number;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

export const say =
  (status: string): Answer =>
  (client) =>
    client.end(`HTTP/1.1 ${status}\r\nContent-Length: 5\r\n\r\nno\r\n\r`);

/** A tunnel to a port of this machine. */
export const tunnelTo =
  (port = 0): Answer =>
  (client) => {
    const target = net.connect(port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      client.pipe(target).pipe(client);
    });
    target.on("error", () => client.destroy());
    client.on("close", () => target.destroy());
  };

export async function startConnectProxy(options: Options): Promise<ConnectProxy> {
  const heads: string[] = [];
  const clients = new Set<net.Socket>();
  const accept = (client: net.Socket) => {
    let head = "";
    clients.add(client);
    client.on("close", () => clients.delete(client));
    client.on("error", () => {});
    const read = (chunk: Buffer) => {
      head += chunk.toString("latin1");
      if (!head.endsWith("\r\n\r\n")) return;
      client.off("data", read);
      heads.push(head);
      const { credentials, answer = tunnelTo(options.port) } = options;
      const expected = credentials && Buffer.from(credentials).toString("base64");
      const isLetIn =
        expected === undefined || head.includes(`\r\nProxy-Authorization: Basic ${expected}\r\n`);
      (isLetIn ? answer : say('407 Denied\r\nProxy-Authenticate: Basic realm="proxy"'))(client, head);
    };
    client.on("data", read);
  };
  const { certificateName } = options;
  const server = certificateName
    ? tls.createServer({ key: certificate("server-key"), cert: certificate(certificateName) }, accept)
    : net.createServer(accept);
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as net.AddressInfo).port}`;
  const close = () =>
    new Promise<void>((resolve) => {
      for (const client of clients) client.destroy();
      server.close(() => resolve());
    });
  return {
    address: `${certificateName ? "https" : "http"}://${host}`,
    host,
    heads,
    options,
    open: () => clients.size,
    close,
    [Symbol.asyncDispose]: close,
  };
}
