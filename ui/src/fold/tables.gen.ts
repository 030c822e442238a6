// Written by tools/gen_reference.py from src/bascule/core/session. Do not edit by hand.
import type { Block, TextGrew } from "../model.gen";

type Kind = Block["kind"];
type Progress = "inProgress" | "completed" | "failed" | "declined" | "cancelled";

export const MAX_BLOCKS: number = 20000;
export const MAX_RUNS: number = 5000;
export const MAX_TEXT: number = 2000000;
export const MAX_PARTS: number = 256;
export const OTHER_EVENTS: string = "Other events (debug)";
export const KIND: Record<TextGrew["field"], Kind> = {
  "text": "assistant",
  "summary": "reasoning",
  "raw": "reasoning",
  "output": "command",
  "stdin": "command",
  "detail": "fileChange",
  "progress": "mcp",
  "plan": "plan",
  "debug": "system"
};
export const TEXTS: Record<Kind, readonly string[]> = {
  "user": [
    "text"
  ],
  "remote": [
    "text"
  ],
  "assistant": [
    "text"
  ],
  "reasoning": [
    "summary",
    "raw"
  ],
  "command": [
    "output",
    "stdin"
  ],
  "fileChange": [
    "detail"
  ],
  "mcp": [
    "progress"
  ],
  "webSearch": [],
  "plan": [
    "text"
  ],
  "image": [],
  "divider": [
    "text"
  ],
  "info": [
    "text"
  ],
  "system": [
    "text"
  ],
  "error": [
    "text"
  ]
};
export const SIDE_TEXTS: Partial<Record<Kind, readonly string[]>> = {
  "command": [
    "output",
    "stdin"
  ],
  "fileChange": [
    "detail"
  ],
  "mcp": [
    "progress"
  ]
};
export const LEFT_OPEN: Record<string, Progress> = {
  "completed": "completed",
  "failed": "failed",
  "interrupted": "cancelled"
};
export const STATUS: Partial<Record<Kind, Progress>> = {
  "assistant": "inProgress",
  "reasoning": "inProgress",
  "command": "inProgress",
  "fileChange": "inProgress",
  "mcp": "inProgress",
  "webSearch": "inProgress",
  "image": "completed",
  "info": "completed"
};
