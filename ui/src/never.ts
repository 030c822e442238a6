// What cannot be: the end of a match that the compiler has proved to be complete.

export function never(value: never): never {
  throw new Error(`unexpected: ${JSON.stringify(value)}`);
}
