// The list of checks with its filters, and the view of one check.
import { empty, formatTime, h, mark, pairs, table, timeElement, update } from "./dom.js";
import { checkUrl, fetchJson, setQuery, viewUrl } from "./state.js";

/** If no request was sent to V1, its state is unknown. A 404 for an id that must not exist is good. */
export function toneOf({ outcome, breaking, isExpected }) {
  if (isExpected) return "ok";
  if (outcome === "refused" || outcome === "no-secret") return "unknown";
  return outcome !== "ok" ? "critical" : breaking > 0 ? "warning" : "ok";
}

const milliseconds = (value) =>
  `${value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString("en-US")} ms`;

function describeRow({ outcome, breaking, word, isExpected }) {
  if (outcome === "ok" && breaking > 0) return "drift";
  return isExpected ? `${word}, as expected` : word;
}

export const showChecks = (caption, rows) =>
  table(
    caption,
    ["time", "endpoint", "variant", "outcome", "duration", "breaking", "additive"],
    rows.map((row) => [
      h("a", { href: checkUrl(row.id), "data-key": row.id }, formatTime(row.at, { seconds: true })),
      row.endpoint,
      row.variant,
      [mark(toneOf(row)), ` ${describeRow(row)}`],
      milliseconds(row.totalMs),
      // Without a body there is nothing to compare.
      ...[row.breaking, row.additive].map((count) => (row.outcome === "ok" ? String(count) : "–")),
    ]),
  );

const filters = ["endpoint", "variant", "result", "before"];
const limit = 50;

export const list = {
  load({ query }) {
    const wanted = new URLSearchParams({ limit: String(limit) });
    for (const name of filters) if (query.get(name)) wanted.set(name, query.get(name));
    return fetchJson(`/api/observations?${wanted}`);
  },
  render(container, { summary, data, route }) {
    const chosen = Object.fromEntries(filters.map((name) => [name, route.query.get(name) ?? ""]));
    const endpoints = summary.cards.map(({ endpoint }) => endpoint);
    const select = (name, label, options) =>
      h(
        "label",
        {},
        `${label} `,
        h(
          "select",
          {
            id: `filter-${name}`,
            "data-key": name,
            onchange: (event) => setQuery({ [name]: event.target.value, before: "" }),
          },
          options.map(([value, text]) => h("option", { value, selected: value === chosen[name] }, text)),
        ),
      );
    const all = ["", "all"];
    update(container, [data, chosen, endpoints], () => [
      h("h2", {}, "Checks"),
      h(
        "form",
        { class: "filter", "aria-label": "Filter the checks", onsubmit: (event) => event.preventDefault() },
        select("endpoint", "Endpoint", [all, ...endpoints.map((name) => [name, name])]),
        select("variant", "Variant", [all, ...summary.variants.map((name) => [name, name])]),
        select("result", "Result", [
          all,
          ["ok", "ok or as expected"],
          ["failed", "failed"],
          ["drift", "breaking differences"],
        ]),
      ),
      data.length === 0 ? empty("No check matches.") : showChecks("Checks, newest first", data),
      h(
        "p",
        { class: "paging" },
        chosen.before &&
          h(
            "button",
            { type: "button", "data-key": "newest", onclick: () => setQuery({ before: "" }) },
            "Newest",
          ),
        data.length === limit &&
          h(
            "button",
            { type: "button", "data-key": "older", onclick: () => setQuery({ before: data.at(-1).at }) },
            "Older",
          ),
      ),
    ]);
  },
};

function describeNotices(notices) {
  const { sunset, sunsetText, deprecation, links, warning, retryAfterSeconds, usage, redirect, body } =
    notices;
  return [
    sunset ? ["Sunset", sunset.slice(0, 10)] : sunsetText !== undefined && ["Sunset", "invalid date"],
    deprecation && [
      "Deprecation",
      `${deprecation.form}${deprecation.at ? ` ${deprecation.at.slice(0, 10)}` : ""}`,
    ],
    links && ["Link", links.join(", ")],
    warning && ["Warning", String(warning)],
    retryAfterSeconds !== undefined && ["Retry-After", `${retryAfterSeconds} s`],
    usage && [
      "Usage",
      `${usage.current ?? "?"} of ${usage.limit ?? "?"}${usage.exhausted ? ", exhausted" : ""}`,
    ],
    redirect && ["Location", `${redirect.origin} origin, to ${redirect.leadsTo}`],
    body && ["Body", body],
  ].filter(Boolean);
}

