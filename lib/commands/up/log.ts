// The log of `up`: text for people, or one JSON object a line for machines.
import { type LogLevel, type LogLine, logLevels } from "../../records/log-line.ts";
import type { Io } from "../command.ts";
import { print } from "../layout.ts";

export const logFormats = ["text", "json"] as const;

export type Log = {
  /** For people. */
  print(level: LogLevel, text: string): void;
  /** For machines. */
  record(line: LogLine): void;
  /** What is reported on standard error belongs to the log as well. */
  io: Io;
};

/** `level`: the least that is logged. */
export function createLog(
  io: Io,
  {
    format = "text",
    level: least = "info",
  }: { format?: (typeof logFormats)[number] | undefined; level?: LogLevel | undefined },
): Log {
  const isLogged = (level: LogLevel) => logLevels.indexOf(level) <= logLevels.indexOf(least);
  const isJson = format === "json";
  function record({ level, event, ...fields }: LogLine): void {
    if (!isJson || !isLogged(level)) return;
    io.out(`${JSON.stringify({ time: new Date().toISOString(), level, event, ...fields })}\n`);
  }
  function report(text: string): void {
    const level = text.includes("DEGRADED") ? "error" : "warn";
    if (isJson) record({ level, event: "message", text: text.replace(/^v1watch: /, "").trim() });
    else if (isLogged(level)) io.err(text);
  }
  return {
    print(level, text) {
      if (!isJson && isLogged(level)) print(io, text);
    },
    record,
    io: { ...io, err: report },
  };
}
