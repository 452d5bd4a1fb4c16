// The parts of the page, each from its part of /api/summary.
import { draw, h, mark, plural, show, table, when } from "./element.js";

const at = (id) => document.getElementById(id);

const levelWords = {
  calm: "CALM",
  watch: "WATCH",
  warning: "WARNING",
  imminent: "IMMINENT",
  retired: "RETIRED",
  unknown: "UNKNOWN",
};

const sources = {
  configured: "from the configuration",
  "sunset-all": "from its Sunset header, on all endpoints",
  "sunset-some": "from its Sunset header, on some endpoints",
};

export function showVerdict({ verdict, budget, mode, every, baseUrl, simulation, health, now }) {
  show(at("mode"), [mode, every, baseUrl, simulation?.scenario, mode === "demo" ? now : ""], () => {
    const clock = mode === "demo" ? ` · ${now.slice(0, 16).replace("T", " ")} on the demo's clock` : "";
    const what =
      mode === "watch" ? `V1 at ${baseUrl}` : `V1, simulated: ${simulation?.scenario ?? "healthy"}`;
    return h("span", {}, `${what} · every ${every}${clock}`);
  });
  show(at("verdict"), [verdict, budget.text, budget.held, budget.left], () => [
    h("h1", {}, mark(verdict.tone), " ", verdict.sentence),
    h(
      "div",
      { class: "row outlook" },
      h(
        "details",
        { "data-key": "why", class: "why" },
        h(
          "summary",
          { "data-key": "why-summary" },
          h("strong", { class: `level ${verdict.tone}` }, levelWords[verdict.level]),
          verdict.date
            ? h("span", { class: "date" }, ` ${countdown(verdict)} · ${verdict.date} · why`)
            : h("span", { class: "date" }, " why"),
        ),
        h("p", {}, verdict.headline),
        h(
          "ul",
          {},
          verdict.reasons.map((reason) => h("li", {}, reason)),
          verdict.next && h("li", {}, verdict.next),
        ),
        h(
          "p",
          { class: "quiet" },
          verdict.confidence === undefined ? "" : `Confidence ${verdict.confidence}. `,
          verdict.dateSource ? `The date is ${sources[verdict.dateSource]}.` : "",
        ),
      ),
      h("div", { class: "budget", title: budget.text }, draw(budget.drawing), h("span", {}, budget.text)),
    ),
    budget.held.length > 0 && h("p", { class: "quiet" }, `Waiting: ${budget.held.join("; ")}`),
  ]);
  show(at("degraded"), [health.state, health.why, health.undelivered], () => [
    health.state === "DEGRADED" &&
      h(
        "p",
        { class: "degraded" },
        mark("broken"),
        ` DEGRADED: the store does not take what is seen (${health.why}). Probing goes on.`,
      ),
    health.undelivered > 0 &&
      h(
        "p",
        { class: "degraded" },
        mark("look"),
        ` ${plural(health.undelivered, "alert")} not delivered yet; tried again at every tick.`,
      ),
  ]);
}

function countdown({ daysLeft, level }) {
  if (daysLeft === undefined || level === "retired") return "";
  if (daysLeft < 0) return `${plural(-daysLeft, "day")} past its date`;
  return daysLeft === 0 ? "today" : `${plural(daysLeft, "day")} left`;
}

export function showCards({ cards }, openList) {
  show(at("cards"), cards, () =>
    cards.map((card) =>
      h(
        "article",
        { class: "card", "aria-label": card.endpoint },
        h("h2", {}, card.endpoint),
        h("p", { class: "word" }, mark(card.tone), " ", card.word),
        h(
          "dl",
          {},
          card.measures.map((measure) =>
            h(
              "div",
              { class: `measure ${measure.name}`, title: measure.threshold },
              h("dt", {}, measure.label),
              h(
                "dd",
                {},
                h(
                  "button",
                  {
                    type: "button",
                    class: `number ${measure.tone}`,
                    "data-key": `${card.endpoint} ${measure.name}`,
                    "aria-label": `${measure.label}: ${measure.text}. Show the observations of ${card.endpoint}`,
                    onclick: () => openList(card.endpoint),
                  },
                  measure.tone === "look" || measure.tone === "broken" ? [mark(measure.tone), " "] : [],
                  measure.text,
                ),
                measure.drawing && draw(measure.drawing),
              ),
            ),
          ),
        ),
      ),
    ),
  );
}

