// The overview of the page, each part from /api/summary: verdict, endpoints, timeline, section links, readiness.
import { byId, draw, h, mark, plural, table, timeElement, update } from "./dom.js";

/** The retirement risk for each outlook level. */
const riskNames = {
  low: "LOW",
  elevated: "ELEVATED",
  high: "HIGH",
  imminent: "IMMINENT",
  retired: "RETIRED",
  unknown: "UNKNOWN",
};

const dateSources = {
  configured: "from the configuration",
  sunset: "from the Sunset header",
};

export function showVerdict({ verdict, budget, mode, every, baseUrl, simulation, health }) {
  update(byId("mode"), [mode, every, baseUrl, simulation?.scenario], () => {
    const target =
      mode === "watch" ? `V1 at ${baseUrl}` : `Simulated V1, scenario ${simulation?.scenario ?? "healthy"}`;
    return h("span", {}, `${target} · checked every ${every}`);
  });
  update(byId("verdict"), [verdict, budget.text, budget.deferred, budget.left], () => [
    h("h1", {}, mark(verdict.tone), " ", verdict.sentence),
    h(
      "div",
      { class: "row risk" },
      h(
        "details",
        { "data-key": "risk", class: "risk-details" },
        h(
          "summary",
          { "data-key": "risk-summary" },
          "Retirement risk: ",
          h("strong", { class: `level ${verdict.levelTone}` }, riskNames[verdict.level]),
          verdict.date
            ? h("span", { class: "date" }, ` ${countdown(verdict)} · ${verdict.date} · reasons`)
            : h("span", { class: "date" }, " reasons"),
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
          { class: "secondary" },
          verdict.dateSource ? `The date is ${dateSources[verdict.dateSource]}.` : "",
        ),
      ),
      h("div", { class: "budget", title: budget.text }, draw(budget.drawing), h("span", {}, budget.text)),
    ),
    budget.deferred.length > 0 && h("p", { class: "secondary" }, `Deferred: ${budget.deferred.join("; ")}`),
  ]);
  update(byId("degraded"), [health.state, health.why, health.undelivered, health.subscriptions], () => [
    health.state === "DEGRADED" &&
      h(
        "p",
        { class: "degraded" },
        mark("critical"),
        ` DEGRADED: the store cannot save observations (${health.why}). Checks continue.`,
      ),
    health.undelivered > 0 &&
      h(
        "p",
        { class: "degraded" },
        mark("warning"),
        ` ${plural(health.undelivered, "alert")} not delivered yet; retried at every tick.`,
      ),
    health.subscriptions && h("p", { class: "degraded" }, mark("warning"), ` ${health.subscriptions}`),
  ]);
}

function countdown({ daysLeft, level }) {
  if (daysLeft === undefined || level === "retired") return "";
  if (daysLeft < 0) return `${plural(-daysLeft, "day")} overdue`;
  return daysLeft === 0 ? "today" : `${plural(daysLeft, "day")} left`;
}

export function showCards({ cards }, openObservations) {
  update(byId("cards"), cards, () =>
    cards.map((card) =>
      h(
        "article",
        { class: "card", "aria-label": card.endpoint },
        h("h2", {}, card.endpoint),
        h("p", { class: "card-status" }, mark(card.tone), " ", card.word),
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
                    onclick: () => openObservations(card.endpoint),
                  },
                  measure.tone === "warning" || measure.tone === "critical" ? [mark(measure.tone), " "] : [],
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
  update(byId("ranges"), range, () =>
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
  update(byId("timeline-lanes"), timeline, () => [
    timeline.lanes.length === 0
      ? h("p", { class: "secondary" }, "No incidents in this range.")
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

export function showSectionLinks({ incidents, drift, gaps, notices, sentAlerts, readiness }) {
  const observed = gaps.filter(({ status }) => status !== "open").length;
  const rows = [
    ["#incidents", `open incidents (${incidents.open.length})`],
    ["#drift", `drift (${drift.total})`],
    ["#undocumented", `undocumented behaviour (${observed} of ${gaps.length} observed)`],
    ["#deprecation-headers", `deprecation headers (${notices.current.length})`],
    ["#notifications", `notifications (${sentAlerts.length})`],
    ...(readiness ? [["#readiness", `readiness: ${blockersText(readiness)}`]] : []),
  ];
  update(byId("section-links"), rows, () =>
    rows.map(([href, text]) => h("a", { href, "data-key": href }, text)),
  );
}

const blockersText = ({ gates }) => {
  const blockers = gates.filter(({ state }) => state !== "pass").length;
  return blockers === 0 ? "ready" : plural(blockers, "blocker");
};

const gateTones = { pass: "ok", fail: "critical", unknown: "unknown" };

export function showReadiness({ readiness }) {
  byId("readiness").hidden = !readiness;
  if (!readiness) return;
  update(byId("readiness-gates"), readiness, () => [
    h("p", {}, readiness.sentence),
    table(
      "Readiness gates for the migration from V1",
      ["state", "gate", "evidence", "next step"],
      readiness.gates.map(({ state, title, evidence, next }) => [
        [mark(gateTones[state]), ` ${state}`],
        title,
        evidence.join("; "),
        next,
      ]),
    ),
  ]);
}

export function showFooter({ observations, firstAt }) {
  const links = [
    ["/api/openapi.json", "API"],
    ["/metrics", "metrics"],
    ["/healthz", "health"],
    ["/badge.svg", "badge"],
  ];
  update(byId("footer"), [observations, firstAt], () => [
    h(
      "p",
      {},
      `${plural(observations, "observation")}`,
      firstAt ? [" since ", timeElement(firstAt)] : "",
      ". All times are UTC.",
    ),
    h(
      "p",
      {},
      links.map(([href, text]) => [h("a", { href }, text), " "]),
    ),
  ]);
}
