// The list of incidents, and the view of one incident.
import { showChecks, toneOf } from "./checks.js";
import { decisionButtons } from "./decide.js";
import {
  empty,
  formatTime,
  h,
  mark,
  pairs,
  plural,
  prose,
  severityTones,
  table,
  timeElement,
  update,
} from "./dom.js";
import { buildStrip, showCells } from "./overview.js";
import { fetchJson, incidentUrl, viewUrl } from "./state.js";
import { calmnessOf } from "./status.js";

const stateTone = ({ state, severity }) => (state === "firing" ? severityTones[severity] : "ok");

const incidentTable = (caption, rows) =>
  table(
    caption,
    ["severity", "incident", "endpoints", "since", "lasted", "state"],
    rows.map((incident) => [
      h(
        "span",
        { class: `nowrap${calmnessOf(incident)}` },
        mark(stateTone(incident)),
        ` ${incident.severity}`,
      ),
      h(
        "a",
        { href: incidentUrl(incident.id), "data-key": incident.id, class: calmnessOf(incident).trim() },
        incident.title,
      ),
      incident.endpoints.join(", ") || "–",
      timeElement(incident.since),
      incident.lasted,
      [
        incident.supersededBy === undefined ? incident.state : "replaced",
        incident.decision ? h("small", { class: "secondary" }, ` · ${incident.decision}`) : "",
      ],
    ]),
  );

export const list = {
  load: () => fetchJson("/api/incidents"),
  render(container, { data }) {
    update(container, data, () => [
      h("h2", {}, "Incidents"),
      data.open.length === 0 ? empty("No incident is firing.") : incidentTable("Firing incidents", data.open),
      h("h3", {}, `Resolved (${data.resolved.length})`),
      data.resolved.length === 0
        ? empty("None in the last 60 days.")
        : incidentTable("Resolved incidents, the latest first", data.resolved),
    ]);
  },
};

const back = (path, text) =>
  h("p", { class: "back" }, h("a", { href: viewUrl(path), "data-key": "back" }, `← ${text}`));

export const one = {
  async load({ id }) {
    const query = `?id=${encodeURIComponent(id)}`;
    const [shown, deliveries] = await Promise.all([
      fetchJson(`/api/incident${query}`),
      fetchJson(`/api/deliveries${query}`),
    ]);
    return { ...shown, deliveries };
  },
  render(container, { data }) {
    const { incident, links, checks, notifications, occurrences, decisions } = data;
    update(container, data, () => [
      back("/incidents", "Incidents"),
      h(
        "div",
        { class: "heading" },
        h("h2", { class: calmnessOf(incident).trim() }, mark(stateTone(incident)), " ", incident.title),
        incident.state === "firing" && h("div", { class: "actions" }, decisionButtons(incident, "view")),
      ),
      h(
        "p",
        { class: "secondary" },
        `${incident.severity.toUpperCase()} · `,
        showState(incident),
        incident.decision ? ` · ${incident.decision}` : "",
      ),
      h("div", { class: "columns" }, showFacts(incident, links, occurrences), showNextSteps(incident, links)),
      h("h3", {}, "Notifications"),
      notifications.length === 0
        ? empty("No notifications sent.")
        : showNotifications(notifications, data.deliveries),
      decisions.length > 0 && [h("h3", {}, "Decisions"), showDecisions(decisions)],
      h("h3", {}, "Checks"),
      showTimeline(incident, checks),
      h("h3", {}, "Other occurrences"),
      occurrences.length === 0
        ? empty("None in the last 60 days.")
        : table(
            "Other incidents of this rule",
            ["since", "incident", "lasted", "state"],
            occurrences.map(({ id, since, title, lasted, state }) => [
              timeElement(since),
              h("a", { href: incidentUrl(id), "data-key": id }, title),
              lasted,
              state,
            ]),
          ),
    ]);
  },
};

