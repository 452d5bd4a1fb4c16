// The lists of the page: incidents, drift, gaps, notices and what was told, each from its part of /api/summary.
import { at, h, mark, plural, show, table, when } from "./element.js";

const severityTones = { page: "broken", warning: "look", info: "unknown" };

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
        { class: "quiet" },
        ` ${state === "open" ? severity : "over"} · since `,
        when(since),
        ` · ${lasted}`,
      ),
      state === "open" && incident.evidence[0] && h("p", { class: "evidence" }, incident.evidence[0]),
      incident.decision && h("p", { class: "quiet" }, incident.decision),
    );
  };
  show(at("open"), incidents.open, () =>
    incidents.open.length === 0
      ? h("p", { class: "quiet" }, "None is open.")
      : h("ul", { class: "plain" }, incidents.open.map(line)),
  );
  show(at("past"), incidents.resolved, () =>
    incidents.resolved.length === 0
      ? []
      : h(
          "details",
          { "data-key": "past" },
          h(
            "summary",
            { "data-key": "past-summary" },
            `${plural(incidents.resolved.length, "past incident")}`,
          ),
          h("ul", { class: "plain" }, incidents.resolved.map(line)),
        ),
  );
}

const driftColumns = ["level", "where", "what", "records", "first seen", "last seen", "for a consumer"];

const driftTable = (caption, rows) =>
  table(
    caption,
    driftColumns,
    rows.map((row) => [
      [
        mark(row.level === "breaking" && row.isPresent ? "look" : "unknown"),
        ` ${row.level}`,
        row.isPresent ? "" : h("small", {}, " over"),
      ],
      [h("code", {}, row.path), h("small", { class: "quiet" }, ` ${row.endpoint}`)],
      row.change,
      h(
        "span",
        { class: "together", title: `in ${row.seen} of ${row.sampleCount} responses` },
        `${row.count} of ${row.of}`,
      ),
      when(row.firstSeen),
      when(row.lastSeen),
      [row.means, row.isChange ? "" : h("small", { class: "quiet" }, " · so since the first look")],
    ]),
  );

/** As documented only where there was data to compare. */
function tellNoDrift(judged, unseen) {
  if (judged === 0) return "V1 has shown nothing yet that could be compared with its document.";
  const rest = unseen.length > 0 ? ` Not known of ${unseen.join(", ")}: no data was seen there yet.` : "";
  return `As documented: no difference was ever seen in ${plural(judged, "answer")}.${rest}`;
}

/** What breaks code is in sight; what does not is one click away, or found by the filter. */
export function showDrift({ drift }, { text, level }) {
  const wanted = text.trim().toLowerCase();
  const isFiltered = wanted !== "" || level !== "";
  const rows = drift.rows.filter(
    (row) =>
      (level === "" || row.level === level) &&
      (wanted === "" ||
        `${row.endpoint} ${row.path} ${row.change} ${row.kind}`.toLowerCase().includes(wanted)),
  );
  const { total, judged, unseen } = drift;
  show(at("drift-rows"), [rows, total, total === 0 && [judged, unseen], isFiltered], () => {
    if (total === 0) return h("p", { class: "quiet" }, tellNoDrift(judged, unseen));
    if (rows.length === 0) return h("p", { class: "quiet" }, "Nothing fits the filter.");
    const beyond = total - drift.rows.length;
    const more =
      beyond > 0 &&
      h("p", { class: "quiet" }, `${beyond} more: `, h("a", { href: "/api/drift" }, "/api/drift"));
    if (isFiltered) return [driftTable(`${plural(rows.length, "difference")} by the filter`, rows), more];
    const breaking = rows.filter((row) => row.level === "breaking");
    const rest = rows.filter((row) => row.level !== "breaking");
    return [
      breaking.length > 0
        ? driftTable("What breaks V1's document", breaking)
        : h("p", { class: "quiet" }, "Nothing breaks V1's document."),
      rest.length > 0 &&
        h(
          "details",
          { "data-key": "harmless" },
          h("summary", { "data-key": "harmless-summary" }, `${plural(rest.length, "harmless difference")}`),
          driftTable("Harmless differences from V1's document", rest),
          more,
        ),
    ];
  });
}

const gapTones = { open: "unknown", observed: "ok", CHANGED: "look" };

export function showGaps({ gaps, observations }) {
  show(at("gap-rows"), [gaps], () => [
    h(
      "p",
      { class: "quiet" },
      `What V1's document does not say, and what ${plural(observations, "response")} showed.`,
    ),
    table(
      "Gaps of V1's document",
      ["section", "question", "status", "seen"],
      gaps.map(({ section, question, status, summary }) => [
        section,
        question,
        [mark(gapTones[status]), ` ${status}`],
        summary,
      ]),
    ),
  ]);
}

export function showNotices({ notices }) {
  show(at("notice-rows"), notices, () => [
    notices.current.length === 0
      ? h("p", { class: "quiet" }, "V1's headers say nothing about its end.")
      : h(
          "ul",
          { class: "plain" },
          notices.current.map(({ header, endpoints, date, since }) =>
            h(
              "li",
              {},
              mark("look"),
              ` ${header} ${date ?? "without a date that can be read"} on ${endpoints.join(", ")}, since `,
              when(since),
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
          { class: "plain" },
          notices.events.map(({ at: instant, text }) => h("li", {}, when(instant), ` ${text}`)),
        ),
      ),
  ]);
}

export function showTold({ told }, openAlert) {
  show(at("told-rows"), told, () =>
    told.length === 0
      ? h("p", { class: "quiet" }, "Nobody had to be told anything yet.")
      : h(
          "ul",
          { class: "plain" },
          told.map(({ id, at: instant, event, severity, subject }) =>
            h(
              "li",
              {},
              mark(event === "resolved" ? "ok" : severityTones[severity]),
              " ",
              when(instant),
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
