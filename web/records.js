// The views of drift, deprecation headers, undocumented behaviour and notifications.
import { empty, h, mark, severityTones, table, timeElement, update } from "./dom.js";
import { showRisk } from "./overview.js";
import { fetchJson, setQuery, viewUrl } from "./state.js";

const driftTable = (caption, rows) =>
  table(
    caption,
    ["level", "field", "difference", "records", "first seen", "last seen", "impact"],
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

export const drift = {
  load: () => fetchJson("/api/drift"),
  render(container, { summary, data, route }) {
    const [text, level] = [route.query.get("text") ?? "", route.query.get("level") ?? ""];
    if (!container.firstChild) container.append(...buildDrift(text, level));
    const rows = data.filter(
      (row) =>
        (level === "" || row.level === level) &&
        `${row.endpoint} ${row.path} ${row.change} ${row.kind}`
          .toLowerCase()
          .includes(text.trim().toLowerCase()),
    );
    update(container.lastChild, [rows, data.length, summary.drift.text], () => [
      empty(summary.drift.text),
      data.length > 0 &&
        (rows.length === 0
          ? empty("No difference matches the filter.")
          : driftTable("Differences from V1's documentation", rows)),
    ]);
  },
};

const buildDrift = (text, level) => [
  h("h2", {}, "Drift"),
  h(
    "form",
    {
      class: "filter",
      "aria-label": "Filter the drift history",
      onsubmit: (event) => event.preventDefault(),
    },
    h(
      "label",
      {},
      "Filter ",
      h("input", {
        id: "drift-text",
        type: "search",
        autocomplete: "off",
        spellcheck: "false",
        size: "16",
        value: text,
        oninput: (event) => setQuery({ text: event.target.value }, { replace: true }),
      }),
    ),
    h(
      "label",
      {},
      "Level ",
      h(
        "select",
        {
          id: "drift-level",
          onchange: (event) => setQuery({ level: event.target.value }, { replace: true }),
        },
        ["", "breaking", "additive", "notice"].map((name) =>
          h("option", { value: name, selected: name === level }, name || "all"),
        ),
      ),
    ),
  ),
  h("div", { id: "drift-rows" }),
];

export const deprecation = {
  load: () => fetchJson("/api/notices"),
  render(container, { summary, data }) {
    if (!container.firstChild) container.append(h("section", { class: "risk" }), h("div"));
    showRisk(container.firstChild, summary);
    update(container.lastChild, data, () => [
      h("h2", {}, "Deprecation headers"),
      data.current.length === 0
        ? empty("V1 sends no deprecation headers.")
        : table(
            "Deprecation headers that V1 sends",
            ["header", "date", "endpoints", "since"],
            data.current.map(({ header, endpoints, date, since }) => [
              [mark("warning"), ` ${header}`],
              date ?? (header === "Sunset" ? "no valid date" : "–"),
              endpoints.join(", "),
              timeElement(since),
            ]),
          ),
      data.events.length > 0 && [
        h("h3", {}, "History"),
        table(
          "History of the deprecation headers",
          ["time", "event"],
          data.events.map(({ at, text }) => [timeElement(at), text]),
        ),
      ],
    ]);
  },
};

const gapTones = { open: "unknown", observed: "ok", CHANGED: "warning" };
const gapTexts = { open: "not observed", observed: "observed", CHANGED: "CHANGED" };

export const undocumented = {
  load: () => fetchJson("/api/gaps"),
  render(container, { summary, data }) {
    const { text: says } = summary.gaps;
    update(container, [data, says], () => [
      h("h2", {}, "Undocumented behaviour"),
      empty(says),
      table(
        "Undocumented behaviour of V1",
        ["section", "question", "status", "observed"],
        data.map(({ section, question, status, summary: text }) => [
          section,
          question,
          [mark(gapTones[status]), ` ${gapTexts[status]}`],
          text,
        ]),
      ),
    ]);
  },
};

const channelTones = { ok: "ok", failing: "critical", unproven: "unknown" };

const showChannels = (channels) =>
  table(
    "Notification channels",
    ["channel", "type", "state", "waiting", "given up", "last delivered"],
    channels.map(({ name, type, state, since, why, waiting, setAside, deliveredAt }) => [
      name,
      type,
      [mark(channelTones[state]), ` ${state}`, since ? [" since ", timeElement(since), ` (${why})`] : ""],
      String(waiting),
      setAside.length === 0
        ? "0"
        : [`${setAside.length}, the latest `, h("code", {}, setAside[0].id), ` (${setAside[0].why})`],
      deliveredAt ? timeElement(deliveredAt) : "–",
    ]),
  );

export const notifications = {
  load: () => fetchJson("/api/alerts?limit=100"),
  render(container, { summary, data, route }) {
    const chosen = route.query.get("id");
    const { channels } = summary.health;
    update(container, [data, channels, chosen], () => [
      h("h2", {}, "Notifications"),
      channels.length > 0 && showChannels(channels),
      channels.every(({ type }) => type === "console") &&
        h(
          "p",
          {},
          mark("warning"),
          " No channel reaches people: v1watch only prints notifications and shows them here.",
        ),
      data.length === 0
        ? empty("No notifications sent yet.")
        : data.map((alert) => showAlert(alert, alert.id === chosen)),
    ]);
  },
};

function showAlert({ id, at, event, severity, subject, text, rule, facts }, isOpen) {
  const [incident] = id.split("/");
  // A digest, a drill, the countdown and the budget are not about an incident.
  const hasIncident = facts !== null && rule !== "budget" && event !== "countdown";
  return h(
    "details",
    { class: "alert", "data-key": id, open: isOpen },
    h(
      "summary",
      { "data-key": `summary ${id}` },
      mark(event === "resolved" ? "ok" : severityTones[severity]),
      timeElement(at),
      h("span", {}, subject),
    ),
    h("pre", { tabindex: "0" }, text),
    hasIncident && h("p", {}, h("a", { href: viewUrl(`/incidents/${incident}`) }, "Open the incident")),
  );
}
