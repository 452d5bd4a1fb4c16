// What the recipients of a message answered. A delivery is made from their receipts, and from nothing else.

/** `recipient` is a hash of an address, `theMessage`, or the `endOf` an incident: whatever accepts or refuses for itself. */
export type Accepted = { recipient: string; isAccepted: true };
/** `why` is a fixed term or a status; it never contains an address. */
export type Refused = { recipient: string; isAccepted: false; why: string };
export type Receipt = Accepted | Refused;

/** One for every recipient of the message, also for those that accepted it in an earlier try. */
export type Receipts = readonly [Receipt, ...Receipt[]];

/** Every recipient has accepted the message. */
export type Delivered = readonly [Accepted, ...Accepted[]];

/** The recipient of a receiver that has no others. */
export const theMessage = "message";

/** The recipient of the request that ends an incident at a service, beside the message or in its place. */
export const endOf = (incident: string): string => `${endWords}${incident}`;
const endWords = "end of ";

/** The receipt of a receiver that answered, for itself, that it has the message. */
export const acceptedByReceiver = (): Delivered => [{ recipient: theMessage, isAccepted: true }];

/** Undefined while one recipient has not accepted it. */
export function delivered(receipts: Receipts): Delivered | undefined {
  const isDelivered = (given: Receipts): given is Delivered => given.every(({ isAccepted }) => isAccepted);
  return isDelivered(receipts) ? receipts : undefined;
}

export const listAccepted = (receipts: Receipts): string[] =>
  receipts.filter(({ isAccepted }) => isAccepted).map(({ recipient }) => recipient);

/** Which recipients by their place, because an address is personal: "recipient 2 of 3: SMTP 550". */
export function describeRefused(receipts: Receipts): string {
  const refused = receipts.flatMap((receipt, index) =>
    receipt.isAccepted ? [] : [{ place: index + 1, recipient: receipt.recipient, why: receipt.why }],
  );
  const [end, ...ends] = refused.filter(({ recipient }) => recipient.startsWith(endWords));
  // An id of an incident is not personal.
  if (end) return `${end.recipient}${ends.length > 0 ? ` and ${ends.length} more` : ""}: ${end.why}`;
  const places = refused.map(({ place }) => place).join(", ");
  const causes = [...new Set(refused.map(({ why }) => why))].join(", ");
  const noun = refused.length === 1 ? "recipient" : "recipients";
  return `${noun} ${places} of ${receipts.length}: ${causes}`;
}
