// v1watch notify --drill: sends a marked test alert through the delivery path of real alerts.
import { drillAlert } from "../assess/alerts/scheduled-alerts.ts";
import { exitCodes, type Io, UsageError } from "./command.ts";
import { print } from "./layout.ts";
import { withWatch } from "./open-watch.ts";
import type { WatchValues } from "./shared-options.ts";

/** The watch delivers the message from its outbox as it delivers an alert. */
export const sendDrill = (values: WatchValues, io: Io): Promise<number> =>
  withWatch(values, io, async ({ outbox, store }, { aws }) => {
    const alert = drillAlert(new Date().toISOString());
    const stored = await outbox.put([{ id: alert.id, kind: "alert", alert }]);
    if (stored.kind === "failed")
      // The name of an error of AWS is explained with its remedy.
      throw store
        ? new UsageError(`the drill could not be stored: ${stored.why}`)
        : Object.assign(new Error("the drill could not be stored"), { name: stored.why });
    const result = store
      ? `The watch sends the drill of ${alert.at} within a minute, or after its next start`
      : `The assessment, which runs every ${aws.assessEvery}, sends the drill of ${alert.at} with its next run`;
    print(io, `${result}: "${alert.subject}"\n`);
    return exitCodes.success;
  });
