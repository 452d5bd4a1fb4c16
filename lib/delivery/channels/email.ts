// Email through an SMTP server. The messages of one incident are one thread.
import { createTransport } from "nodemailer";
import { RefusedError, UnreachableError } from "../../ports.ts";
import { type Alert, incidentOf, textOf } from "../../records/alert.ts";
import { type CreateSend, defaultTimeoutMs, requireSecret } from "./channel.ts";

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
  const { timeoutMs = defaultTimeoutMs } = context;
  const auth =
    user !== undefined && password ? { auth: { user, pass: await requireSecret(password, context) } } : {};
  const transport = createTransport({
    ...{ host, port, secure: security === "tls", requireTLS: security === "starttls", ...auth },
    ...(security === "none" && { ignoreTLS: true }),
    ...{ connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs },
    dnsTimeout: timeoutMs,
  });
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new UnreachableError("timeout")), timeoutMs);
  });
  const sending = transport.sendMail({ from, to, ...renderEmail(alert) });
  try {
    await Promise.race([sending, deadline]);
  } catch (error) {
    throw toOurError(error);
  } finally {
    clearTimeout(timer);
    sending.catch(() => {});
    transport.close();
  }
};

/** The server's own words may repeat addresses: only its code is kept. */
function toOurError(error: unknown): Error {
  if (error instanceof UnreachableError) return error;
  const { responseCode, code } = error as { responseCode?: unknown; code?: unknown };
  const cause = typeof responseCode === "number" ? `SMTP ${responseCode}` : String(code ?? "SMTP error");
  const isRefused = typeof responseCode === "number" && responseCode >= 500 && code !== "EAUTH";
  return isRefused ? new RefusedError(cause) : new UnreachableError(cause);
}
