// Whether an editor leads straight to a server of this machine, or through a proxy of its own.

export interface Reached {
  authority: string;
  path: string;
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/// A tunnel may change the port; a proxy adds to the path, or is somewhere else.
export function isDirect(reached: Reached, asked: Reached): boolean {
  return LOOPBACK.test(reached.authority) && reached.path === asked.path;
}
