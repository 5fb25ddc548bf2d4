import { expect, test } from "vitest";
import { toReach } from "../../../../src/features/intake/smtp/login.ts";

test.each([
  ["127.0.0.1", "auto", "machine", "any"],
  ["::1", "auto", "machine", "any"],
  ["localhost", "on", "machine", "any"],
  ["127.0.0.1", "off", "machine", "none"],
  ["192.168.1.5", "auto", "network", "encrypted"],
  ["fd00::1", "off", "network", "none"],
  ["0.0.0.0", "auto", "all", "none"],
  ["::", "on", "all", "encrypted"],
  ["203.0.113.9", "auto", "all", "none"],
] as const)("%s with ASSAY_SMTP_AUTH=%s: for %s, login %s", (host, smtpAuth, reach, login) => {
  expect(toReach({ smtpAuth }, { host, port: 25 })).toEqual({ host, port: 25, reach, login });
});
