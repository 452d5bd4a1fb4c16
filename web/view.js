// What is so now: verdict, endpoints, timeline and readiness, each from its part of /api/summary.
import { at, draw, h, mark, plural, show, table, when } from "./element.js";

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
  show(at("verdict"), [verdict, budget.text, budget.deferred, budget.left], () => [
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
          "outlook ",
          h("strong", { class: `level ${verdict.levelTone}` }, levelWords[verdict.level]),
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
    budget.deferred.length > 0 && h("p", { class: "quiet" }, `Waiting: ${budget.deferred.join("; ")}`),
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
