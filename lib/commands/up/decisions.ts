// What an assessment has decided, as lines of the log: which incidents opened, changed and ended, told or not.

import type { AssessState } from "../../assess/state.ts";
import { titleOf } from "../../assess/text/render-alert.ts";
import type { Incident } from "../../records/incident.ts";
import { type LogLine, levelOfSeverity } from "../../records/log-line.ts";

type Incidents = Pick<AssessState, "incidents" | "resolved">;
type Change = Extract<LogLine, { event: "incident" }>["change"];

/** As it was: the state may change it in place. */
type Known = { incident: Incident; isOver: boolean; key: string };

const indexIncidents = ({ incidents, resolved }: Incidents): Map<string, Known> =>
  new Map(
    [...incidents.filter(({ state }) => state === "firing"), ...resolved].map((incident) => [
      incident.id,
      {
        incident,
        isOver: incident.state === "resolved",
        key: [incident.severity, ...incident.endpoints].join(),
      },
    ]),
  );

function changesOf(before: Known | undefined, now: Known | undefined): Change[] {
  const wasOpen = before !== undefined && !before.isOver;
  // One that is gone was taken back: a check that came late has shown that there was no incident.
  if (!now) return wasOpen ? ["ended"] : [];
  if (now.isOver) return wasOpen ? ["ended"] : before ? [] : ["opened", "ended"];
  if (!wasOpen) return ["opened"];
  return before.key === now.key ? [] : ["changed"];
}

function toLine({ id, rule, severity, endpoints, ...incident }: Incident, change: Change): LogLine {
  const level = levelOfSeverity(severity, change === "ended");
  return { level, event: "incident", id, change, rule, severity, endpoints, text: titleOf(incident) };
}

/** Compares every state with the one before it; the first one is what was decided before this process. */
export function createDecisionLog(first: Incidents): (state: Incidents) => LogLine[] {
  let known = indexIncidents(first);
  return (state) => {
    const before = known;
    known = indexIncidents(state);
    return [...new Set([...before.keys(), ...known.keys()])].flatMap((id) => {
      const [was, is] = [before.get(id), known.get(id)];
      const incident = is?.incident ?? was?.incident;
      return incident ? changesOf(was, is).map((change) => toLine(incident, change)) : [];
    });
  };
}
