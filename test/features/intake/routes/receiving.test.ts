import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import type { Receiving } from "../../../../src/features/intake/contract/receiving.ts";
import { type HttpWorldOptions, startHttpWorld } from "../../../http/http-world.ts";

const everywhere = [
  { host: "0.0.0.0", port: 25, reach: "all", login: "none" },
  { host: "::", port: 25, reach: "all", login: "none" },
] as const;

async function readUnder(host: string, options: HttpWorldOptions = {}): Promise<Receiving> {
  const world = await startHttpWorld(options);
  const { id } = await world.createWorkspace("Letters");
  const { token } = await world.issueToken(id);
  const headers = { host, authorization: `Bearer ${token}`, "x-workspace-id": id };
  const asked = request(`${world.base}/api/receiving`, { headers });
  asked.end();
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  return JSON.parse(await text(answer));
}

describe("GET /api/receiving", () => {
  test("GET /api/receiving has the values that an app needs, and fills them into the snippets", async () => {
    const world = await startHttpWorld();
    const { id, seed_address: address } = await world.createWorkspace("Letters");
    const asked = { token: (await world.issueToken(id)).token, workspace: id };
    const { json } = await world.ask("GET", "/api/receiving", asked);
    expect(json).toMatchObject({
      address,
      listeners: [{ host: "127.0.0.1", port: 2525, reach: "machine", login: "any" }],
      certificate: "self-signed",
      isProxied: false,
      isReserved: true,
    });
    const snippets = (json as Receiving).snippets;
    expect(snippets.map(({ id }) => id)).toEqual([
      "swaks",
      "curl",
      "python",
      "node",
      "php",
      "laravel",
      "wordpress",
      "postfix",
      "gmail",
    ]);
    for (const { text } of snippets.slice(0, -1)) expect(text).toContain("2525");
    expect(snippets.at(-1)).toMatchObject({ text: null, note: expect.stringContaining("Set up your own domain") });
  });

  test.each([
    ["a name", "mail.sender.example:8080", "mail.sender.example"],
    ["an address", "192.168.1.5", "192.168.1.5"],
    ["IPv6", "[2001:db8::5]:8080", "2001:db8::5"],
    ["loopback", "localhost:8080", "127.0.0.1"],
    ["IPv6 loopback", "[::1]", "127.0.0.1"],
    ["a name that a shell would run", "$(reboot)", "127.0.0.1"],
    ["a name with a quote", "a';reboot;'", "127.0.0.1"],
  ])(
    "GET /api/receiving uses the request's host name for a listener on all addresses: %s",
    async (_what, asked, host) => {
      const { listeners, snippets } = await readUnder(asked, { listeners: everywhere });
      expect(listeners).toEqual([{ host, port: 25, reach: "all", login: "none" }]);
      expect(JSON.stringify(snippets)).not.toContain("reboot");
      expect(snippets[1]?.text).toContain(host.includes(":") ? `smtp://[${host}]:25` : `smtp://${host}:25`);
    },
  );

  test("GET /api/receiving uses the configured SMTP host name", async () => {
    const settings = { ASSAY_SMTP_HOSTNAME: "mx.sender.org", ASSAY_SEED_DOMAINS: "seed.example,seed.sender.org" };
    const { listeners } = await readUnder("assay.sender.org", { listeners: everywhere, machine: { settings } });
    expect(listeners[0]?.host).toBe("mx.sender.org");
  });

  test("GET /api/receiving has no snippets without a test address", async () => {
    const settings = { ASSAY_SEED_DOMAINS: "other.org" };
    const { address, snippets } = await readUnder("localhost", { machine: { settings } });
    expect([address, snippets]).toEqual([null, []]);
  });
});