function showWaterfall(phases, totalMs) {
  return h(
    "div",
    { class: "waterfall" },
    phases.map(({ name, startMs, durationMs }) =>
      h(
        "div",
        { class: "phase" },
        h("span", { class: "name" }, name),
        h(
          "span",
          { class: "track" },
          h("span", {
            class: "bar",
            css: {
              left: `${(100 * startMs) / totalMs}%`,
              width: `${Math.max(0.5, (100 * durationMs) / totalMs)}%`,
            },
          }),
        ),
        h("span", { class: "number" }, milliseconds(durationMs)),
      ),
    ),
    h(
      "div",
      { class: "phase total" },
      h("span", { class: "name" }, "Total"),
      h("span"),
      h("span", { class: "number" }, milliseconds(totalMs)),
    ),
  );
}

const findingTones = { breaking: "warning", additive: "unknown", notice: "unknown" };

/** A body without V1's data has nothing in which it could differ. */
function describeNoFindings({ outcome, notices }) {
  if (outcome.kind !== "ok") return "No body to validate.";
  return notices.body === undefined ? "The response is as documented." : "No findings.";
}

const showFindings = ({ findings, findingsOmitted, outcome, notices }, changes, means) =>
  findings.length === 0
    ? empty(describeNoFindings({ outcome, notices }))
    : [
        table(
          "Findings",
          ["level", "field", "difference", "records", "impact"],
          findings.map(({ id, level, path, kind, count, of }) => [
            [mark(findingTones[level]), ` ${level}`],
            h("code", {}, path),
            changes[id] ?? kind,
            `${count} of ${of}`,
            means[id] ?? "",
          ]),
        ),
        findingsOmitted > 0 && empty(`${findingsOmitted} more were not stored.`),
      ];

export const one = {
  load: ({ id }) => fetchJson(`/api/observation?id=${encodeURIComponent(id)}`),
  render(container, { data }) {
    const { observation, request, isExpected, phases, explain, changes, means, previous, next } = data;
    const { endpoint, variant, at, outcome, timings, bytes, notices, tls, attempts, reason } = observation;
    const headers = describeNotices(notices);
    const tone = toneOf({
      outcome: outcome.kind,
      isExpected,
      breaking: observation.findings.filter(({ level }) => level === "breaking").length,
    });
    update(container, data, () => [
      h(
        "p",
        { class: "back" },
        h("a", { href: viewUrl("/checks", { endpoint }), "data-key": "back" }, `← Checks of ${endpoint}`),
        previous && h("a", { href: checkUrl(previous), "data-key": "previous" }, "‹ earlier"),
        next && h("a", { href: checkUrl(next), "data-key": "next" }, "later ›"),
      ),
      h("h2", {}, mark(tone), ` ${endpoint}, ${variant}, `, timeElement(at, { seconds: true })),
      h("pre", { class: "command", tabindex: "0" }, `${request.method} ${request.url}`),
      h(
        "ul",
        { class: "facts" },
        explain.map((line) => h("li", {}, line)),
      ),
      h(
        "div",
        { class: "columns" },
        h("section", {}, h("h3", {}, "Timings"), showWaterfall(phases, timings.totalMs || 1)),
        h(
          "section",
          {},
          h("h3", {}, "Response"),
          pairs([
            [
              "Status",
              outcome.status === undefined
                ? outcome.kind === "ok"
                  ? "200"
                  : "none"
                : String(outcome.status),
            ],
            [
              "Outcome",
              `${outcome.kind}${outcome.detail ? ` (${outcome.detail})` : ""}${isExpected ? ", as expected" : ""}`,
            ],
            ["Key", request.hasKey ? "sent" : "not sent"],
            [
              "Body",
              `${bytes.body.toLocaleString("en-US")} bytes, ${bytes.wire.toLocaleString("en-US")} transferred`,
            ],
            attempts.length > 1 && [
              "Attempts",
              attempts.map(({ kind, totalMs }) => `${kind} after ${milliseconds(totalMs)}`).join("; "),
            ],
            tls && ["Certificate", `valid until ${tls.expiresAt.slice(0, 10)}`],
            ["Reason", reason],
          ]),
          h("h3", {}, "Headers of interest"),
          headers.length > 0 ? pairs(headers) : empty("None."),
        ),
      ),
      h("h3", {}, "Findings"),
      showFindings(observation, changes, means),
    ]);
  },
};
