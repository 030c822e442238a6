// Written by tools/gen_reference.py from the modules that hold to them. Do not edit by hand.

export const MAX_COMMENTS = 200;
export const MAX_COMMENT = 10000;
export const MAX_ATTACHED_BYTES = 20971520;
export const MAX_WATCHED = 5000;
export const MAX_QUERY = 200;
export const MANY_LINES = 15;
export const VIEWED = "watched:";
