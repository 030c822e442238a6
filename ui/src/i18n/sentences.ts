// The daemon's own sentences, by their codes, in the page's other languages. English is as the daemon says it.
import type { Tables } from "./docs";
import { JA } from "./sentences_ja";
import { ZH } from "./sentences_zh";

export const SENTENCES: Tables = { ja: JA, zh: ZH };
