// The entry script: loads the summary and the data of the current view, and renders both on every change.
import * as checks from "./checks.js";
import { connect, hasStream, lostSince, noteLoaded } from "./connection.js";
import { planMaintenance } from "./decide.js";
import {
  byId,
  choices,
  describeDuration,
  empty,
  formatTime,
  h,
  mark,
  plural,
  replace,
  update,
  usesUtc,
  useUtc,
  zoneName,
} from "./dom.js";

import * as incidents from "./incidents.js";
import * as overview from "./overview.js";
import * as readiness from "./readiness.js";
import * as records from "./records.js";
import * as simulator from "./simulator.js";
import { fetchJson, onRouteChange, rangeQuery, readRoute, viewUrl } from "./state.js";
import { showStatus } from "./status.js";

/** Each view: its title, what it loads, how it renders, and what it releases when it is left. */
const views = {
  overview: { title: "Overview", ...overview },
  incidents: { title: "Incidents", ...incidents.list },
  "incidents/one": { title: "Incident", ...incidents.one },
  drift: { title: "Drift", ...records.drift },
  deprecation: { title: "Deprecation", ...records.deprecation },
  readiness: { title: "Readiness", ...readiness },
  undocumented: { title: "Undocumented behaviour", ...records.undocumented },
  notifications: { title: "Notifications", ...records.notifications },
  checks: { title: "Checks", ...checks.list },
  "checks/one": { title: "Check", ...checks.one },
  simulator: { title: "Simulator", ...simulator },
};

let summary;
let receivedMs = 0;
let shown;

function showNavigation(route) {
  const { firing, drift, deprecationHeaders, mode } = summary;
  const rows = [
    ["/", "Overview", "overview"],
    ["/incidents", "Incidents", "incidents", firing.length],
    ["/drift", "Drift", "drift", drift.breaking],
    ["/deprecation", "Deprecation", "deprecation", deprecationHeaders],
    ["/readiness", "Readiness", "readiness"],
    ["/undocumented", "Undocumented", "undocumented"],
    ["/notifications", "Notifications", "notifications"],
    ["/checks", "Checks", "checks"],
    ...(mode === "simulator" ? [["/simulator", "Simulator", "simulator"]] : []),
  ];
  const current = route.view.split("/")[0];
  const nav = byId("nav");
  const before = nav.querySelector("[aria-current]")?.dataset.key;
  update(nav, [rows, current, String(rangeQuery())], () =>
    rows.map(([path, name, view, number]) =>
      h(
        "a",
        { href: viewUrl(path), "data-key": path, "aria-current": view === current ? "page" : undefined },
        name,
        number > 0 && h("span", { class: "count" }, String(number)),
      ),
    ),
  );
  // On a narrow screen the views are one line that scrolls.
  const chosen = nav.querySelector("[aria-current]");
  if (chosen && chosen.dataset.key !== before)
    nav.scrollLeft = chosen.offsetLeft - nav.offsetLeft - (nav.clientWidth - chosen.offsetWidth) / 2;
  update(byId("clock"), usesUtc(), () =>
    choices(
      "Clock",
      [
        ["utc", "UTC"],
        ["local", "Local"],
      ],
      usesUtc() ? "utc" : "local",
      (name) => {
        useUtc(name === "utc");
        render();
      },
    ),
  );
}

function showFacts() {
  const isConnected = hasStream();
  const { mode, baseUrl, every, simulation, observations, now, hasReport, lastTickAt } = summary;
  const target =
    mode === "watch" ? `V1 at ${baseUrl}` : `Simulated V1, scenario ${simulation?.scenario ?? "healthy"}`;
  const tickMs = lastTickAt && Date.parse(now) - Date.parse(lastTickAt);
  const age =
    tickMs === undefined || !isConnected
      ? ""
      : ` · last tick ${describeDuration((tickMs + Date.now() - receivedMs) / 1_000)} ago`;
  const connection = isConnected ? `connected${age}` : "disconnected; reconnecting";
  update(byId("facts"), [target, every, observations, connection], () => [
    `${target} · each endpoint is checked every ${every} · ${plural(observations, "check")} · times in ${zoneName()} · `,
    h("span", { id: "connection" }, mark(isConnected ? "ok" : "unknown"), ` ${connection}`),
  ]);
  const links = [
    ...(hasReport ? [["/report", "Latest report"]] : []),
    ["/api/openapi.json", "API"],
    ["/metrics", "Metrics"],
    ["/healthz", "Health"],
    ["/badge.svg", "Badge"],
  ];
  update(byId("links"), links, () => [
    ...links.map(([href, text]) => h("a", { href, "data-plain": true }, text)),
    h("button", { type: "button", id: "maintenance", onclick: planMaintenance }, "Maintenance window …"),
  ]);
}

