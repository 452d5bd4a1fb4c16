// The status above everything else: that the monitor is gone, that V1 is unknown, the firing incidents, the worst first, or
// the verdict while none is firing.
import { decisionButtons } from "./decide.js";
import { byId, formatTime, h, mark, severityTones, timeElement, update } from "./dom.js";
import { incidentUrl, readRoute, viewUrl } from "./state.js";

/** Others than the worst: on the overview a few lines, elsewhere only their number. */
const maxOthers = 3;

export function showStatus({ firing, verdict, cards }, lost) {
  if (lost) {
    update(byId("status"), ["lost", lost, verdict.sentence], () => showLost(lost, verdict));
    return;
  }
  const isOverview = readRoute().view === "overview";
  // What fired when V1 was last checked does not lead while nobody knows how V1 is.
  const worst = verdict.kind === "unknown" ? undefined : firing[0];
  const rest = worst ? firing.slice(1) : firing;
  const others = isOverview ? rest.slice(0, maxOthers) : [];
  const hidden = rest.length - others.length;
  // The duration grows with every check: it is changed in place, so that a click never meets a button that is replaced.
  const shown = firing.map(({ lasted: _, evidence: __, facts: ___, ...incident }) => incident);
  const sentence = worst ? "" : verdict.sentence;
  update(
    byId("status"),
    [shown, sentence, verdict.tone, verdict.level, cards.length, readRoute().view, readRoute().id],
    () => {
      return [
        worst ? showAlarm(worst, cards.length, true) : showVerdict(verdict),
        ...others.map((incident) => showAlarm(incident, cards.length, false)),
        hidden > 0 &&
          h(
            "p",
            { class: "more" },
            h("a", { href: viewUrl("/incidents"), "data-key": "more" }, `${hidden} more firing`),
          ),
      ];
    },
  );
  for (const { id, lasted } of firing) {
    const node = byId(`lasted-${id}`);
    if (node) node.textContent = lasted;
  }
}

const showVerdict = ({ tone, level, sentence }) =>
  h(
    "div",
    { class: `alarm ${tone}${level === "imminent" && tone !== "unknown" ? " imminent" : ""}` },
    h("h1", {}, mark(tone), " ", sentence),
  );

/** What was known last is not what is: it is told as the past, in grey, and nothing can be decided on it. */
const showLost = ({ sinceMs, why }, { sentence }) =>
  h(
    "div",
    { class: "alarm unknown" },
    h(
      "div",
      { class: "what" },
      h("h1", {}, mark("unknown"), ` No data since ${formatTime(sinceMs)}: ${why}`),
      h("span", { class: "meta" }, `Last known: ${sentence}`),
    ),
  );

/** Somebody knows about it: it is shown without the colour that calls for somebody. */
export const calmnessOf = ({ state, isAcknowledged, mutedBy }) =>
  state === "firing" && (isAcknowledged || mutedBy !== undefined) ? " known" : "";

const severityNames = { page: "PAGE", warning: "WARNING", info: "INFO" };

function showAlarm(incident, endpointCount, isFirst) {
  const { id, title, severity, endpoints, since, lasted, isAcknowledged, mutedBy } = incident;
  const tone = severityTones[severity];
  const place = endpoints.length === endpointCount ? "all endpoints" : endpoints.join(", ");
  // In its own view there is nothing to open.
  const isShown = readRoute().id === id;
  const isNamed = endpoints.length === 0 || title.includes(place) || title.includes("on all");
  return h(
    "div",
    { class: `alarm ${tone}${calmnessOf(incident)}${isFirst ? "" : " other"}`, "data-incident": id },
    h(
      "div",
      { class: "what" },
      h("span", { class: "severity" }, mark(tone), " ", severityNames[severity]),
      isAcknowledged && h("span", { class: "tag" }, "acknowledged"),
      mutedBy !== undefined && h("span", { class: "tag" }, "muted"),
      h(
        isFirst ? "h1" : "p",
        { class: "title" },
        h("a", { href: incidentUrl(id), "data-key": `title ${id}` }, title),
      ),
      h(
        "span",
        { class: "meta" },
        isNamed ? "" : `${place} · `,
        "since ",
        timeElement(since),
        " · for ",
        h("span", { id: `lasted-${id}` }, lasted),
        incident.decision ? ` · ${incident.decision}` : "",
      ),
    ),
    h(
      "div",
      { class: "actions" },
      decisionButtons(incident, "status"),
      !isShown && h("a", { class: "button", href: incidentUrl(id), "data-key": `open ${id}` }, "Open"),
    ),
  );
}
