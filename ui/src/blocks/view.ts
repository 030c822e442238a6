// What every view of a block is given.
import type { Block } from "../model.gen";
import type { Mirror } from "../state/room";

export type BlockOf<K extends Block["kind"]> = Extract<Block, { kind: K }>;

export interface ViewProps<K extends Block["kind"]> {
  mirror: Mirror;
  block: BlockOf<K>;
}
