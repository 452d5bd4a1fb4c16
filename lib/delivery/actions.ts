// How a reader of an alert takes on its incident: by links that are signed for it or, where there is no dashboard, by a
// command. They are added when the alert is sent, so that neither the store nor the dashboard, which everyone can read, has them.
import type { Earlier, Receiver } from "../ports.ts";
import { type Alert, incidentOf, isActionable } from "../records/alert.ts";

export type AlertActions =
  | { kind: "links"; page: string; acknowledge: string; mute: string }
  | { kind: "command"; command: string };

export function addActions(alert: Alert, actions: AlertActions): Alert {
  if (actions.kind === "command")
    return {
      ...alert,
      sections: [...alert.sections, { label: "Acknowledge", lines: [actions.command] }],
    };
  const { page, acknowledge, mute } = actions;
  return { ...alert, links: { page, acknowledge, mute, runbook: alert.links.runbook } };
}

/** The same receiver, which gets the actions of an incident with every alert about it. */
export const withActions = <Given extends Receiver>(
  receiver: Given,
  actionsOf: (incidentId: string) => AlertActions,
): Given => ({
  ...receiver,
  send: (alert: Alert, earlier?: Earlier) =>
    receiver.send(isActionable(alert) ? addActions(alert, actionsOf(incidentOf(alert))) : alert, earlier),
});
