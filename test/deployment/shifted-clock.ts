// Loaded before a bundle: its clock is ours plus the milliseconds in a file, so that hours pass in seconds.
import { readFileSync } from "node:fs";

const file = process.env.CLOCK_FILE ?? "";
const RealDate = Date;
const shiftMs = () => Number(readFileSync(file, "utf8"));

class ShiftedDate extends RealDate {
  constructor(...args: [] | [number | string]) {
    super(...((args.length === 0 ? [RealDate.now() + shiftMs()] : args) as [number]));
  }
  static override now(): number {
    return RealDate.now() + shiftMs();
  }
}

globalThis.Date = ShiftedDate as DateConstructor;
