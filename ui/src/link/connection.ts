// What a connection can be, and how a request can end without its answer.
import type { SaidCode } from "../i18n/said";

export type Connection =
  | { state: "connecting" }
  | { state: "open" }
  | { state: "silent" } // connected, but no reply
  | { state: "lost"; why: string; retryAtMs: number };

/// The daemon said no, in a sentence for the person.
export class Refused extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly said?: SaidCode | undefined,
  ) {
    super(message);
  }
}

/// No connection, or it ended before the reply: then it is unknown whether the call was carried out.
export class Lost extends Error {
  constructor(readonly wasSent = false) {
    super("Can't reach Bascule.");
  }
}
