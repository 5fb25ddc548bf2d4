// Commands as clients of a server that isn't Assay, is down, or is malicious.

import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { run } from "../../../src/commands.ts";
import { toPrintable } from "../../../src/features/tests/command/remote-tests.ts";
import { testTerminal } from "./terminal.ts";

const token = `asy_${"k".repeat(40)}`;
const me = JSON.stringify({
  via: "token",
  user: null,
  token: { id: `tok_${"0".repeat(26)}`, name: "ci", expiresAt: null },
  workspaces: [],
});

type Answer = { readonly status?: number; readonly body: string; readonly headers?: Record<string, string> };

const open: Server[] = [];
afterAll(() => {
  for (const server of open) server.close();
});

async function serverThat(answer: (path: string) => Answer) {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    const { status = 200, body, headers = {} } = answer(request.url ?? "");
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(server);
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function assay(url: string, ...argv: string[]) {
  const terminal = testTerminal({ ASSAY_URL: url, ASSAY_TOKEN: token });
  const exitCode = await run(argv.length === 0 ? ["tests"] : argv, terminal);
  return { exitCode, output: terminal.output(), complaints: terminal.complaints() };
}

const refusal = (error: string, message = "No.") => JSON.stringify({ error, message });

// Side by side, because those whose server fails wait and try again.
test.concurrent.each([
  [401, "missing_token", 5],
  [403, "forbidden", 5],
  [404, "not_found", 4],
  [400, "invalid_request", 2],
  [402, "plan_limit", 6],
  [429, "rate_limited", 6],
  [503, "overloaded", 6],
])("the response %i %s ends a command with exit status %i", async (status, error, exitCode) => {
  const { url } = await serverThat(() => ({ status, body: refusal(error) }));
  expect(await assay(url)).toEqual({ exitCode, output: "", complaints: "No.\n" });
});

test.concurrent.each([
  ["a page", { body: "<!DOCTYPE html>", headers: { "content-type": "text/html" } }],
  ["a page with an error", { status: 502, body: "<h1>Bad gateway</h1>" }],
  ["a redirect", { status: 302, body: "", headers: { location: "http://127.0.0.1:9/" } }],
  ["a list", { body: "[]" }],
  ["other fields", { body: '{"hello": 1}' }],
  ["fields of other types", { body: me.replace("[]", '"none"') }],
])("a server that answers with %s is not treated as Assay", async (_name, answer) => {
  const { url } = await serverThat(() => answer);
  const { exitCode, output, complaints } = await assay(url);
  expect({ exitCode, output }).toEqual({ exitCode: 6, output: "" });
  expect(complaints).toMatch(/respond.* Is the address right\?\n$/);
});

test.concurrent("a token without a workspace is rejected", async () => {
  const { url } = await serverThat(() => ({ body: me }));
  expect(await assay(url)).toMatchObject({ exitCode: 5, complaints: "The token has no access to any workspace.\n" });
});

test.concurrent("a list from a server that sends no grades shows the same grades", async () => {
  const workspaces = [{ id: `wsp_${"0".repeat(26)}`, name: "Ours" }];
  const results = { spf: "pass", dkim: "pass", dmarc: "pass" };
  const ofTest = { id: `tst_${"0".repeat(26)}`, received_at: "2026-11-28T10:00:00.000Z", status: "analyzed" };
  const items = [
    { ...results, composite: 95 },
    { ...results, composite: 95, coverage: 0.5 },
    { ...results, composite: 95, dmarc: null },
    { ...results, composite: 95, grade: null },
    { ...results, composite: 95, grade: "A" },
  ].map((one) => ({ coverage: 1, ...ofTest, ...one }));
  const { url } = await serverThat((path) => ({
    body: path.startsWith("/api/tests")
      ? JSON.stringify({ items, nextCursor: null })
      : JSON.stringify({ ...JSON.parse(me), workspaces }),
  }));
  const { output } = await assay(url);
  const grades = [...output.matchAll(/ 95 (\w+)/g)].map(([, grade]) => grade);
  expect(grades).toEqual(["A", "provisional", "provisional", "provisional", "A"]);
});

test.concurrent("the first request is tried three times, and succeeds if the server answers in time", async () => {
  let calls = 0;
  const { url, asked } = await serverThat(() =>
    calls++ === 0 ? { status: 503, body: refusal("overloaded") } : { status: 403, body: refusal("forbidden") },
  );
  expect((await assay(url)).exitCode).toBe(5);
  expect(asked).toHaveLength(2);
  expect(await assay("http://127.0.0.1:1")).toMatchObject({
    exitCode: 6,
    complaints: "Cannot reach Assay at http://127.0.0.1:1. 127.0.0.1 refused the connection.\n",
  });
});

test("a server cannot reveal the token or control the terminal with its response", async () => {
  const { url, asked } = await serverThat(({ length }) => ({
    status: 403,
    body: refusal("forbidden", `Bearer ${token} \x1b[2J${"x".repeat(length + 900)}`),
  }));
  const { complaints } = await assay(url);
  expect(asked[0]?.headers.authorization).toBe(`Bearer ${token}`);
  expect(complaints).not.toContain(token);
  expect(complaints).toMatch(/^Bearer asy_… \\u001b\[2Jx{400,500}… \(\d+ characters\)\n$/);
});

test("a server's report keeps its lines and colors, and loses other control characters", () => {
  expect(toPrintable("\x1b[1;31mA\x1b[0m\nB\t\x1b[2J\x1b]0;title\x07\x9b31m\r\n\n[31m")).toBe(
    "\x1b[1;31mA\x1b[0m\nB\\t\\u001b[2J\\u001b]0;title\\u0007\\u009b31m\\r\n\n[31m",
  );
});

test.each([
  ["ftp://assay.example", /--url must be the address/],
  ["assay.example", /--url must be the address/],
  ["https://ann:secret@assay.example", /without a username or password/],
])("the URL %s is rejected before a request is sent", async (url, complaint) => {
  const { exitCode, complaints } = await assay(url);
  expect(exitCode).toBe(2);
  expect(complaints).toMatch(complaint);
  expect(complaints).not.toContain("secret");
});

test("a token with invalid characters is rejected without being shown", async () => {
  const { exitCode, complaints } = await assay("http://127.0.0.1:1", "tests", "--token", "asy_\r\nx: y");
  expect({ exitCode, complaints }).toEqual({
    exitCode: 2,
    complaints: "The token contains characters that no token has.\n",
  });
});

test.concurrent("a warning is shown for http to another machine, but not to this one", async () => {
  const here = ["http://127.0.0.1:1", "http://localhost:1", "http://[::1]:1", "https://assay.invalid"];
  const [far, ...others] = await Promise.all(["http://assay.invalid", ...here].map((url) => assay(url)));
  expect(far?.complaints).toMatch(/^Warning: http:\/\/assay\.invalid is not encrypted/);
  for (const { complaints } of others) expect(complaints).not.toContain("Warning");
});

test("the MCP URL works as the server's URL", async () => {
  const { url, asked } = await serverThat(() => ({ status: 403, body: refusal("forbidden") }));
  for (const end of ["/mcp", "/", "/behind/a/proxy/"]) await assay(`${url}${end}`);
  expect(asked.map((request) => request.url)).toEqual(["/api/me", "/api/me", "/behind/a/proxy/api/me"]);
});

test.each([
  [["wait"], /Say which test/],
  [["wait", "--label", "a", "--message-id", "b"], /Say which test/],
  [["wait", "--address", "postmaster"], /--address must be an address/],
  [["wait", "--label", "a", "--save", "report.pdf"], /--save needs a file name that ends with \.txt/],
  [["address", "--label", "a b"], /--label must have letters/],
  [["address", "--as", "hotmial"], /--as must be one of gmail, .*\. Did you mean hotmail\?/],
  [["tests", "--limit", "101"], /--limit must be/],
  [["send", "--from", "a@b.example"], /--subject/],
  [["domain", "a.example", "--dns", "zone.txt", "--url", "http://127.0.0.1:1"], /can't be used with --url/],
])("the command line %j is a usage error", async (argv, complaint) => {
  const { exitCode, complaints } = await assay("http://127.0.0.1:1", ...argv);
  expect(exitCode).toBe(2);
  expect(complaints).toMatch(complaint);
});

test("an alert has the same service name and state as in the app", async () => {
  const alert = (changes: object) => ({
    id: `alr_${"0".repeat(26)}`,
    label: "On call",
    url: "https://x.example/…",
    kind: "json",
    events: ["domain.drift"],
    thresholdScore: null,
    enabled: true,
    disabledBecause: null,
    createdAt: "2026-11-26T09:00:00.000Z",
    preset: null,
    schedule: "immediate",
    digestTime: null,
    timeZone: null,
    email: null,
    lastDelivery: null,
    ...changes,
  });
  const delivery = { id: `dlv_${"0".repeat(26)}`, at: "2026-11-26T09:00:00.000Z", status: "dead", httpStatus: 500 };
  const email = { address: "a@b.example", state: "pending", problem: null, askedAt: null, confirmedAt: null };
  const items = [
    alert({ preset: "teams" }),
    alert({ preset: "google-chat", lastDelivery: delivery }),
    alert({ kind: "email", email }),
    alert({ enabled: false }),
  ];
  const workspaces = [{ id: `wsp_${"0".repeat(26)}`, name: "Ours", role: "owner" }];
  const { url } = await serverThat((path) => ({
    body: path === "/api/me" ? JSON.stringify({ ...JSON.parse(me), workspaces }) : JSON.stringify({ items }),
  }));
  const { exitCode, output } = await assay(url, "alerts");
  expect(exitCode).toBe(0);
  const rows = output.split("\n").map((line) => line.split(/ {2,}/).slice(1, 4));
  expect(rows.slice(0, 5)).toEqual([
    ["TYPE", "STATUS", "LAST DELIVERY (UTC)"],
    ["Teams", "Not used yet", "none yet"],
    ["Google Chat", "Failing", "2026-11-26 09:00"],
    ["Email", "Not confirmed", "none yet"],
    ["JSON", "Paused", "none yet"],
  ]);
});
