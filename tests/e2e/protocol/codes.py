"""Error codes as the specification writes them: on their own, so that a change of ours shows."""

NOT_JSON, NOT_A_REQUEST, NO_METHOD, BAD_PARAMS = -32700, -32600, -32601, -32602
FAILED, BUSY, NO_RUN, USER_CANCELLED, NO_SESSION = -32000, -32001, -32002, -32003, -32004
