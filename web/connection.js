// Whether the monitor behind the dashboard is still there. An event is due every 15 s at the latest. A dashboard that missed one
// asks for data itself; one that missed two has no data.
const heartbeatMs = 15_000;
/** An event may be late by the way that it takes. */
const lateMs = 2_000;

let stream;
let isConnected = false;
/** The last instant at which the dashboard was known to show what the monitor knows. */
let heardMs = Date.now();
let askedMs = heardMs;
/** The last summary could not be loaded: what the dashboard shows is old, whatever events arrive. */
let isOutdated = false;
let isLost = false;

/** What the dashboard is told: `refresh` when there may be news, `heartbeat` when there is none, `change` when the connection or the answer of `lostSince` changed. */
let listeners;

export const hasStream = () => isConnected;

/** { sinceMs, why } while the monitor does not answer. Whether it still makes checks is part of its verdict. */
export const lostSince = () =>
  isLost ? { sinceMs: heardMs, why: "the monitor does not answer" } : undefined;

/** Of every request for a summary: whether it was answered. */
export function noteLoaded(isLoaded) {
  isOutdated = !isLoaded;
  if (isLoaded) heardMs = Date.now();
  check();
}

function noteEvent() {
  if (!isOutdated) heardMs = Date.now();
  check();
}

// By the clock and not by counting intervals: while a laptop sleeps, or a tab is in the background, intervals do not run.
function check() {
  const quietMs = Date.now() - heardMs;
  const before = isLost;
  isLost = quietMs > 2 * heartbeatMs + lateMs;
  if (isLost !== before) listeners.change();
  if (quietMs <= heartbeatMs + lateMs || Date.now() - askedMs <= heartbeatMs) return;
  askedMs = Date.now();
  // A connection that was lost without a word, such as during a sleep, never reports an error.
  open();
  listeners.refresh();
}

function open() {
  stream?.close();
  stream = new EventSource("/api/events");
  const noteConnected = (value) => {
    isConnected = value;
    listeners.change();
  };
  stream.addEventListener("open", () => noteConnected(true));
  stream.addEventListener("error", () => noteConnected(false));
  stream.addEventListener("heartbeat", () => {
    noteEvent();
    listeners.heartbeat();
  });
  for (const name of ["tick", "alert-sent", "simulation", "configuration"])
    stream.addEventListener(name, () => {
      noteEvent();
      listeners.refresh();
    });
}

export function connect(dashboard) {
  listeners = dashboard;
  open();
  setInterval(check, 1_000);
  document.addEventListener("visibilitychange", check);
}
