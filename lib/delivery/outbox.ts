// What waits in the outbox leaves it, oldest first, when the other side has accepted it.
import { type Delivery, type Outbox, type Parcel, parcelAtMs } from "../ports.ts";

/** `pending`: seen and still there, and at least one where the bounds ended the run: the rest waits for the next. */
export type Delivered = { delivered: number; failed: number; pending: number };

const pageParcels = 100;
const maxParcels = 1_000;
const maxRunMs = 20_000;
/** More than one, so that a single parcel that nobody will ever take does not block those behind it. */
const maxFailures = 3;

/**
 * A message waits behind one of its incident that failed, so that "down" is not the last word after
 * "RESOLVED". Longer than the outage of 3 h that is promised to end well; what nobody has taken by then
 * nobody will ever take, and it holds up nothing more.
 */
const holdsMs = 4 * 3_600_000;

export type Bounds = {
  kinds?: readonly Parcel["kind"][];
  /** No parcel is begun after it. */
  untilMs?: number;
};

/** Never rejects. A kind that fails does not hold up the other one. */
export async function deliverPending(
  outbox: Outbox,
  delivery: Delivery,
  nowMs: () => number,
  { kinds = ["alert", "metrics"], untilMs = Infinity }: Bounds = {},
): Promise<Delivered> {
  const endMs = Math.min(untilMs, nowMs() + maxRunMs);
  const runs: Delivered[] = [];
  for (const kind of kinds) runs.push(await deliverKind(outbox, delivery, kind, nowMs, endMs));
  const sum = (name: keyof Delivered) => runs.reduce((total, run) => total + run[name], 0);
  return { delivered: sum("delivered"), failed: sum("failed"), pending: sum("pending") };
}

async function deliverKind(
  outbox: Outbox,
  delivery: Delivery,
  kind: Parcel["kind"],
  nowMs: () => number,
  endMs: number,
): Promise<Delivered> {
  const seen = new Set<string>();
  /** Incidents whose next message has to wait for one that failed. */
  const held = new Set<string>();
  let delivered = 0;
  let failed = 0;
  const isTimeUp = () => nowMs() >= endMs;
  const isOver = () => failed >= maxFailures || seen.size >= maxParcels || isTimeUp();
  const count = () => ({ delivered, failed, pending: seen.size - delivered });
  while (!isOver()) {
    const page = await outbox.pending(kind, pageParcels).catch(() => undefined);
    if (!page) {
      failed += 1;
      return count();
    }
    const fresh = page.filter(({ id }) => !seen.has(id));
    if (fresh.length === 0) return count();
    for (const parcel of fresh) {
      seen.add(parcel.id);
      if (failed >= maxFailures || isTimeUp() || held.has(incidentOf(parcel))) continue;
      if (await deliver(outbox, delivery, parcel)) {
        delivered += 1;
        continue;
      }
      failed += 1;
      if (nowMs() - parcelAtMs(parcel) < holdsMs) held.add(incidentOf(parcel));
    }
    // A page that was not full was the last one.
    if (page.length < pageParcels) return count();
  }
  return { ...count(), pending: Math.max(1, seen.size - delivered) };
}

/** Numbers carry their time and may come in any order: each is alone. */
const incidentOf = (parcel: Parcel) => (parcel.kind === "alert" ? parcel.alert.incident : parcel.id);

async function deliver(outbox: Outbox, delivery: Delivery, parcel: Parcel): Promise<boolean> {
  try {
    if (parcel.kind === "alert") await delivery.alert(parcel.alert);
    else await delivery.metrics(parcel.points);
    await outbox.markDelivered(parcel);
    return true;
  } catch {
    return false;
  }
}
