// The mirrors of the sessions that were looked at last; the daemon is asked for these and no others.
import { createSignal } from "solid-js";
import type { ChangedNotify, SnapshotNotify } from "../../model.gen";
import { LiveMirror } from "./mirror";

const MAX_WATCHED = 4; // going back to one of these costs nothing
const UNSEEN_MS = 250; // a page that is not looked at gets no frames; its state goes on all the same

interface WatchCalls {
  watch(session: string): void;
  unwatch(session: string): void;
}

export class Mirrors {
  private wanted: string[] = []; // the latest last
  private dirty = new Set<LiveMirror>();
  private scheduled = false;
  private mirrors = createSignal<ReadonlyMap<string, LiveMirror>>(new Map());

  constructor(private readonly daemon: WatchCalls) {}

  find(session: string): LiveMirror | undefined {
    return this.mirrors[0]().get(session);
  }

  want(session: string): void {
    const isNew = !this.wanted.includes(session);
    this.wanted = [...this.wanted.filter((one) => one !== session), session];
    if (isNew) this.daemon.watch(session);
    while (this.wanted.length > MAX_WATCHED) this.leave(this.wanted.shift() ?? "");
  }

  /// The connection is new: everything begins with a snapshot.
  watchAgain(): void {
    for (const session of this.wanted) this.daemon.watch(session);
  }

  /// The daemon doesn't have it; when it is wanted again, it is asked for again.
  forget(session: string): void {
    this.wanted = this.wanted.filter((one) => one !== session);
    this.drop(session);
  }

  snapshot(snapshot: SnapshotNotify): void {
    if (!this.wanted.includes(snapshot.session_id)) return;
    const known = this.find(snapshot.session_id);
    if (known) return known.restart(snapshot);
    const mirror = new LiveMirror(snapshot.session_id, snapshot);
    this.mirrors[1]((all) => new Map(all).set(snapshot.session_id, mirror));
  }

  changed(news: ChangedNotify): void {
    const mirror = this.find(news.session_id);
    if (!mirror) return;
    if (mirror.advance(news)) this.publishSoon(mirror);
    else this.daemon.watch(news.session_id);
  }

  private leave(session: string): void {
    this.daemon.unwatch(session);
    this.drop(session);
  }

  private drop(session: string): void {
    this.mirrors[1]((all) => new Map([...all].filter(([id]) => id !== session)));
  }

  private publishSoon(mirror: LiveMirror): void {
    this.dirty.add(mirror);
    if (this.scheduled) return;
    this.scheduled = true;
    if (document.visibilityState === "visible") requestAnimationFrame(() => this.publish());
    else setTimeout(() => this.publish(), UNSEEN_MS);
  }

  private publish(): void {
    this.scheduled = false;
    for (const mirror of this.dirty) mirror.publish();
    this.dirty.clear();
  }
}
