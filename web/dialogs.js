// The dialogs: the observations of an endpoint, one observation, an incident, a sent alert.
import { byId, h, mark, plural, table, timeElement } from "./dom.js";

const dialog = byId("detail");

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
  byId("detail-title").focus();
}

dialog.addEventListener("click", (event) => {
  if (event.target === dialog) dialog.close();
});

async function fetchJson(path) {
  const response = await fetch(path);
  const value = await response.json();
  if (!response.ok) throw new Error(value.error);
  return value;
}

const showErrors =
  (work) =>
  (...parameters) =>
    work(...parameters).catch((error) => open("Failed to load", h("p", {}, error.message)));

/** If no request was sent to V1, its state is unknown. */
function toneOf({ outcome, breaking }) {
  if (outcome === "refused" || outcome === "no-secret") return "unknown";
  return outcome !== "ok" ? "critical" : breaking > 0 ? "warning" : "ok";
}

export const openObservations = showErrors(async (endpoint) => {
  const rows = await fetchJson(`/api/observations?endpoint=${encodeURIComponent(endpoint)}&limit=60`);
  open(
    `Observations of ${endpoint}`,
    rows.length === 0
      ? h("p", { class: "secondary" }, "No observations yet.")
      : table(
          `The latest ${rows.length} observations, newest first`,
          ["time (UTC)", "variant", "outcome", "duration", "breaking"],
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
  dnsMs: "DNS",
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

export const openObservation = showErrors(async (id) => {
  const { observation, explain, changes, means } = await fetchJson(
    `/api/observation?id=${encodeURIComponent(id)}`,
  );
  const { endpoint, variant, at, outcome, timings, bytes, findings, findingsOmitted, notices, tls } =
    observation;
  const headers = describeNotices(notices);
  open(
    `${endpoint}, ${variant}`,
    h("p", {}, timeElement(at)),
    h("h3", {}, "Explanation"),
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
    headers.length > 0 ? pairs(headers) : h("p", { class: "secondary" }, "None."),
    h("h3", {}, "Findings"),
    findings.length === 0
      ? h(
          "p",
          { class: "secondary" },
          outcome.kind === "ok" ? "The response is as documented." : "No body to validate.",
        )
      : table(
          plural(findings.length, "finding"),
          ["level", "field", "difference", "records", "impact"],
          findings.map((row) => [
            row.level,
            h("code", {}, row.path),
            changes[row.id] ?? row.kind,
            `${row.count} of ${row.of}`,
            means[row.id] ?? "",
          ]),
        ),
    findingsOmitted > 0 &&
      h("p", { class: "secondary" }, `${plural(findingsOmitted, "more finding")} counted but not stored.`),
    h(
      "p",
      { class: "secondary" },
      `${outcome.status ? `${outcome.status} · ` : ""}${plural(bytes.wire, "byte")} received, ${plural(bytes.body, "byte")} decoded`,
      tls ? ` · certificate valid until ${tls.expiresAt.slice(0, 10)}` : "",
    ),
  );
});

function describeNotices(notices) {
  const rows = [];
  const add = (name, text) => text !== undefined && rows.push([name, text]);
  add(
    "Sunset",
    notices.sunset?.slice(0, 10) ?? (notices.sunsetText === undefined ? undefined : "invalid date"),
  );
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
    impact,
    steps,
    reproduce,
    runbook,
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
    h("p", {}, h("strong", {}, "Impact: "), impact),
    h("p", {}, h("strong", {}, "Next steps")),
    h(
      "ol",
      {},
      steps.map((step) => h("li", {}, step)),
    ),
    pairs([
      ["since", timeElement(since)],
      ...(openedAt ? [["opened", timeElement(openedAt)]] : []),
      ...(resolvedAt ? [["resolved", timeElement(resolvedAt)]] : []),
      ["endpoints", endpoints.join(", ") || "none"],
      ["reproduce", reproduce],
      ["runbook", `docs/runbook.md#${runbook}`],
      ["id", id],
    ]),
  );
}

export const openAlert = showErrors(async (id) => {
  const alert = (await fetchJson("/api/alerts?limit=200")).find((sent) => sent.id === id);
  if (!alert) throw new Error("This alert is older than the 200 latest ones.");
  open(
    alert.subject,
    h("p", {}, timeElement(alert.at), ` · ${alert.severity} · ${alert.event}`),
    h("pre", { class: "alert-body" }, alert.text),
  );
});
