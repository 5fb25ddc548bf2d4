import { describe, expect, test } from "vitest";
import { type Concealed, createMask } from "../../../src/analyzer/reports/mask.ts";

const seedAddress = "w7k3qz2m9p+welcome@seed.example";

function masked(text: string, more: Partial<Concealed> = {}): string {
  return createMask({
    seedAddresses: [seedAddress],
    seedDomains: ["seed.example"],
    recipients: ["bob@there.example", "bob@xn--bcher-kva.example", "bob@méxico.example"],
    ordinaryWords: new Set(["newsletter"]),
    ...more,
  })(text);
}

describe("a private address", () => {
  test.each([
    ["as written", seedAddress],
    ["in another case", "W7K3QZ2M9P+Welcome@Seed.Example"],
    ["without its label", "w7k3qz2m9p@seed.example"],
    ["of another mailbox at the seed domain", "other@seed.example"],
    ["in a bounce address", "bounce+w7k3qz2m9p=seed.example@sender.example"],
    ["in quoted-printable", "w7k3qz2m9p+welcome=40seed.example"],
    ["escaped for a URL", "w7k3qz2m9p%2Bwelcome%40seed.example"],
    ["in base64", Buffer.from(seedAddress).toString("base64")],
    ["in hex", Buffer.from(seedAddress).toString("hex")],
    ["as only a local part", "Dear w7k3qz2m9p,"],
    ["with invisible characters", "w7k3\u00adqz2m9p\u200b+welcome@seed.example"],
    ["with invisible characters beside others without", "o@seed.example\ufeffo@seed.example bo\u200bb@there.example"],
    ["written backwards", "\u202eelpmaxe.ereht@bob\u202c"],
    ["at a domain in letters", "bob@bücher.example"],
    ["at a domain in Punycode", "bob@xn--mxico-bsa.example"],
    ["of another person", "To: Bob <bob@there.example>"],
  ])("a private address is masked %s", (_how, text) => {
    const shown = masked(`“${text}” was found (${text}).`);
    expect(shown).toContain("[hidden]");
    expect(shown).not.toMatch(/w7k3qz2m9p|bo\u200b?b@|@bob/i);
    expect(shown).not.toContain(text);
  });

  test.each(["a~~~b@seed.example", "joe???x@seed.example"])(
    "a private address is masked in both kinds of base64: %s",
    (address) => {
      const forms = [Buffer.from(address).toString("base64"), Buffer.from(address).toString("base64url")];
      expect(forms[0]).not.toBe(forms[1]);
      expect(masked(forms.join(" "), { seedAddresses: [address] })).toMatch(/^\[hidden\]=* \[hidden\]$/);
    },
  );

  test.each(["“", "<", "x ", "mailto:", "[", "\u0000", "é "])("a private address is masked after %j", (before) => {
    expect(masked(`${before}${seedAddress}>`)).not.toMatch(/w7k3|seed\.example/);
  });

  test("a private address is masked among thousands of addresses", () => {
    const recipients = Array.from({ length: 5_000 }, (_, number) => `reader${number}@list.example`);
    expect(masked("for reader4999@list.example, reader4@list.example", { recipients })).toBe("for [hidden], [hidden]");
    // The pieces of an address in several elements, which are joined to find it.
    expect(masked("@", { recipients })).toBe("@");
  });
});

describe("public text", () => {
  test.each([
    "The record at _dmarc.sender.example is v=DMARC1; p=none; rua=mailto:reports@sender.example",
    "5 links lead to 3 hosts; 50 % is text.",
    "mx.seed.example took it.",
    "https://mta-sts.sender.example/.well-known/mta-sts.txt",
  ])("public text is unchanged: %s", (text) => {
    expect(masked(text)).toBe(text);
  });

  test("public text keeps a word that is also a local part, except in its address", () => {
    const seedAddresses = ["newsletter@seed.example", "17@seed.example"];
    expect(masked("This newsletter has 17 links: newsletter@seed.example", { seedAddresses })).toBe(
      "This newsletter has 17 links: [hidden]",
    );
  });
});

test("a link keeps only its host, because the rest may identify the recipient", () => {
  expect(masked("Open https://click.example/u/8f3a?e=1#x, or http://sender.example/")).toBe(
    "Open https://click.example/… or http://sender.example/",
  );
  expect(masked("https://w7k3qz2m9p.click.example/a")).not.toContain("w7k3");
});