const ranges = ["1h", "24h", "7d", "30d", "all"];

export function showTimeline({ timeline, range }, choose) {
  show(at("ranges"), range, () =>
    ranges.map((name) =>
      h(
        "button",
        {
          type: "button",
          "data-key": name,
          "aria-pressed": String(name === range),
          onclick: () => choose(name),
        },
        name,
      ),
    ),
  );
  show(at("lanes"), timeline, () => [
    timeline.lanes.length === 0
      ? h("p", { class: "quiet" }, "No incident in this range.")
      : timeline.lanes.map(({ label, times, drawing }) =>
          h(
            "div",
            { class: "lane" },
            h("span", { class: "name" }, label, times > 1 ? h("small", {}, ` ${times}×`) : ""),
            draw(drawing),
          ),
        ),
    h("div", { class: "lane" }, h("span", { class: "name" }), draw(timeline.axis)),
  ]);
}

export function showContents({ incidents, drift, gaps, notices, told, readiness }) {
  const seen = gaps.filter(({ status }) => status !== "open").length;
  const rows = [
    ["#incidents", `open incidents (${incidents.open.length})`],
    ["#drift", `drift (${drift.total})`],
    ["#gaps", `gaps (${seen} of ${gaps.length} observed)`],
    ["#notices", `notices (${notices.current.length})`],
    ["#told", `told (${told.length})`],
    ...(readiness ? [["#readiness", `readiness: ${blockersText(readiness)}`]] : []),
  ];
  show(at("contents"), rows, () => rows.map(([href, text]) => h("a", { href, "data-key": href }, text)));
}

const blockersText = ({ gates }) => {
  const blockers = gates.filter(({ state }) => state !== "pass").length;
  return blockers === 0 ? "ready" : plural(blockers, "blocker");
};

const gateTones = { pass: "ok", fail: "broken", unknown: "unknown" };

export function showReadiness({ readiness }) {
  at("readiness").hidden = !readiness;
  if (!readiness) return;
  show(at("gates"), readiness, () => [
    h("p", {}, readiness.sentence),
    table(
      "Gates before leaving V1",
      ["state", "gate", "evidence", "next"],
      readiness.gates.map(({ state, title, evidence, next }) => [
        [mark(gateTones[state]), ` ${state}`],
        title,
        evidence.join("; "),
        next,
      ]),
    ),
  ]);
}

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
  show(at("past"), incidents.past, () =>
    incidents.past.length === 0
      ? []
      : h(
          "details",
          { "data-key": "past" },
          h("summary", { "data-key": "past-summary" }, `${plural(incidents.past.length, "past incident")}`),
          h("ul", { class: "plain" }, incidents.past.map(line)),
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
        { class: "together", title: `in ${row.seen} of ${row.chances} responses` },
        `${row.count} of ${row.of}`,
      ),
      when(row.firstSeen),
      when(row.lastSeen),
      [row.means, row.isChange ? "" : h("small", { class: "quiet" }, " · so since the first look")],
    ]),
  );

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
  show(at("drift-rows"), [rows, drift.total, isFiltered], () => {
    if (drift.total === 0) return h("p", { class: "quiet" }, "As documented: no difference was ever seen.");
    if (rows.length === 0) return h("p", { class: "quiet" }, "Nothing fits the filter.");
    const beyond = drift.total - drift.rows.length;
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

export function showFooter({ observations, firstAt }) {
  const links = [
    ["/api/openapi.json", "API"],
    ["/metrics", "metrics"],
    ["/healthz", "health"],
    ["/badge.svg", "badge"],
  ];
  show(at("footer"), [observations, firstAt], () => [
    h(
      "p",
      {},
      `${plural(observations, "observation")}`,
      firstAt ? [" since ", when(firstAt)] : "",
      ". All times are UTC.",
    ),
    h(
      "p",
      {},
      links.map(([href, text]) => [h("a", { href }, text), " "]),
    ),
  ]);
}
