import assert from "node:assert/strict";
import { test } from "node:test";
import { isDirect } from "./loopback";

const ASKED = { authority: "127.0.0.1:4100", path: "/" };

test("the same address and a tunnel to it are direct", () => {
  assert.ok(isDirect(ASKED, ASKED));
  assert.ok(isDirect({ authority: "localhost:51000", path: "/" }, ASKED));
  assert.ok(isDirect({ authority: "[::1]:4100", path: "/" }, ASKED));
});

test("a proxy is not, wherever it runs", () => {
  assert.ok(!isDirect({ authority: "127.0.0.1:8080", path: "/proxy/4100/" }, ASKED));
  assert.ok(!isDirect({ authority: "code.example", path: "/" }, ASKED));
  assert.ok(!isDirect({ authority: "localhost.example:4100", path: "/" }, ASKED));
});
