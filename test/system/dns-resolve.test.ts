import type { DNSResolver } from "mailauth";
import { spf } from "mailauth/lib/spf/index.js";
import { describe, expect, it } from "vitest";
import type { Dns } from "../../src/dns/answer.ts";
import { toResolve } from "../../src/system/dns-resolve.ts";
import { createZoneDns } from "../../src/system/zone.ts";

const dns = createZoneDns({
  "example.com": {
    A: ["192.0.2.1"],
    AAAA: ["2001:db8::1"],
    MX: [{ preference: 10, exchange: "mx.example.com" }],
    TXT: [["v=spf1 ", "mx -all"]],
    NS: ["ns.example.com"],
  },
  "mx.example.com": { A: ["192.0.2.25"] },
  "nobody.example": { MX: [{ preference: 0, exchange: "." }] },
  "servfail.example": "servfail",
  "refused.example": "refused",
  "silent.example": "timeout",
  "down.example": "unreachable",
});
const resolve = toResolve(dns);

describe("toResolve", () => {
  it("gives what dns.promises.resolve gives", async () => {
    expect(await resolve("example.com")).toEqual(["192.0.2.1"]);
    expect(await resolve("example.com", "AAAA")).toEqual(["2001:db8::1"]);
    expect(await resolve("example.com", "NS")).toEqual(["ns.example.com"]);
    expect(await resolve("example.com", "TXT")).toEqual([["v=spf1 ", "mx -all"]]);
    expect(await resolve("example.com", "MX")).toEqual([{ exchange: "mx.example.com", priority: 10 }]);
    expect(await resolve("nobody.example", "MX")).toEqual([{ exchange: "", priority: 0 }]);
  });

  it.each([
    ["absent.example", "ENOTFOUND"],
    ["mx.example.com", "ENODATA"],
    ["servfail.example", "ESERVFAIL"],
    ["refused.example", "EREFUSED"],
    ["silent.example", "ETIMEOUT"],
    ["down.example", "ECONNREFUSED"],
    ["cut\0here.example", "EBADNAME"],
    [`${"a".repeat(64)}.example`, "EBADNAME"],
  ])("throws for %j with code %s", async (name, code) => {
    await expect(resolve(name, "TXT")).rejects.toMatchObject({ code });
  });

  it("never blames the caller's name for a server's malformed answer", async () => {
    const babbling: Dns = {
      query: async (name, type) => ({ ...(await dns.query(name, type)), status: "malformed", records: [] }),
    };
    await expect(toResolve(babbling)("example.com", "A")).rejects.toMatchObject({ code: "EBADRESP" });
  });

  it("refuses a type that it does not know", async () => {
    await expect(resolve("example.com", "ANY")).rejects.toMatchObject({ code: "EBADQUERY" });
  });

  it("goes straight into mailauth", async () => {
    const judge = (ip: string, sender: string) =>
      spf({ ip, sender, helo: "h.example", resolver: resolve as DNSResolver, mta: "m.example" });
    expect((await judge("192.0.2.25", "a@example.com")).status.result).toBe("pass");
    expect((await judge("192.0.2.99", "a@example.com")).status.result).toBe("fail");
    expect((await judge("192.0.2.99", "a@absent.example")).status.result).toBe("none");
    expect((await judge("192.0.2.99", "a@silent.example")).status.result).toBe("temperror");
  });
});
