import { expect, test } from "vitest";
import { analyzeLetter, toVerdict } from "./verdict-world.ts";

test("many MX", async () => {
  const hosts = Array.from({ length: 10 }, (_, i) => `mx${i}.a.example`);
  const report = await analyzeLetter({
    sign: [],
    mailFrom: "ann@a.example",
    ip: "192.0.2.109",
    zone: {
      "a.example": { TXT: ["v=spf1 mx -all"], MX: hosts.map((exchange, i) => ({ preference: i, exchange })) },
      ...Object.fromEntries(hosts.map((h, i) => [h, { A: [`192.0.2.${100 + i}`] }])),
    },
  });
  //console.log(report.analysis.dns.map((a) => `${a.name} ${a.type} ${a.status}`).join("\n"));
  console.log(report.authentication.spf);
  expect(toVerdict(report)).toBe("spf=pass dkim=none dmarc=pass reject");
});
