// What this page may do here, and how the device that it runs on comes to answer.
import { type Accessor, createSignal } from "solid-js";
import type { DeviceKey, DeviceKeys } from "../host/device_keys";
import { Lost, Refused } from "../link/connection";
import type { Access, Ask, Choice, Requests } from "../model.gen";

export type Enrolment =
  | { state: "idle" }
  | { state: "waiting"; fingerprint: string } // for the person at the machine
  | { state: "enrolled"; name: string }
  | { state: "refused"; why: string };

const NONCE_MS = 30_000; // a proof that took longer, as over a sleep, may be refused for its age alone

type Call = <M extends keyof Requests>(
  method: M,
  params: Requests[M]["params"],
) => Promise<Requests[M]["result"]>;

/// Without a word from the daemon nothing is held back: it checks each answer by itself.
export function mayAnswer(access: Access | undefined): boolean {
  return access === undefined || (access.may ?? []).includes("answer");
}

/// Whether it may say what a workspace is: only at this machine.
export function mayManage(access: Access | undefined): boolean {
  return access === undefined || (access.may ?? []).includes("manage");
}

/// Whether it may begin or change anything; otherwise it only looks.
export function mayAct(access: Access | undefined): boolean {
  return access === undefined || (access.may ?? []).includes("ask");
}

/// From outside a yes counts for some kinds, and never for longer than this once.
export function mayChoose(access: Access | undefined, ask: Ask, choice: Choice): boolean {
  if (!mayAnswer(access)) return false;
  if (!choice.grants || access?.door !== "outside") return true;
  return (
    (choice.lasts ?? "once") === "once" && !choice.rule && (access.yes_to ?? []).includes(ask.subject.about)
  );
}

export class DeviceAccess {
  private accessCell = createSignal<Access>();
  private enrolmentCell = createSignal<Enrolment>({ state: "idle" });
  readonly access: Accessor<Access | undefined> = this.accessCell[0];
  readonly enrolment: Accessor<Enrolment> = this.enrolmentCell[0];

  constructor(
    private readonly keys: DeviceKeys,
    private readonly call: Call,
    private readonly onRefused: (why: string) => void,
  ) {}

  /// A new connection: what it may, and more once the device has proved itself.
  async begin(access: Access | undefined): Promise<void> {
    this.accessCell[1](access);
    if (access?.door !== "outside" || !this.keys.canKeep()) return;
    try {
      const known = await this.keys.find();
      if (known) await this.proveKnown(known.device, known.key);
    } catch (fault) {
      if (!(fault instanceof Lost)) this.onRefused((fault as Error).message);
    }
  }

  async enrol(code: string): Promise<void> {
    if (this.enrolment().state === "waiting") return;
    const tell = this.enrolmentCell[1];
    try {
      const { key, keep } = await this.keys.make();
      tell({ state: "waiting", fingerprint: key.fingerprint });
      const signature = await key.signOffer(code);
      const device = await this.call("device.offer", { code, key: key.publicKey, signature });
      await keep(device.device_id);
      await this.prove(device.device_id, (nonce) => key.signProof(device.device_id, nonce));
      tell({ state: "enrolled", name: device.name });
    } catch (fault) {
      tell({ state: "refused", why: (fault as Error).message });
    }
  }

  /// A device that was revoked looks on like any other, and may be enrolled again.
  private async proveKnown(device: string, key: DeviceKey): Promise<void> {
    const beganMs = Date.now();
    try {
      await this.prove(device, (nonce) => key.signProof(device, nonce));
    } catch (fault) {
      if (!(fault instanceof Refused)) throw fault;
      if (Date.now() - beganMs < NONCE_MS) await this.keys.forget(device);
    }
  }

  private async prove(device: string, sign: (nonce: string) => Promise<string>): Promise<void> {
    const { nonce } = await this.call("device.challenge", {});
    const access = await this.call("device.prove", { device_id: device, signature: await sign(nonce) });
    this.accessCell[1](access);
  }
}
