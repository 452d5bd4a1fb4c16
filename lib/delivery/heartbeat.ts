// Calls a service elsewhere after each assessment. What dies with the machine cannot report itself: the service does, when the
// calls stop. Healthchecks and Uptime Kuma (push) take a GET of the address that they show.
import { readJsonObject } from "../channels/http-channel.ts";
import { UnreachableError } from "../ports.ts";
import { momentText } from "../time.ts";
import { type AgentFor, get, type Timeouts } from "./channels/channel.ts";
import { causeOf } from "./outbox.ts";

export type HeartbeatInput = {
  /** Undefined where the address cannot be read. Read for every call, so that a new one needs no restart. */
  readUrl(): Promise<string | undefined>;
  agentFor?: AgentFor | undefined;
  /** When calls stop to be accepted, and with undefined when they are accepted again. */
  onProblem(problem: string | undefined): void;
};

export type Heartbeat = {
  /** Starts a call, and does not wait for it: at most one a minute, and one at a time. */
  beat(): void;
  /** Left out while the latest call was accepted, and before the first. */
  problem(): string | undefined;
  settle(): Promise<void>;
};

const minIntervalMs = 60_000;
const timeouts: Timeouts = { sendMs: 5_000, answerMs: 5_000 };

/**
 * Both say no with a status 200, too: Healthchecks with "OK (not found)" or "OK (rate limited)"
 * (https://healthchecks.io/docs/http_api/), Uptime Kuma with { "ok": false }; November 2026.
 */
const isAccepted = (text: string) => !/^ok \(/i.test(text.trim()) && readJsonObject(text)?.ok !== false;

export function createHeartbeat(
  { readUrl, agentFor, onProblem }: HeartbeatInput,
  nowMs: () => number,
): Heartbeat {
  let calling: Promise<void> | undefined;
  let calledMs = Number.NEGATIVE_INFINITY;
  let failing: { sinceMs: number; why: string } | undefined;

  const problem = () =>
    failing &&
    `The heartbeat has not been accepted since ${momentText(new Date(failing.sinceMs).toISOString())} (${failing.why}).`;

  async function call(): Promise<void> {
    const before = failing;
    try {
      const address = await readUrl();
      if (address === undefined) throw new UnreachableError("the secret is missing");
      await get({ address, isAccepted }, { timeouts, agentFor });
      failing = undefined;
    } catch (error) {
      failing = { sinceMs: before?.sinceMs ?? calledMs, why: causeOf(error) };
    }
    if ((before === undefined) !== (failing === undefined)) onProblem(problem());
  }

  return {
    beat() {
      const elapsedMs = nowMs() - calledMs;
      // A clock that was set back does not silence it.
      if (calling || (elapsedMs >= 0 && elapsedMs < minIntervalMs)) return;
      calledMs = nowMs();
      calling = call().finally(() => {
        calling = undefined;
      });
    },
    problem,
    settle: async () => calling,
  };
}
