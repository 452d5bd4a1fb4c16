// The page: asks for what is true, draws it, and asks again when the server says that something changed.
import { openAlert, openIncident, openList } from "./dialogs.js";
import { ago, at, h, show } from "./element.js";
import * as ledgers from "./ledgers.js";
import * as view from "./view.js";

let range = sessionStorage.getItem("range") ?? "";
let summary;
let receivedMs = 0;
let isLive = false;

// The token comes in the fragment, which no server and no log ever sees, and leaves the address at once.
const given = /^#token=([\w-]{8,200})$/.exec(location.hash)?.[1];
if (given) {
  sessionStorage.setItem("token", given);
  history.replaceState(null, "", location.pathname);
}

function render() {
  if (!summary) return;
  view.showVerdict(summary);
  view.showCards(summary, openList);
  view.showTimeline(summary, chooseRange);
  view.showContents(summary);
  ledgers.showIncidents(summary, openIncident);
  ledgers.showDrift(summary, { text: at("drift-text").value, level: at("drift-level").value });
  ledgers.showGaps(summary);
  ledgers.showNotices(summary);
  ledgers.showTold(summary, openAlert);
  view.showReadiness(summary);
  view.showFooter(summary);
  showPanel(summary.mode === "simulator" ? summary.simulation : undefined);
  document.title = `${summary.incidents.open.length > 0 ? `(${summary.incidents.open.length}) ` : ""}${summary.verdict.sentence}`;
  showLive();
}

function showLive() {
  const tickMs = summary?.lastTickAt && Date.parse(summary.now) - Date.parse(summary.lastTickAt);
  const age =
    tickMs === undefined ? "" : ` · ${ago(tickMs + (summary.mode === "demo" ? 0 : Date.now() - receivedMs))}`;
  show(at("live"), [isLive, age], () => [
    h("span", { class: `mark ${isLive ? "ok" : "unknown"}`, "aria-hidden": "true" }, isLive ? "●" : "○"),
    isLive ? ` live${age}` : " not connected; trying again",
  ]);
}

let asking = false;
let again = false;

/** One question at a time; what comes meanwhile is one more question. */
async function refresh() {
  if (asking) {
    again = true;
    return;
  }
  asking = true;
  try {
    const response = await fetch(`/api/summary${range && `?range=${range}`}`);
    if (response.ok) {
      summary = await response.json();
      receivedMs = Date.now();
      render();
    }
  } catch {
    // The stream's own error shows that the server is away.
  }
  // A demo's clock ticks many times a second; eyes do not.
  setTimeout(() => {
    asking = false;
    if (again) refresh();
    again = false;
  }, 250);
}

function chooseRange(name) {
  range = name;
  sessionStorage.setItem("range", name);
  refresh();
}

async function post(path, body) {
  const token = sessionStorage.getItem("token") ?? "";
  const response = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  if (response.ok) return "";
  const { error } = await response.json();
  if (response.status === 401) {
    sessionStorage.removeItem("token");
    at("token-row").hidden = false;
  }
  return error;
}

let playing;

function showPanel(simulation) {
  at("simulation").hidden = !simulation;
  if (!simulation) return;
  show(at("panel"), [simulation.effects, simulation.scenarios], () => buildPanel(simulation));
  const { scenario, injected } = simulation;
  // Only when it changes: a choice that is not started yet stays.
  if (scenario !== playing) at("scenario").value = playing = scenario;
  show(at("broken"), [scenario, injected], () =>
    injected.length === 0 && scenario === "healthy"
      ? h("span", {}, "V1 is whole.")
      : h(
          "span",
          {},
          `Scenario ${scenario}${injected.length > 0 ? `; injected: ${injected.join(", ")}` : ""}.`,
        ),
  );
}

function buildPanel({ effects, scenarios }) {
  const act = (path, body) => async (event) => {
    event.preventDefault();
    const error = await post(path, body());
    show(at("answer"), [error, Date.now()], () => h("span", {}, error));
    refresh();
  };
  const option = (value, summaryText) =>
    h("option", { value, title: summaryText }, summaryText ? `${value}: ${summaryText}` : value);
  const select = (id, options) => h("select", { id }, options);
  const value = (id) => at(id).value;
  return [
    h(
      "form",
      {
        class: "filter",
        onsubmit: act("/api/simulation/inject", () => ({
          kind: value("effect"),
          ...(value("aim") && { endpoint: value("aim") }),
        })),
      },
      h(
        "label",
        {},
        "Effect ",
        select(
          "effect",
          effects.map(({ kind, summary: text }) => option(kind, text)),
        ),
      ),
      h(
        "label",
        {},
        "on ",
        select("aim", [
          h("option", { value: "" }, "all endpoints"),
          ...["passport-list", "passport", "passport-credentials"].map((name) => h("option", {}, name)),
        ]),
      ),
      h("button", { type: "submit", id: "inject" }, "Inject"),
    ),
    h(
      "form",
      { class: "filter", onsubmit: act("/api/simulation/scenario", () => ({ name: value("scenario") })) },
      h(
        "label",
        {},
        "Scenario ",
        select(
          "scenario",
          scenarios.map(({ name, summary: text }) => option(name, text)),
        ),
      ),
      h("button", { type: "submit", id: "start" }, "Start"),
      h(
        "button",
        { type: "button", id: "clear", onclick: act("/api/simulation/clear", () => ({})) },
        "Make V1 whole again",
      ),
    ),
    h(
      "form",
      {
        id: "token-row",
        class: "filter",
        onsubmit: (event) => event.preventDefault(),
        hidden: sessionStorage.getItem("token") !== null,
      },
      h(
        "label",
        {},
        "Token, printed at the start ",
        h("input", {
          id: "token",
          type: "password",
          autocomplete: "off",
          size: "26",
          onchange: (event) => sessionStorage.setItem("token", event.target.value.trim()),
        }),
      ),
    ),
    h(
      "p",
      { class: "quiet", role: "status" },
      h("span", { id: "broken" }),
      " ",
      h("span", { id: "answer", class: "problem" }),
    ),
  ];
}

at("drift-filter").addEventListener("input", render);
at("drift-filter").addEventListener("submit", (event) => event.preventDefault());

const stream = new EventSource("/api/events");
stream.addEventListener("open", () => {
  isLive = true;
  showLive();
});
stream.addEventListener("error", () => {
  isLive = false;
  showLive();
});
for (const name of ["tick", "told", "simulation"]) stream.addEventListener(name, refresh);
setInterval(showLive, 1000);
refresh();
