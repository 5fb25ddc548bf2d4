import { expect, test } from "vitest";
import { type Started, toWelcome } from "../../../../src/features/server/command/welcome.ts";
import { toStyle } from "../../../../src/features/tests/formats/style.ts";
import { testTerminal } from "../../../platform/cli/terminal.ts";

const plain = toStyle(testTerminal({ LANG: "C.UTF-8" }));
const started: Started = {
  http: "http://127.0.0.1:8080",
  smtp: ["127.0.0.1:2525"],
  seedAddress: "w7k3qz2m9p@seed.localhost",
  setUpLink: null,
  setUpCode: null,
  version: "1.2.3",
  startedInMs: 312,
  isSmtpLocal: true,
  sampleCommand: "npm run -s assay -- send-sample",
};

test("the first start shows the setup link, then all addresses, and what to send", () => {
  const setUpLink = "http://127.0.0.1:8080/setup#abc";
  expect(toWelcome({ ...started, setUpLink, setUpCode: "K7QF-2MXD" }, plain)).toBe(`
  Assay 1.2.3  ready in 0.3 s

  →  Finish setup  http://127.0.0.1:8080/setup#abc
     The link works once and expires after 24 hours.

     Web    http://127.0.0.1:8080
     Code   K7QF-2MXD (if you open the web address instead of the link)
     SMTP   127.0.0.1:2525 (this machine only)
     Inbox  w7k3qz2m9p@seed.localhost

  Send a sample message from another terminal:
     npm run -s assay -- send-sample

  Press Ctrl-C to stop.

`);
});

test("after setup, the web address comes first", () => {
  const said = toWelcome(started, plain);
  expect(said).toContain("  →  Web    http://127.0.0.1:8080\n     SMTP   127.0.0.1:2525");
  expect(said).not.toContain("setup");
});

test("links are colored if the terminal supports colors", () => {
  const colored = toStyle({ ...testTerminal({ LANG: "C.UTF-8" }), colour: true });
  expect(toWelcome(started, colored)).toContain("\x1b[4;36mhttp://127.0.0.1:8080\x1b[0m");
});

test("a listener that other machines can reach is not called local", () => {
  const smtp = ["0.0.0.0:25", "[::]:25"];
  expect(toWelcome({ ...started, smtp, isSmtpLocal: false }, plain)).toContain("SMTP   0.0.0.0:25, [::]:25\n");
});

test("without a seed address, the welcome says where to create one and shows no failing command", () => {
  const said = toWelcome({ ...started, seedAddress: null }, plain);
  expect(said).toContain("Inbox  none yet. Create a seed address in Settings.");
  expect(said).not.toMatch(/send-sample|null/);
});