function showState({ state, lasted, supersededBy }) {
  if (supersededBy !== undefined)
    return ["replaced by ", h("a", { href: incidentUrl(supersededBy) }, supersededBy)];
  return state === "firing" ? `firing for ${lasted}` : `${state}, lasted ${lasted}`;
}

const maxRows = 15;

/** All of them as a strip, the latest as a table. */
function showTimeline({ title, endpoints }, checks) {
  if (checks.length === 0) return empty("The checks of this incident are no longer kept.");
  const cells = checks.toReversed().map((row) => ({
    from: row.at,
    id: row.id,
    tone: toneOf(row),
    text: `${row.endpoint}: ${row.word}${row.breaking > 0 ? `, ${plural(row.breaking, "breaking difference")}` : ""}`,
  }));
  const strip = buildStrip(`Checks of ${title}`);
  strip.append(...showCells(cells));
  const [endpoint] = endpoints;
  return [
    strip,
    showChecks(`Checks of ${title}, newest first`, checks.slice(0, maxRows)),
    checks.length > maxRows &&
      h("p", {}, h("a", { href: viewUrl("/checks", { endpoint }) }, `All checks of ${endpoint}`)),
  ];
}

function showFacts(
  { evidence, since, openedAt, resolvedAt, endpoints, id, facts, rule },
  links,
  occurrences,
) {
  return h(
    "section",
    {},
    h("h3", {}, "Facts"),
    h(
      "ul",
      { class: "facts" },
      evidence.map((line) => h("li", {}, line)),
    ),
    pairs([
      ["First bad check", timeElement(since, { seconds: true })],
      facts.lastGoodBeforeAt && ["Last good before", timeElement(facts.lastGoodBeforeAt, { seconds: true })],
      openedAt && ["Opened", timeElement(openedAt, { seconds: true })],
      resolvedAt && ["Resolved", timeElement(resolvedAt, { seconds: true })],
      ["Endpoints", endpoints.join(", ") || "none"],
      ["Rule", rule],
      ["Reopened", plural(occurrences.length, "time")],
      ["Id", h("code", {}, id)],
      links.page && ["Link", h("a", { href: links.page }, links.page)],
    ]),
  );
}

function showNextSteps({ impact, steps, reproduce, runbook }, links) {
  return h(
    "section",
    {},
    h("h3", {}, "Impact"),
    h("p", {}, impact),
    h("h3", {}, "Next steps"),
    h(
      "ol",
      {},
      steps.map((step) => h("li", {}, prose(step))),
    ),
    h(
      "p",
      {},
      "Runbook: ",
      links.runbook
        ? h("a", { href: links.runbook }, links.runbook)
        : h("code", {}, `docs/use/runbook.md#${runbook}`),
    ),
    h("h3", {}, "Reproduce"),
    h("pre", { class: "command", tabindex: "0" }, reproduce),
  );
}

const deliveryTones = { delivered: "ok", waiting: "warning", "set-aside": "critical" };

function showNotifications(notifications, deliveries) {
  const delivery = (id) => {
    const rows = deliveries.filter(({ alert }) => alert === id);
    if (rows.length === 0) return "–";
    return rows.map(({ channel, state, at, why }) =>
      h(
        "div",
        {},
        mark(deliveryTones[state] ?? "unknown"),
        ` ${channel}: ${state}${at ? ` ${formatTime(at)}` : ""}${why ? ` (${why})` : ""}`,
      ),
    );
  };
  return table(
    "Notifications about this incident",
    ["time", "event", "message", "delivery"],
    notifications.map(({ id, at, event, subject }) => [
      timeElement(at, { seconds: true }),
      event,
      h("a", { href: viewUrl("/notifications", { id }), "data-key": id }, subject),
      delivery(id),
    ]),
  );
}

const showDecisions = (decisions) =>
  table(
    "Decisions",
    ["time", "decision", "about", "reason", "until"],
    decisions.map(({ kind, subject, reason, at, until }) => [
      timeElement(at),
      kind,
      h("code", {}, subject),
      reason,
      until ? timeElement(until) : "–",
    ]),
  );
