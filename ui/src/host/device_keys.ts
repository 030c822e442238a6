// This device's key: its private half is made here, cannot be read out, and never leaves the browser.

const DATABASE = "bascule-device";
const STORE = "keys";
const SLOT = "device"; // one for each address that the page is served from
const ECDSA = { name: "ECDSA", namedCurve: "P-256" } as const;
const SIGNING = { name: "ECDSA", hash: "SHA-256" } as const;
const FINGERPRINT_BYTES = 16;
const OFFER = "bascule device offer 1";
const PROOF = "bascule device proof 1";

export interface DeviceKey {
  readonly publicKey: string; // SubjectPublicKeyInfo, DER in base64
  readonly fingerprint: string;
  signOffer(code: string): Promise<string>;
  signProof(device: string, nonce: string): Promise<string>;
}

export interface DeviceKeys {
  /// Whether this browser can keep a key: only over TLS, and not in every private window.
  canKeep(): boolean;
  /// The device that this browser was enrolled as.
  find(): Promise<{ device: string; key: DeviceKey } | undefined>;
  make(): Promise<{ key: DeviceKey; keep(device: string): Promise<void> }>;
  /// The machine no longer knows this device: its key is good for nothing.
  forget(device: string): Promise<void>;
}

interface Stored {
  device: string;
  pair: CryptoKeyPair;
}

export function makeDeviceKeys(): DeviceKeys {
  return {
    canKeep: () => window.isSecureContext && "subtle" in crypto && "indexedDB" in window,
    async find() {
      const stored = await inStore<Stored | undefined>("readonly", (store) => store.get(SLOT));
      return stored ? { device: stored.device, key: await describe(stored.pair) } : undefined;
    },
    async make() {
      const pair = await crypto.subtle.generateKey(ECDSA, false, ["sign", "verify"]);
      const keep = async (device: string) => {
        await inStore("readwrite", (store) => store.put({ device, pair } satisfies Stored, SLOT));
      };
      return { key: await describe(pair), keep };
    },
    async forget(device) {
      const stored = await inStore<Stored | undefined>("readonly", (store) => store.get(SLOT));
      if (stored?.device === device) await inStore("readwrite", (store) => store.delete(SLOT));
    },
  };
}

async function describe(pair: CryptoKeyPair): Promise<DeviceKey> {
  const spki = await crypto.subtle.exportKey("spki", pair.publicKey);
  const publicKey = toBase64(spki);
  const sign = async (...lines: readonly string[]) => {
    const words = new TextEncoder().encode(lines.join("\n"));
    return toBase64(await crypto.subtle.sign(SIGNING, pair.privateKey, words));
  };
  return {
    publicKey,
    fingerprint: await fingerprintOf(spki),
    signOffer: (code) => sign(OFFER, location.host, code, publicKey),
    signProof: (device, nonce) => sign(PROOF, location.host, device, nonce),
  };
}

/// As the machine shows it: the two are compared by a person.
async function fingerprintOf(spki: ArrayBuffer): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", spki)).slice(0, FINGERPRINT_BYTES);
  const digits = [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/(.{4})(?=.)/g, "$1 ");
}

function toBase64(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)));
}

function inStore<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest): Promise<T> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const database = opening.result;
      const transaction = database.transaction(STORE, mode);
      const request = act(transaction.objectStore(STORE));
      transaction.oncomplete = () => {
        database.close();
        resolve(request.result as T);
      };
      transaction.onabort = () => {
        database.close();
        reject(transaction.error);
      };
    };
  });
}
