// Email through an SMTP server, as HTML and as text. The messages of one incident are one thread: their subjects begin alike,
// and they refer to the first of them.
import { createHash } from "node:crypto";
import { PassThrough } from "node:stream";
import { domainToASCII } from "node:url";
import { createTransport } from "nodemailer";
import { sectionsOf } from "../../channels/alert-text.ts";
import { html } from "../../html.ts";
import { nothingEarlier, RefusedError, UnansweredError, UnreachableError } from "../../ports.ts";
import { type Alert, incidentOf, listLinks, numberOf, textOf } from "../../records/alert.ts";
import type { Receipt, Receipts } from "../../records/receipt.ts";
import { type CreateSend, createDeadline, defaultTimeouts, requireSecret } from "./channel.ts";

const idOf = (text: string) => `<${text.replace(/[^\w.-]/g, ".")}@v1watch>`;

/** Mail programs show "high" as urgent, which the end of an incident is not. */
const priorityOf = ({ severity, event }: Alert) =>
  severity === "page" && event !== "resolved" ? "high" : "normal";

/** `[v1watch] PAGE: V1 is down` → `[v1watch down-20261115T0250Z] PAGE: V1 is down`. */
function subjectOf(alert: Alert): string {
  const named = alert.subject.replace(/^\[v1watch\]/, `[v1watch ${incidentOf(alert)}]`);
  // "=?" starts an encoded word, which a mail program would decode.
  return named.replaceAll("=?", "= ?");
}

/** The same words as the text: one column, no images, nothing that is loaded. Mail programs know inline styles only. */
export function renderHtml(alert: Alert): string {
  const sections = sectionsOf(alert).map(({ label, body, isCommand }) => {
    const text = isCommand
      ? html`<pre style="margin:0;white-space:pre-wrap;overflow-wrap:anywhere">${body}</pre>`
      : html`<div style="white-space:pre-line;overflow-wrap:anywhere">${body}</div>`;
    const heading = label !== "" && html`<h2 style="margin:0;font-size:16px">${label}</h2>\n`;
    return html`<div style="margin:0 0 16px">\n${heading}${text}\n</div>\n`;
  });
  const links = listLinks(alert).map(
    ({ button, url }) =>
      html`<a href="${url}" style="display:inline-block;margin:0 16px 8px 0">${button}</a>\n`,
  );
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${alert.subject}</title>
</head>
<body style="margin:0;padding:16px;max-width:640px;font:16px/1.5 sans-serif">
<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3">${alert.subject}</h1>
${sections}${links.length > 0 && html`<div>\n${links}</div>\n`}</body>
</html>
`.markup;
}

export function renderEmail(alert: Alert) {
  const thread = idOf(incidentOf(alert));
  const isFirst = numberOf(alert) === 1;
  return {
    subject: subjectOf(alert),
    text: textOf(alert),
    html: renderHtml(alert),
    messageId: isFirst ? thread : idOf(alert.id),
    inReplyTo: isFirst ? undefined : thread,
    references: isFirst ? undefined : thread,
    priority: priorityOf(alert),
    headers: {
      // No out-of-office reply answers it (RFC 3834).
      "Auto-Submitted": "auto-generated",
      "X-V1watch-Severity": alert.severity,
      "X-V1watch-Rule": alert.rule,
      "X-V1watch-Event": alert.event,
    },
  };
}

/** One spelling of an address: nodemailer writes a domain in small letters and ASCII, and quotes an unusual name. */
function spellingOf(address: string): string {
  const at = address.lastIndexOf("@");
  const domain = address.slice(at + 1);
  const name = address.slice(0, at).replaceAll('"', "");
  return `${name}@${domainToASCII(domain) || domain}`.toLowerCase();
}

/** Lists of recipients are edited, and the store knows no address: a recipient is known by this. */
export const recipientOf = (address: string): string =>
  createHash("sha256").update(spellingOf(address)).digest("hex").slice(0, 16);

/** What nodemailer says of the recipients that were asked, in its result and in its error. */
type Asked = {
  accepted?: readonly unknown[] | undefined;
  rejectedErrors?:
    | readonly { recipient?: string | undefined; responseCode?: number | undefined }[]
    | undefined;
};

/** In the order of the configuration. A recipient that no server has accepted is refused, whatever the reason. */
function receiptsOf(
  to: readonly [string, ...string[]],
  earlier: ReadonlySet<string>,
  { accepted = [], rejectedErrors = [] }: Asked,
): Receipts {
  const now = new Set(accepted.map((address) => recipientOf(String(address))));
  const receiptOf = (address: string): Receipt => {
    const recipient = recipientOf(address);
    if (earlier.has(recipient) || now.has(recipient)) return { recipient, isAccepted: true };
    const error = rejectedErrors.find((one) => recipientOf(one.recipient ?? "") === recipient);
    return { recipient, isAccepted: false, why: `SMTP ${error?.responseCode ?? "without an answer"}` };
  };
  const [first, ...others] = to;
  return [receiptOf(first), ...others.map(receiptOf)];
}

export const createEmail: CreateSend<"email"> = (settings, context) => {
  const { host, port, security, user, password, from } = settings;
  const { timeouts = defaultTimeouts } = context;
  const [first, ...others] = new Map(settings.to.map((address) => [recipientOf(address), address])).values();
  if (first === undefined) throw new Error("an email channel has recipients");
  const to = [first, ...others] as const;

  return async (alert, { accepted } = nothingEarlier) => {
    const asked = to.filter((address) => !accepted.has(recipientOf(address)));
    if (asked.length === 0) return receiptsOf(to, accepted, {});
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
    // Everybody reads to whom it was sent; the envelope names those who do not have it.
    const envelope = { from, to: asked };
    const sending = transport.sendMail({ from, to: [...to], envelope, ...renderEmail(alert) });
    try {
      return receiptsOf(to, accepted, await Promise.race([sending, deadline.expired]));
    } catch (error) {
      // The server refused each of the remaining recipients by itself, and has accepted others before: the server is up.
      const { rejectedErrors = [] } = error as Asked;
      if (asked.length < to.length && rejectedErrors.length > 0)
        return receiptsOf(to, accepted, { rejectedErrors });
      throw toOurError(error, deadline.isSent());
    } finally {
      deadline.clear();
      sending.catch(() => {});
      transport.close();
    }
  };
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