function showProblems({ health }) {
  const channels = health.channels.filter(({ state }) => state === "failing");
  update(byId("problems"), [health, channels], () => [
    health.state === "DEGRADED" && h("p", {}, `DEGRADED: ${health.why}.`),
    ...channels.map(({ name, since, why, waiting }) =>
      h(
        "p",
        {},
        `Channel ${name} has been failing since ${since} (${why}); ${plural(waiting, "alert")} waiting.`,
      ),
    ),
    channels.length === 0 &&
      health.undelivered > 0 &&
      h("p", {}, `${plural(health.undelivered, "alert")} not delivered yet; v1watch retries.`),
    health.subscriptions && h("p", {}, health.subscriptions),
    health.configuration && h("p", {}, health.configuration),
    health.unreadable && h("p", {}, health.unreadable),
    health.clock && h("p", {}, health.clock),
    health.heartbeat && h("p", {}, health.heartbeat),
    health.maintenance && h("p", { class: "quiet" }, health.maintenance),
  ]);
}

let data;
let error;

/** Kept in memory: when it is needed, there is no server to load it from. */
let unknownIcon = "/icon.svg?tone=unknown";
fetch(unknownIcon)
  .then((response) => response.text())
  .then((svg) => {
    unknownIcon = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  })
  .catch(() => {});

/** A press is not over yet: what is under the finger stays where it is, else it gets no click. */
let isPressed = false;
document.addEventListener("pointerdown", () => (isPressed = true));
for (const name of ["pointerup", "pointercancel"])
  document.addEventListener(name, () => {
    isPressed = false;
    setTimeout(render);
  });

function render() {
  if (!summary || isPressed) return;
  const route = readRoute();
  const view = views[route.view];
  const container = byId("view");
  const lost = lostSince();
  showStatus(summary, lost);
  showNavigation(route);
  showProblems(summary);
  showFacts();
  const { firing, verdict } = summary;
  const isFault = verdict.kind === "fault";
  const severity = isFault && firing[0] ? `${firing[0].severity.toUpperCase()}: ` : "";
  const name = route.view === "overview" ? "" : ` · ${view.title}`;
  const count = isFault && firing.length > 1 ? `(${firing.length}) ` : "";
  document.title = lost
    ? `No data since ${formatTime(lost.sinceMs)}${name}`
    : `${count}${severity}${verdict.sentence}${name}`;
  const icon = lost ? unknownIcon : `/icon.svg?tone=${verdict.tone}`;
  if (byId("icon").getAttribute("href") !== icon) byId("icon").setAttribute("href", icon);
  container.classList.toggle("outdated", lost !== undefined);
  const key = `${route.view} ${route.id}`;
  if (shown?.key !== key) {
    shown?.view.leave?.();
    replace(container);
    shown = { key, view };
  }
  if (error) replace(container, h("h2", {}, "Failed to load"), empty(error));
  else if (data?.key === requestKey(route)) view.render(container, { summary, data: data.value, route });
}

const requestKey = ({ view, id, query }) => `${view} ${id} ${query}`;

let isFetching = false;
let isRefreshPending = false;

/** Runs one refresh at a time; those that are requested meanwhile become one more. */
async function refresh() {
  if (isFetching) {
    isRefreshPending = true;
    return;
  }
  isFetching = true;
  const route = readRoute();
  const query = rangeQuery(route.query);
  const view = views[route.view].load?.(route).then(
    (value) => ({ value }),
    (cause) => ({ cause }),
  );
  const loaded = await fetchJson(`/api/summary${query.size > 0 ? `?${query}` : ""}`).catch(() => undefined);
  if (loaded) {
    summary = loaded;
    receivedMs = Date.now();
  }
  noteLoaded(loaded !== undefined);
  if (loaded && !data) render();
  const { value, cause } = (await view) ?? {};
  // A response of the view before may arrive after that of the current one.
  if (loaded && requestKey(route) === requestKey(readRoute())) {
    error = cause?.message;
    data = { key: requestKey(route), value };
    render();
  }
  // Limits the refresh rate, because the simulator may have several ticks a second.
  setTimeout(() => {
    isFetching = false;
    if (isRefreshPending) refresh();
    isRefreshPending = false;
  }, 250);
}

/** A new route is loaded at once, without waiting for the limit of the refresh rate. */
onRouteChange(() => {
  error = undefined;
  render();
  isFetching = false;
  refresh();
});
document.addEventListener("v1watch:refresh", refresh);

/** The end of a range is now: it moves on between two checks, too. */
const refreshAfterMs = 30_000;
connect({
  refresh,
  change: render,
  heartbeat: () => Date.now() - receivedMs > refreshAfterMs && refresh(),
});
setInterval(() => summary && showFacts(), 1_000);

const tip = byId("tip");
const showTip = ({ target }) => {
  const owner = target.closest?.("[data-tip]");
  tip.hidden = !owner;
  if (!owner) return;
  tip.textContent = owner.dataset.tip;
  const box = owner.getBoundingClientRect();
  const left = Math.min(
    Math.max(8, box.left + box.width / 2 - tip.offsetWidth / 2),
    innerWidth - tip.offsetWidth - 8,
  );
  Object.assign(tip.style, { left: `${left}px`, top: `${Math.max(4, box.top - tip.offsetHeight - 6)}px` });
};
for (const name of ["pointerover", "focusin"]) document.addEventListener(name, showTip);
refresh();
