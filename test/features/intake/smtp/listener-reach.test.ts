import { expect, test } from "vitest";
import { toReach } from "../../../../src/features/intake/smtp/login.ts";

test.each([
  ["127.0.0.1", "machine", "any"],
  ["localhost", "machine", "any"],
  ["::1", "machine", "any"],
  ["192.168.1.5", "network", "encrypted"],
  ["fd00::1", "network", "encrypted"],
  ["0.0.0.0", "all", "none"],
  ["203.0.113.9", "all", "none"],
] as const)("listener %s is reachable for %s, with login %s", (host, reach, login) => {
  expect(toReach({ host, port: 25 })).toEqual({ host, port: 25, reach, login });
});
