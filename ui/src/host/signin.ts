// The page's way in: a link is spent once, for a cookie and for a key that only this page holds.

const KEY = "bascule:key"; // every tab of this origin has it; a server on another port has not, unlike the cookie
const WORKSPACE = "bascule:workspace"; // of this tab; for a tab without a link the latest one of this browser
const ARRIVED = "bascule:arrived"; // the folder of the link, until the page has begun
const ENROL = "bascule:enrol"; // the code that a link for a device holds as well
const TOKEN = /[#&]token=([\w-]+)/;
const CODE = /[#&]enrol=([\w-]+)/;
const PATIENCE_MS = 10_000;

/// "used": the link was used or has expired. "silent": no reply.
export type SignInEnd = "in" | "used" | "silent";

const held = { key: "", workspace: "" }; // where storage is forbidden: until the page is closed

export function storedKey(): string {
  try {
    return localStorage.getItem(KEY) ?? held.key;
  } catch {
    return held.key;
  }
}

export function storedWorkspace(): string {
  try {
    return sessionStorage.getItem(WORKSPACE) ?? localStorage.getItem(WORKSPACE) ?? held.workspace;
  } catch {
    return held.workspace;
  }
}

function keep(key: string, workspace: string): void {
  try {
    localStorage.setItem(KEY, key);
    sessionStorage.setItem(WORKSPACE, workspace);
    sessionStorage.setItem(ARRIVED, workspace);
    if (workspace) localStorage.setItem(WORKSPACE, workspace);
  } catch {
    Object.assign(held, { key, workspace });
  }
}

function forget(): void {
  held.key = "";
  try {
    localStorage.removeItem(KEY);
  } catch {
    return;
  }
}

/// What a link holds, wherever it was pasted from; "" where it holds nothing.
export function tokenOf(link: string): string {
  return TOKEN.exec(link)?.[1] ?? "";
}

/// Takes what the link held out of the address, before anything else can read it there.
export function takeToken(): string {
  const token = tokenOf(location.hash);
  const code = CODE.exec(location.hash)?.[1];
  if (code) sessionStorage.setItem(ENROL, code);
  if (token) history.replaceState(null, "", location.pathname);
  return token;
}

/// Once: loaded again, the page shows what it showed.
export function takeArrival(): string {
  try {
    const arrived = sessionStorage.getItem(ARRIVED) ?? "";
    sessionStorage.removeItem(ARRIVED);
    return arrived;
  } catch {
    return "";
  }
}

/// Once: loaded again, the page does not offer a code that was used.
export function takeEnrolCode(): string {
  const code = hasEnrolCode() ? sessionStorage.getItem(ENROL) : "";
  if (code) sessionStorage.removeItem(ENROL);
  return code ?? "";
}

export function hasEnrolCode(): boolean {
  try {
    return sessionStorage.getItem(ENROL) !== null;
  } catch {
    return false;
  }
}

export async function signIn(token: string): Promise<SignInEnd> {
  try {
    const answer = await fetch("./signin", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ token }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (!answer.ok) return "used";
    const { key, workspace } = (await answer.json()) as { key: string; workspace: string };
    keep(key, workspace);
    return "in";
  } catch {
    return "silent";
  }
}

/// True when the daemon no longer takes this browser's key, by this or already before; the key is forgotten then.
export async function signOut(): Promise<boolean> {
  try {
    const answer = await fetch("./signout", {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Bascule-Key": storedKey() },
      body: "{}",
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const isOut = answer.ok || answer.status === 401;
    if (isOut) forget();
    return isOut;
  } catch {
    return false;
  }
}
