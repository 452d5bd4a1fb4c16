// Receivers on this machine for the tests of channels: web servers and an SMTP server.
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { SMTPServer } from "smtp-server";
import { onTestFinished } from "vitest";

const listen = (server: Server | ReturnType<typeof createTcpServer>, port = 0) =>
  new Promise<number>((resolve) =>
    server.listen(port, "127.0.0.1", () => resolve((server.address() as AddressInfo).port)),
  );

export type WebReceiver = {
  url: string;
  bodies: Record<string, unknown>[];
  /** The method and the type of each request. */
  requests: string[];
  /** The status and the text of the next responses; `hang` gives none. `delayMs`: how long the receiver takes to answer. */
  behaviour: {
    status: number | "hang" | "reset";
    text: string;
    delayMs?: number;
    retryAfter?: string;
    /** By the request, in place of `status`. */
    statusOf?(path: string, text: string): number;
  };
  /** The path, the text and the headers of each request. */
  received: { path: string; text: string; headers: IncomingHttpHeaders }[];
};

export async function startWebReceiver(
  status: WebReceiver["behaviour"]["status"] = 200,
  answer = "ok",
): Promise<WebReceiver> {
  const bodies: Record<string, unknown>[] = [];
  const requests: string[] = [];
  const received: WebReceiver["received"] = [];
  const behaviour: WebReceiver["behaviour"] = { status, text: answer };
  const server = createServer(async (request, response) => {
    requests.push(`${request.method} ${request.headers["content-type"]}`);
    let text = "";
    for await (const part of request) text += part;
    received.push({ path: request.url ?? "", text, headers: request.headers });
    if (behaviour.status === "hang") return;
    if (behaviour.status === "reset") {
      bodies.push(JSON.parse(text));
      request.socket.destroy();
      return;
    }
    if (behaviour.delayMs !== undefined) await sleep(behaviour.delayMs);
    const status = behaviour.statusOf?.(request.url ?? "", text) ?? behaviour.status;
    if (status < 300) bodies.push(JSON.parse(text));
    // Nobody may follow a redirect with an alert.
    if (status === 302) response.setHeader("Location", "/");
    if (behaviour.retryAfter !== undefined) response.setHeader("Retry-After", behaviour.retryAfter);
    response.writeHead(status).end(behaviour.text);
  });
  const port = await listen(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${port}/very-secret-path`, bodies, requests, received, behaviour };
}

/** A port on which nobody listens, until `open` starts a server there. */
export async function reserveDeadPort() {
  const server = createTcpServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  const bodies: Record<string, unknown>[] = [];
  return {
    url: `http://127.0.0.1:${port}/very-secret-path`,
    bodies,
    async open() {
      const web = createServer(async (request, response) => {
        let text = "";
        for await (const part of request) text += part;
        bodies.push(JSON.parse(text));
        response.end();
      });
      await listen(web, port);
      onTestFinished(() => {
        web.closeAllConnections();
        web.close();
      });
    },
  };
}

/** A mail server that is never silent for long and never comes to an end. */
export async function startEndlessMailServer(): Promise<number> {
  const server = createTcpServer((socket) => {
    socket.write("220 welcome\r\n");
    const timer = setInterval(() => socket.write("250-more\r\n"), 50);
    socket.on("error", () => {}).on("close", () => clearInterval(timer));
  });
  onTestFinished(() => void server.close());
  return listen(server);
}

export type Mail = { from: string; to: string[]; text: string };

export async function startMailServer(
  options: {
    user?: { name: string; password: string };
    refuseWith?: number;
    /** The code with which a recipient is refused; undefined accepts it. */
    refuseRecipient?(address: string): number | undefined;
    isPlain?: boolean;
    /** Between the end of the mail and the answer to it. */
    delayMs?: number;
    /** The connection ends before the answer. */
    isCut?: boolean;
  } = {},
) {
  const mails: Mail[] = [];
  const server = new SMTPServer({
    disabledCommands: options.user ? [] : ["AUTH"],
    authOptional: !options.user,
    logger: false,
    // Without encryption, and with passwords all the same.
    hideSTARTTLS: options.isPlain,
    allowInsecureAuth: options.isPlain,
    onAuth({ username, password }, _session, done) {
      const isKnown = username === options.user?.name && password === options.user?.password;
      done(isKnown ? null : new Error("unknown user"), isKnown ? { user: username } : undefined);
    },
    onRcptTo({ address }, _session, done) {
      const responseCode = options.refuseRecipient?.(address);
      done(
        responseCode === undefined
          ? null
          : Object.assign(new Error(`${address} is refused on purpose`), { responseCode }),
      );
    },
    onData(stream, session, done) {
      let text = "";
      stream.on("data", (part: Buffer) => {
        text += part.toString();
      });
      stream.on("end", () => {
        if (options.refuseWith !== undefined) {
          done(Object.assign(new Error("refused on purpose"), { responseCode: options.refuseWith }));
          return;
        }
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom ? mailFrom.address : "",
          to: rcptTo.map(({ address }) => address),
          text,
        });
        if (options.isCut) for (const connection of server.connections) connection.close();
        else setTimeout(done, options.delayMs ?? 0);
      });
    },
  });
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const { port } = server.server.address() as AddressInfo;
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { port, mails };
}
