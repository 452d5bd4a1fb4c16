// Email through an SMTP server. The messages of one incident are one thread.
import { PassThrough } from "node:stream";
import { createTransport } from "nodemailer";
import { RefusedError, UnansweredError, UnreachableError } from "../../ports.ts";
import { type Alert, incidentOf, textOf } from "../../records/alert.ts";
import { type CreateSend, createDeadline, defaultTimeouts, requireSecret } from "./channel.ts";

const idOf = (text: string) => `<${text.replace(/[^\w.-]/g, ".")}@v1watch>`;

/** Mail programs show these as urgent. */
const priorities = { page: "high", warning: "normal", info: "normal" } as const;

export function renderEmail(alert: Alert) {
  const incident = idOf(incidentOf(alert));
  return {
    // "=?" starts an encoded word, which a mail program would decode.
    subject: alert.subject.replaceAll("=?", "= ?"),
    text: textOf(alert),
    messageId: idOf(alert.id),
    inReplyTo: incident,
    references: incident,
    priority: priorities[alert.severity],
    headers: {
      "X-V1watch-Severity": alert.severity,
      "X-V1watch-Rule": alert.rule,
      "X-V1watch-Event": alert.event,
    },
  };
}

export const createEmail: CreateSend<"email"> = (settings, context) => async (alert) => {
  const { host, port, security, user, password, from, to } = settings;
  const { timeouts = defaultTimeouts } = context;
  const auth =
    user !== undefined && password ? { user, pass: await requireSecret(password, context) } : undefined;
  const transport = createTransport({
    host,
    port,
    secure: security === "tls",
    requireTLS: security === "starttls",
    ignoreTLS: security === "none",
    auth,
    connectionTimeout: timeouts.sendMs,
    greetingTimeout: timeouts.sendMs,
    dnsTimeout: timeouts.sendMs,
    socketTimeout: timeouts.answerMs,
  });
  const deadline = createDeadline(timeouts);
  // The server has the whole mail when the stream of it has ended.
  transport.use("stream", (mail, done) => {
    mail.message.transform(() => new PassThrough().on("end", deadline.noteSent));
    done();
  });
  const sending = transport.sendMail({ from, to, ...renderEmail(alert) });
  try {
    await Promise.race([sending, deadline.expired]);
  } catch (error) {
    throw toOurError(error, deadline.isSent());
  } finally {
    deadline.clear();
    sending.catch(() => {});
    transport.close();
  }
};

/** The server's own words may repeat addresses: only its code is kept. */
function toOurError(error: unknown, isSent: boolean): Error {
  if (error instanceof UnreachableError) return error;
  const { responseCode, code } = error as { responseCode?: unknown; code?: unknown };
  if (typeof responseCode !== "number") {
    const cause = String(code ?? "SMTP error");
    return isSent ? new UnansweredError(cause) : new UnreachableError(cause);
  }
  const cause = `SMTP ${responseCode}`;
  return responseCode >= 500 && code !== "EAUTH" ? new RefusedError(cause) : new UnreachableError(cause);
}
