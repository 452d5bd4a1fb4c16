// Plays the alarms of a template minute by minute over given data, and tells what fired when and which topics heard of it.
import { type AlarmDefinition, type AlarmState, evaluateAlarm, type Sample } from "./evaluate-alarm.ts";
import { ofType, type Resource, type Resources } from "./synthesis.ts";

const minuteMs = 60_000;

/** By metric and the value of its dimension: `RequestFailed passport`, `Errors v1watch-assess`, `AssessmentCompleted`. */
export type Series = Map<string, Sample[]>;

export type Change = { minute: number; alarm: string; state: AlarmState };
/** One message of CloudWatch to one topic. */
export type Message = { minute: number; alarm: string; state: AlarmState; topic: string };
export type Played = { changes: Change[]; messages: Message[]; final: Map<string, AlarmState> };

type Metric = { name: string; key: string; definition: AlarmDefinition; resource: Resource };
type Composite = { name: string; isRaised(inAlarm: (name: string) => boolean): boolean; resource: Resource };

const nameOf = ({ Properties }: Resource) => String(Properties.AlarmName).replace(/^v1watch-/, "");

/** The last part of a logical id is a hash. */
const plainId = (id: string) => id.replace(/[0-9A-F]{8}$/, "");

export function readMetricAlarm(resource: Resource, resources: Resources): Metric {
  const { Properties } = resource;
  if (Properties.Metrics)
    throw new Error(`${Properties.AlarmName} is an expression, which is not played here`);
  const values = (Properties.Dimensions ?? []).map(({ Value }: { Value: unknown }) => {
    if (typeof Value === "string") return Value;
    const { Ref, "Fn::GetAtt": attribute } = Value as { Ref?: string; "Fn::GetAtt"?: [string, string] };
    const id = Ref ?? attribute?.[0] ?? "";
    return resources[id]?.Properties.FunctionName ?? plainId(id);
  });
  return {
    name: nameOf(resource),
    key: [Properties.MetricName, ...values].join(" "),
    definition: Properties as AlarmDefinition,
    resource,
  };
}

type Part = string | { "Fn::GetAtt": [string, string] };

/** `(ALARM(a) OR ALARM(b)) AND ALARM(c)`, with AND before OR, as CloudWatch reads it. */
function readComposite(resource: Resource, resources: Resources): Composite {
  const rule = resource.Properties.AlarmRule;
  const parts: Part[] = typeof rule === "string" ? [rule] : rule["Fn::Join"][1];
  const text = parts
    .map((part) => (typeof part === "string" ? part : nameOf(resources[part["Fn::GetAtt"][0]]!)))
    .join("");
  // `(`, `)`, `AND`, `OR`, or the name of an alarm.
  const tokens = (text.match(/ALARM\("[^"]+"\)|AND|OR|\(|\)/g) ?? []).map(
    (token) => /"([^"]+)"/.exec(token)?.[1] ?? token,
  );
  return {
    name: nameOf(resource),
    resource,
    isRaised(inAlarm) {
      let place = 0;
      const term = (): boolean => {
        const token = tokens[place++];
        if (token === "(") {
          const value = either();
          place += 1;
          return value;
        }
        return inAlarm(token ?? "");
      };
      const both = (): boolean => {
        let value = term();
        while (tokens[place] === "AND") {
          place += 1;
          const next = term();
          value = value && next;
        }
        return value;
      };
      const either = (): boolean => {
        let value = both();
        while (tokens[place] === "OR") {
          place += 1;
          const next = both();
          value = value || next;
        }
        return value;
      };
      return either();
    },
  };
}

/** The topics that an alarm notifies when it reaches a state, by their logical ids: `Alerts`, `Watch`. */
function topicsOf({ Properties }: Resource, state: AlarmState): string[] {
  if (Properties.ActionsEnabled === false) return [];
  const actions = { ALARM: "AlarmActions", OK: "OKActions", INSUFFICIENT_DATA: "InsufficientDataActions" };
  const list = (Properties[actions[state]] ?? []) as ({ Ref: string } | string)[];
  return list.map((action) => (typeof action === "string" ? action : plainId(action.Ref)));
}

type Play = {
  resources: Resources;
  series: Series;
  startMs: number;
  minutes: number;
  /** Changes are told from here on; before, the alarms get their first data. */
  fromMinute?: number;
};

export function playAlarms({ resources, series, startMs, minutes, fromMinute = 0 }: Play): Played {
  const metrics = ofType(resources, "AWS::CloudWatch::Alarm").map((each) => readMetricAlarm(each, resources));
  const composites = ofType(resources, "AWS::CloudWatch::CompositeAlarm").map((each) =>
    readComposite(each, resources),
  );
  const states = new Map<string, AlarmState>();
  const changes: Change[] = [];
  const messages: Message[] = [];
  /** By the alarm that is suppressed: until when, and the state of which its topics were told last. */
  const suppressed = new Map<string, { untilMinute: number; told: AlarmState | undefined }>();
  const tell = (minute: number, name: string, resource: Resource, state: AlarmState) => {
    if (minute < fromMinute) return;
    for (const topic of topicsOf(resource, state)) messages.push({ minute, alarm: name, state, topic });
  };
  const enter = (minute: number, name: string, resource: Resource, state: AlarmState) => {
    if (state === (states.get(name) ?? "INSUFFICIENT_DATA")) return;
    states.set(name, state);
    if (minute >= fromMinute) changes.push({ minute, alarm: name, state });
    if (resource.Properties.ActionsSuppressor === undefined) tell(minute, name, resource, state);
  };
  /** Of a composite with a suppressor: what it did not tell it tells when the extension period is over, if it is still so. */
  const tellUnsuppressed = (minute: number, { name, resource }: Composite) => {
    const { ActionsSuppressor, ActionsSuppressorExtensionPeriod } = resource.Properties;
    if (ActionsSuppressor === undefined) return;
    const known = suppressed.get(name) ?? { untilMinute: 0, told: undefined };
    suppressed.set(name, known);
    const suppressor = resources[ActionsSuppressor["Fn::GetAtt"][0]]!;
    if (states.get(nameOf(suppressor)) === "ALARM")
      known.untilMinute = minute + ActionsSuppressorExtensionPeriod / 60;
    const state = states.get(name) ?? "INSUFFICIENT_DATA";
    if (minute < known.untilMinute || state === known.told) return;
    known.told = state;
    tell(minute, name, resource, state);
  };
  for (let minute = 1; minute <= minutes; minute += 1) {
    const nowMs = startMs + minute * minuteMs;
    for (const { name, key, definition, resource } of metrics) {
      const previous = states.get(name) ?? "INSUFFICIENT_DATA";
      enter(minute, name, resource, evaluateAlarm(definition, series.get(key) ?? [], previous, nowMs));
    }
    for (const composite of composites) {
      const { name, isRaised, resource } = composite;
      enter(minute, name, resource, isRaised((child) => states.get(child) === "ALARM") ? "ALARM" : "OK");
      tellUnsuppressed(minute, composite);
    }
  }
  return { changes, messages, final: states };
}
