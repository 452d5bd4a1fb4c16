// The view, its selection and its time range are in the URL, so that each can be shared. The token is in the
// session storage of the tab.
const listeners = new Set();

export const onRouteChange = (listener) => listeners.add(listener);

const changed = () => {
  for (const listener of listeners) listener();
};

const views = [
  "incidents",
  "drift",
  "deprecation",
  "readiness",
  "undocumented",
  "notifications",
  "checks",
  "simulator",
];

/** { view: "incidents", id: "down-20261115T0250Z", query: URLSearchParams } */
export function readRoute() {
  const [, first = "", ...rest] = location.pathname.split("/");
  const view = views.includes(first) ? first : "overview";
  const id = rest.map(decodeURIComponent).join("/");
  return { view: id ? `${view}/one` : view, id, query: new URLSearchParams(location.search) };
}

const rangeNames = ["range", "from", "until"];

/** The part of the query that holds the time range, which every view shares. */
export function rangeQuery(query = readRoute().query) {
  const kept = new URLSearchParams();
  for (const name of rangeNames) if (query.has(name)) kept.set(name, query.get(name));
  return kept;
}

/** The address of a view that keeps the time range. */
export function viewUrl(path, parameters = {}) {
  const query = rangeQuery();
  for (const [name, value] of Object.entries(parameters)) if (value) query.set(name, value);
  return query.size > 0 ? `${path}?${query}` : path;
}

export const incidentUrl = (id) => viewUrl(`/incidents/${encodeURIComponent(id)}`);
export const checkUrl = (id) => viewUrl(`/checks/${id.split("/").map(encodeURIComponent).join("/")}`);

export function navigate(url, { replace = false } = {}) {
  history[replace ? "replaceState" : "pushState"](null, "", url);
  changed();
}

/** Sets or removes parameters of the current view's query. */
export function setQuery(parameters, options) {
  const { query } = readRoute();
  for (const [name, value] of Object.entries(parameters))
    if (value === undefined || value === "") query.delete(name);
    else query.set(name, value);
  navigate(query.size > 0 ? `${location.pathname}?${query}` : location.pathname, options);
}

addEventListener("popstate", changed);

// Links between views change the URL without loading the page again.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href^='/']");
  if (!link || link.target || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  if (link.dataset.plain !== undefined) return;
  event.preventDefault();
  navigate(link.getAttribute("href"));
  document.getElementById("view").focus({ preventScroll: true });
  scrollTo(0, 0);
});

// The token is passed in the URL fragment, which is never sent to a server, and is removed from the URL at once.
const tokenInUrl = /^#token=([\w-]{8,200})$/.exec(location.hash)?.[1];
if (tokenInUrl) {
  sessionStorage.setItem("token", tokenInUrl);
  history.replaceState(null, "", location.pathname + location.search);
}

export const hasToken = () => sessionStorage.getItem("token") !== null;
export const setToken = (token) => sessionStorage.setItem("token", token.trim());

/** A connection that was lost without a word would keep a request waiting for minutes. */
const requestLimitMs = 15_000;

export async function fetchJson(path) {
  const response = await fetch(path, { signal: AbortSignal.timeout(requestLimitMs) });
  const value = await response.json();
  if (!response.ok) throw new Error(value.error);
  return value;
}

/** Resolves to "" or to the reason why the request was refused. */
export async function post(path, body) {
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Authorization: `Bearer ${sessionStorage.getItem("token") ?? ""}`,
      },
      body: JSON.stringify(body),
    });
    if (response.ok) return "";
    if (response.status === 401) sessionStorage.removeItem("token");
    return (await response.json()).error;
  } catch {
    return "the server cannot be reached";
  }
}
