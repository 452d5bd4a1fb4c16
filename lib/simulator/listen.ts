import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

export type Listening = { url: string; port: number; close(): Promise<void> };

/** Rejects if the port cannot be used. `close` also ends the connections that do not end by themselves. */
export async function listen(server: Server, port: number, host: string): Promise<Listening> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => resolve());
  });
  const address = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${address.port}`,
    port: address.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
