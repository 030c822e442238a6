// Bytes as they travel: base64, in both directions.

type Decoder = { fromBase64?: (text: string) => Uint8Array };

export function fromBase64(text: string): Uint8Array {
  const native = (Uint8Array as unknown as Decoder).fromBase64;
  if (native) return native.call(Uint8Array, text);
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000)
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}

/// What xterm calls binary: each character is one byte.
export function ofBinary(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0) & 0xff);
}
