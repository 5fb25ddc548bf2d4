import { describe, expect, it } from "vitest";
import { Refusal } from "../../../src/platform/errors.ts";
import { createHostResolver, createTargetGuard, validateTargetUrl } from "../../../src/platform/system/target-guard.ts";
import { dnsFrom } from "../../analyzer/dns/answers.ts";

const none = { all: false, networks: [] };
const dns = dnsFrom({
  "hooks.example": ["192.30.255.112", "2606:50c0::1"],
  "inside.example": ["10.0.0.5"],
  "half.example": ["8.8.8.8", "::ffff:192.168.0.1"],
  "metadata.example": ["169.254.169.254"],
  "ill.example": "timeout",
  localhost: ["8.8.8.8"],
});
const guard = (allow: typeof none | { all: boolean; networks: string[] }) =>
  createTargetGuard({ allow, resolveHost: createHostResolver(dns) });

async function problemOf(url: string, allow = none): Promise<string> {
  return validateTargetUrl(url, allow, dns).catch((error) => {
    expect(error).toBeInstanceOf(Refusal);
    expect(error).toMatchObject({ code: "invalid_url", details: { field: "url" } });
    return error.message;
  });
}

describe("validateTargetUrl", () => {
  it.each(["https://hooks.example/a?b=c", "http://8.8.8.8:8080/", "https://not-yet.example/", "https://ill.example/"])(
    "validateTargetUrl accepts %s",
    async (url) => expect(await problemOf(url)).toBe(url),
  );

  it.each([
    "https://inside.example/",
    "https://half.example/",
    "http://metadata.example/",
    "http://localhost:8080/",
    "http://api.localhost/",
    "http://0x0a000001/",
    "http://012.1/",
    "http://[fe80::1]/",
    "http://[::ffff:a00:1]/",
  ])("validateTargetUrl rejects %s as internal", async (url) => expect(await problemOf(url)).toContain("not public"));

  it.each(["hooks.example", "/a", "mailto:a@b.example", "https://me@hooks.example/"])(
    "validateTargetUrl rejects %s as an invalid target",
    async (url) => expect(await problemOf(url)).toMatch(/^The URL must/),
  );

  it("validateTargetUrl explains the problem to a person", async () => {
    expect(await problemOf("https://inside.example/")).toBe(
      "inside.example resolves to an address that is not public (private). This server only connects to public addresses.",
    );
  });

  it("validateTargetUrl accepts what the operator allows, and nothing else", async () => {
    const allow = { all: false, networks: ["10.0.0.0/8"] } as unknown as typeof none;
    expect(await problemOf("https://inside.example/", allow)).toBe("https://inside.example/");
    expect(await problemOf("https://half.example/", allow)).toContain("not public");
    const all = { ...none, all: true };
    expect(await problemOf("http://localhost/", all)).toBe("http://localhost/");
  });
});

describe("the target guard", () => {
  it("the target guard returns the IPs to connect to", async () => {
    expect(await guard(none)("hooks.example")).toEqual({ ok: true, addresses: ["192.30.255.112", "2606:50c0::1"] });
  });

  it("the target guard treats localhost as loopback regardless of DNS, and returns only allowed IPs", async () => {
    expect(await guard(none)("localhost")).toMatchObject({ ok: false, failure: "refused_address" });
    expect(await guard({ all: false, networks: ["127.0.0.0/8"] })("a.localhost")).toEqual({
      ok: true,
      addresses: ["127.0.0.1"],
    });
    expect(await guard({ all: false, networks: ["::1/128"] })("localhost")).toEqual({ ok: true, addresses: ["::1"] });
  });

  it("the target guard makes no DNS query for an IP", async () => {
    const before = dns.asked.length;
    await guard(none)("8.8.8.8");
    await guard(none)("2606:50c0::1");
    expect(dns.asked.length).toBe(before);
  });
});
