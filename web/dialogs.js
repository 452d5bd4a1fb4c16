// What a click opens: the observations behind a number, one of them explained, an incident, an alert.
import { at, h, mark, plural, table, when } from "./element.js";

const dialog = at("detail");

function open(title, ...content) {
  dialog.replaceChildren(
    h(
      "div",
      { class: "row" },
      h("h2", { id: "detail-title", tabindex: "-1" }, title),
      h("button", { type: "button", class: "close", onclick: () => dialog.close() }, "Close"),
    ),
    ...content.flat(2).filter(Boolean),
  );
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
  at("detail-title").focus();
}

dialog.addEventListener("click", (event) => {
  if (event.target === dialog) dialog.close();
});

async function ask(path) {
  const response = await fetch(path);
  const value = await response.json();
  if (!response.ok) throw new Error(value.error);
  return value;
}

const guard =
  (work) =>
  (...given) =>
    work(...given).catch((error) => open("Not to be had", h("p", {}, error.message)));

/** Where V1 was not asked, nothing is known of it. */
function toneOf({ outcome, breaking }) {
  if (outcome === "refused" || outcome === "no-secret") return "unknown";
  return outcome !== "ok" ? "broken" : breaking > 0 ? "look" : "ok";
}

export const openList = guard(async (endpoint) => {
  const rows = await ask(`/api/observations?endpoint=${encodeURIComponent(endpoint)}&limit=60`);
  open(
    `Observations of ${endpoint}`,
    rows.length === 0
      ? h("p", { class: "quiet" }, "None yet.")
      : table(
          `The latest ${rows.length}, newest first`,
          ["at", "asked", "outcome", "time", "breaking"],
          rows.map((row) => [
            h(
              "button",
              { type: "button", class: "link", onclick: () => openObservation(row.id) },
              row.at.slice(0, 19).replace("T", " "),
            ),
            row.variant,
            [mark(toneOf(row)), ` ${row.word}`],
            `${Math.round(row.totalMs)} ms`,
            String(row.breaking),
          ]),
        ),
  );
});

const timingNames = {
  dnsMs: "name",
  tcpMs: "connect",
  tlsMs: "TLS",
  firstByteMs: "first byte",
  totalMs: "total",
};

const pairs = (rows) =>
  h(
    "dl",
    { class: "pairs" },
    rows.map(([name, text]) => [h("dt", {}, name), h("dd", {}, text)]),
  );

export const openObservation = guard(async (id) => {
  const { observation, explain, means } = await ask(`/api/observation?id=${encodeURIComponent(id)}`);
  const {
    endpoint,
    variant: asked,
    at,
    outcome,
    timings,
    bytes,
    findings,
    findingsOmitted,
    notices,
    tls,
  } = observation;
  const headers = describeNotices(notices);
  open(
    `${endpoint}, ${asked}`,
    h("p", {}, when(at)),
    h("h3", {}, "Explained"),
    h(
      "ul",
      { class: "explain" },
      explain.map((line) => h("li", {}, line)),
    ),
    h("h3", {}, "Timings"),
    pairs(
      Object.entries(timingNames)
        .filter(([key]) => timings[key] !== undefined)
        .map(([key, name]) => [name, `${Math.round(timings[key] * 10) / 10} ms`]),
    ),
    h("h3", {}, "Headers of interest"),
    headers.length > 0 ? pairs(headers) : h("p", { class: "quiet" }, "None."),
    h("h3", {}, "Findings"),
    findings.length === 0
      ? h("p", { class: "quiet" }, outcome.kind === "ok" ? "As documented." : "There was no body to compare.")
      : table(
          plural(findings.length, "finding"),
          ["level", "where", "what", "records", "means"],
          findings.map((row) => [
            row.level,
            h("code", {}, row.path),
            `${row.kind}: ${row.expected} → ${row.observed}`,
            `${row.count} of ${row.of}`,
            means[row.id] ?? "",
          ]),
        ),
    findingsOmitted > 0 && h("p", { class: "quiet" }, `${findingsOmitted} more were counted and not kept.`),
    h(
      "p",
      { class: "quiet" },
      `${outcome.status ? `${outcome.status} · ` : ""}${plural(bytes.wire, "byte")} sent, ${plural(bytes.body, "byte")} read`,
      tls ? ` · certificate until ${tls.expiresAt.slice(0, 10)}` : "",
    ),
  );
});

function describeNotices(notices) {
  const rows = [];
  const add = (name, text) => text !== undefined && rows.push([name, text]);
  add("Sunset", notices.sunset?.slice(0, 10) ?? (notices.sunsetUnreadable ? "unreadable" : undefined));
  add(
    "Deprecation",
    notices.deprecation &&
      `${notices.deprecation.form}${notices.deprecation.at ? ` ${notices.deprecation.at.slice(0, 10)}` : ""}`,
  );
  add("Link", notices.links?.join(", "));
  add("Warning", notices.warning && String(notices.warning));
  add("Retry-After", notices.retryAfterSeconds === undefined ? undefined : `${notices.retryAfterSeconds} s`);
  add(
    "usage",
    notices.usage &&
      `${notices.usage.current ?? "?"} of ${notices.usage.limit ?? "?"}${notices.usage.exhausted ? ", exhausted" : ""}`,
  );
  add("redirect", notices.redirect && `${notices.redirect.origin} origin, to ${notices.redirect.leadsTo}`);
  add("body", notices.body);
  return rows;
}

export function openIncident(incident) {
  const {
    id,
    title,
    severity,
    state,
    since,
    openedAt,
    resolvedAt,
    lasted,
    evidence,
    so,
    users,
    todo,
    runbook,
    flaps,
    endpoints,
  } = incident;
  open(
    title,
    h("p", {}, `${severity} · ${state} · ${lasted}`),
    h(
      "ul",
      { class: "explain" },
      evidence.map((line) => h("li", {}, line)),
    ),
    h("p", {}, h("strong", {}, "So: "), so),
    h("p", {}, h("strong", {}, "What your users see: "), users),
    h("p", {}, h("strong", {}, "What to do")),
    h(
      "ol",
      {},
      todo.map((step) => h("li", {}, step)),
    ),
    pairs([
      ["since", when(since)],
      ...(openedAt ? [["opened", when(openedAt)]] : []),
      ...(resolvedAt ? [["over", when(resolvedAt)]] : []),
      ["endpoints", endpoints.join(", ") || "none"],
      ["came back", plural(flaps, "time")],
      ["runbook", `docs/runbook.md#${runbook}`],
      ["id", id],
    ]),
  );
}

export const openAlert = guard(async (id) => {
  const alert = (await ask("/api/alerts?limit=200")).find((one) => one.id === id);
  if (!alert) throw new Error("it is older than what is shown here");
  open(
    alert.subject,
    h("p", {}, when(alert.at), ` · ${alert.severity} · ${alert.event}`),
    h("pre", { class: "letter" }, alert.body),
  );
});
