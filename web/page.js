// The entry script of the page: fetches /api/summary, renders it, and refreshes on every server-sent event.
import { openAlert, openIncident, openObservations } from "./dialogs.js";
import { byId, describeAge, h, update } from "./dom.js";
import * as overview from "./overview.js";
import * as sections from "./sections.js";

let range = sessionStorage.getItem("range") ?? "";
let summary;
let receivedMs = 0;
let isConnected = false;

// The token is passed in the URL fragment, which is never sent to a server, and is removed from the URL at once.
const tokenInUrl = /^#token=([\w-]{8,200})$/.exec(location.hash)?.[1];
if (tokenInUrl) {
  sessionStorage.setItem("token", tokenInUrl);
  history.replaceState(null, "", location.pathname);
}

function render() {
  if (!summary) return;
  overview.showVerdict(summary);
  overview.showCards(summary, openObservations);
  overview.showTimeline(summary, chooseRange);
  overview.showSectionLinks(summary);
  sections.showIncidents(summary, openIncident);
  sections.showDrift(summary, { text: byId("drift-text").value, level: byId("drift-level").value });
  sections.showUndocumented(summary);
  sections.showDeprecationHeaders(summary);
  sections.showNotifications(summary, openAlert);
  overview.showReadiness(summary);
  overview.showFooter(summary);
  showPanel(summary.mode === "simulator" ? summary.simulation : undefined, summary.cards);
  document.title = `${summary.incidents.open.length > 0 ? `(${summary.incidents.open.length}) ` : ""}${summary.verdict.sentence}`;
  showConnection();
}

function showConnection() {
  const tickMs = summary?.lastTickAt && Date.parse(summary.now) - Date.parse(summary.lastTickAt);
  const age = tickMs === undefined ? "" : ` · last tick ${describeAge(tickMs + Date.now() - receivedMs)}`;
  update(byId("connection"), [isConnected, age], () => [
    h(
      "span",
      { class: `mark ${isConnected ? "ok" : "unknown"}`, "aria-hidden": "true" },
      isConnected ? "●" : "○",
    ),
    isConnected ? ` connected${age}` : " disconnected; reconnecting",
  ]);
}

let isFetching = false;
let isRefreshPending = false;

/** Runs one request at a time; refreshes that are requested meanwhile become one more request. */
async function refresh() {
  if (isFetching) {
    isRefreshPending = true;
    return;
  }
  isFetching = true;
  try {
    const response = await fetch(`/api/summary${range && `?range=${range}`}`);
    if (response.ok) {
      summary = await response.json();
      receivedMs = Date.now();
      render();
    }
  } catch {
    // The error handler of the event stream shows that the server is unreachable.
  }
  // Limits the refresh rate, because the simulator may have several ticks a second.
  setTimeout(() => {
    isFetching = false;
    if (isRefreshPending) refresh();
    isRefreshPending = false;
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
    byId("token-row").hidden = false;
  }
  return error;
}

let runningScenario;

function showPanel(simulation, cards) {
  byId("simulation").hidden = !simulation;
  if (!simulation) return;
  update(byId("simulation-panel"), [simulation.effects, simulation.scenarios], () =>
    buildPanel(
      simulation,
      cards.map(({ endpoint }) => endpoint),
    ),
  );
  const { scenario, injected } = simulation;
  // Set only when the running scenario changes, so that a selection that is not started yet is kept.
  if (scenario !== runningScenario) byId("scenario").value = runningScenario = scenario;
  update(byId("fault-status"), [scenario, injected], () =>
    injected.length === 0 && scenario === "healthy"
      ? h("span", {}, "No faults injected.")
      : h(
          "span",
          {},
          `Scenario ${scenario}${injected.length > 0 ? `; injected: ${injected.join(", ")}` : ""}.`,
        ),
  );
}

function buildPanel({ effects, scenarios }, endpoints) {
  const submit = (path, body) => async (event) => {
    event.preventDefault();
    const error = await post(path, body());
    update(byId("panel-error"), [error, Date.now()], () => h("span", {}, error));
    refresh();
  };
  const option = (value, summaryText) =>
    h("option", { value, title: summaryText }, summaryText ? `${value}: ${summaryText}` : value);
  const select = (id, options) => h("select", { id }, options);
  const value = (id) => byId(id).value;
  return [
    h(
      "form",
      {
        class: "filter",
        onsubmit: submit("/api/simulation/inject", () => ({
          kind: value("effect"),
          ...(value("effect-endpoint") && { endpoint: value("effect-endpoint") }),
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
        "Endpoint ",
        select("effect-endpoint", [
          h("option", { value: "" }, "all endpoints"),
          ...endpoints.map((name) => h("option", {}, name)),
        ]),
      ),
      h("button", { type: "submit", id: "inject" }, "Inject"),
    ),
    h(
      "form",
      { class: "filter", onsubmit: submit("/api/simulation/scenario", () => ({ name: value("scenario") })) },
      h(
        "label",
        {},
        "Scenario ",
        select(
          "scenario",
          scenarios.map(({ name, summary: text }) => option(name, text)),
        ),
      ),
      h("button", { type: "submit", id: "start-scenario" }, "Start"),
      h(
        "button",
        { type: "button", id: "clear-faults", onclick: submit("/api/simulation/clear", () => ({})) },
        "Clear all faults",
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
        "Token (printed by v1watch up) ",
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
      { class: "secondary", role: "status" },
      h("span", { id: "fault-status" }),
      " ",
      h("span", { id: "panel-error", class: "error" }),
    ),
  ];
}

byId("drift-filter").addEventListener("input", render);
byId("drift-filter").addEventListener("submit", (event) => event.preventDefault());

const stream = new EventSource("/api/events");
stream.addEventListener("open", () => {
  isConnected = true;
  showConnection();
});
stream.addEventListener("error", () => {
  isConnected = false;
  showConnection();
});
for (const name of ["tick", "alert-sent", "simulation"]) stream.addEventListener(name, refresh);
setInterval(showConnection, 1000);
refresh();
