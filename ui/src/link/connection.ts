// What a connection can be, and how a request can end without its answer.

export type Connection =
  | { state: "connecting" }
  | { state: "open" }
  | { state: "silent" } // the line is there, nobody answers
  | { state: "lost"; why: string; retryAtMs: number };

/// The daemon said no, in a sentence for the person.
export class Refused extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/// Nobody is there, or the connection ended before the answer came: then nobody knows whether it was done.
export class Lost extends Error {
  constructor(readonly wasSent = false) {
    super("The daemon is not there.");
  }
}
