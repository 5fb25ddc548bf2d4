// The RFC 7208 suite through the command line, with a real DNS server.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { run } from "../../../../src/commands.ts";
import { readSpfSuite } from "../../../analyzer/facts/spf-suite.ts";
import { startDnsServer, type TestDnsServer } from "../../../dns-server.ts";
import { testTerminal } from "../../../platform/cli/terminal.ts";

const suite = readSpfSuite();

// A file without any test fails, so that the suite's absence is a skipped test and not an empty file.
test.skipIf(suite.length === 0)("the suite is available", () => {
  expect(suite.length).toBeGreaterThan(10);
});

describe.each(suite)("assay spf, $description", ({ zone, cases }) => {
  let server: TestDnsServer;
  beforeAll(async () => {
    server = await startDnsServer({ zone });
  });
  afterAll(() => server.close());

  test.concurrent.each(cases)(
    "assay spf has the right result in the RFC 7208 test $name",
    async ({ client, results, explanation }) => {
      const terminal = testTerminal({
        ASSAY_DNS_SERVERS: `${server.address}:${server.port}`,
        ASSAY_DNS_TIMEOUT_MS: "1000",
      });
      const names = ["--helo", client.helo, `--mail-from=${client.mailFrom}`];
      const exitCode = await run(["spf", "--ip", client.address, ...names, "--json"], terminal);
      const [expected] = results;
      expect(JSON.parse(terminal.output())).toMatchObject({
        result: expected,
        ...(explanation === undefined ? {} : { explanation }),
      });
      expect(exitCode).toBe(expected === "temperror" ? 3 : 0);
    },
  );
});
