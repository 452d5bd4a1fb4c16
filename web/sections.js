// The lower sections of the page, each from its part of /api/summary: incidents, drift, undocumented behaviour,
// deprecation headers and notifications.
import { byId, h, mark, plural, table, timeElement, update } from "./dom.js";

const severityTones = { page: "critical", warning: "warning", info: "unknown" };

export function showIncidents({ incidents }, openIncident) {
  const line = (incident) => {
    const { id, title, severity, state, since, lasted } = incident;
    return h(
      "li",
      { class: "incident", "data-incident": id, "data-state": state },
      mark(state === "open" ? severityTones[severity] : "ok"),
      " ",
      h(
        "button",
        {
          type: "button",
          class: "link",
          "data-key": `${id} ${since}`,
          onclick: () => openIncident(incident),
        },
        title,
      ),
      h(
        "span",
        { class: "secondary" },
        ` ${state === "open" ? severity : "resolved"} · since `,
        timeElement(since),
        ` · ${lasted}`,
      ),
      state === "open" && incident.evidence[0] && h("p", { class: "evidence" }, incident.evidence[0]),
      incident.decision && h("p", { class: "secondary" }, incident.decision),
    );
  };
  update(byId("open-incidents"), incidents.open, () =>
    incidents.open.length === 0
      ? h("p", { class: "secondary" }, "No open incidents.")
      : h("ul", { class: "plain-list" }, incidents.open.map(line)),
  );
  update(byId("resolved-incidents"), incidents.resolved, () =>
    incidents.resolved.length === 0
      ? []
      : h(
          "details",
          { "data-key": "resolved" },
          h(
            "summary",
            { "data-key": "resolved-summary" },
            `${plural(incidents.resolved.length, "resolved incident")}`,
          ),
          h("ul", { class: "plain-list" }, incidents.resolved.map(line)),
        ),
  );
}

const driftColumns = ["level", "field", "difference", "records", "first seen", "last seen", "impact"];

const driftTable = (caption, rows) =>
  table(
    caption,
    driftColumns,
    rows.map((row) => [
      [
        mark(row.level === "breaking" && row.isPresent ? "warning" : "unknown"),
        ` ${row.level}`,
        row.isPresent ? "" : h("small", {}, " no longer present"),
      ],
      [h("code", {}, row.path), h("small", { class: "secondary" }, ` ${row.endpoint}`)],
      row.change,
      h(
        "span",
        { class: "nowrap", title: `in ${row.seen} of ${row.sampleCount} responses` },
        `${row.count} of ${row.of}`,
      ),
      timeElement(row.firstSeen),
      timeElement(row.lastSeen),
      [row.means, row.isChange ? "" : h("small", { class: "secondary" }, " · since the first check")],
    ]),
  );

/** Says "as documented" only if at least one response could be validated. */
function describeNoDrift(judged, unseen) {
  if (judged === 0) return "No response could be validated against V1's documentation yet.";
  const rest = unseen.length > 0 ? ` Unknown for ${unseen.join(", ")}: no data received yet.` : "";
  return `As documented: no difference observed in ${plural(judged, "response")}.${rest}`;
}

/** Shows breaking differences first; the others are collapsed, unless a filter is set. */
export function showDrift({ drift }, { text, level }) {
  const searchText = text.trim().toLowerCase();
  const isFiltered = searchText !== "" || level !== "";
  const rows = drift.rows.filter(
    (row) =>
      (level === "" || row.level === level) &&
      (searchText === "" ||
        `${row.endpoint} ${row.path} ${row.change} ${row.kind}`.toLowerCase().includes(searchText)),
  );
  const { total, judged, unseen } = drift;
  update(byId("drift-rows"), [rows, total, total === 0 && [judged, unseen], isFiltered], () => {
    if (total === 0) return h("p", { class: "secondary" }, describeNoDrift(judged, unseen));
    if (rows.length === 0) return h("p", { class: "secondary" }, "No difference matches the filter.");
    const hidden = total - drift.rows.length;
    const more =
      hidden > 0 &&
      h("p", { class: "secondary" }, `${hidden} more: `, h("a", { href: "/api/drift" }, "/api/drift"));
    if (isFiltered)
      return [driftTable(`${plural(rows.length, "difference")} matching the filter`, rows), more];
    const breaking = rows.filter((row) => row.level === "breaking");
    const rest = rows.filter((row) => row.level !== "breaking");
    return [
      breaking.length > 0
        ? driftTable("Breaking differences from V1's documentation", breaking)
        : h("p", { class: "secondary" }, "No breaking differences from V1's documentation."),
      rest.length > 0 &&
        h(
          "details",
          { "data-key": "non-breaking" },
          h(
            "summary",
            { "data-key": "non-breaking-summary" },
            `${plural(rest.length, "non-breaking difference")}`,
          ),
          driftTable("Non-breaking differences from V1's documentation", rest),
          more,
        ),
    ];
  });
}

const gapTones = { open: "unknown", observed: "ok", CHANGED: "warning" };
const gapStatusTexts = { open: "not observed", observed: "observed", CHANGED: "CHANGED" };

export function showUndocumented({ gaps, observations }) {
  update(byId("undocumented-rows"), [gaps], () => [
    h(
      "p",
      { class: "secondary" },
      `Questions that V1's documentation leaves open, and what ${plural(observations, "observation")} showed.`,
    ),
    table(
      "Undocumented behaviour of V1",
      ["section", "question", "status", "observed"],
      gaps.map(({ section, question, status, summary }) => [
        section,
        question,
        [mark(gapTones[status]), ` ${gapStatusTexts[status]}`],
        summary,
      ]),
    ),
  ]);
}

export function showDeprecationHeaders({ notices }) {
  update(byId("deprecation-header-rows"), notices, () => [
    notices.current.length === 0
      ? h("p", { class: "secondary" }, "V1 sends no deprecation headers.")
      : h(
          "ul",
          { class: "plain-list" },
          notices.current.map(({ header, endpoints, date, since }) =>
            h(
              "li",
              {},
              mark("warning"),
              ` ${header} ${date ?? "without a valid date"} on ${endpoints.join(", ")}, since `,
              timeElement(since),
            ),
          ),
        ),
    notices.events.length > 0 &&
      h(
        "details",
        { "data-key": "events" },
        h("summary", { "data-key": "events-summary" }, "History"),
        h(
          "ul",
          { class: "plain-list" },
          notices.events.map(({ at: instant, text }) => h("li", {}, timeElement(instant), ` ${text}`)),
        ),
      ),
  ]);
}

export function showNotifications({ sentAlerts }, openAlert) {
  update(byId("notification-rows"), sentAlerts, () =>
    sentAlerts.length === 0
      ? h("p", { class: "secondary" }, "No notifications sent yet.")
      : h(
          "ul",
          { class: "plain-list" },
          sentAlerts.map(({ id, at: instant, event, severity, subject }) =>
            h(
              "li",
              {},
              mark(event === "resolved" ? "ok" : severityTones[severity]),
              " ",
              timeElement(instant),
              " ",
              h(
                "button",
                { type: "button", class: "link", "data-key": id, onclick: () => openAlert(id) },
                subject,
              ),
            ),
          ),
        ),
  );
}
