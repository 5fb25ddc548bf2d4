// Reverse DNS names that no administrator chose: those of access lines, and those that hosting providers give every machine. Each
// row has names that it matches and names that it must not match; a test runs them. Names that contain the client's
// address are recognized by it (generic-name.ts), not here.

import providerNames from "./provider-names.json" with { type: "json" };

type GenericPattern = {
  readonly kind: "dynamic" | "provider-default";
  /** Shown to the sender as the reason. */
  readonly says: string;
  /** Matches the whole name, in lower case. */
  readonly pattern: RegExp;
  readonly fires: readonly string[];
  readonly quiet: readonly string[];
};

/** A word counts between dots, hyphens and digits: "pool12" but not "liverpool". */
const word = (words: string) => new RegExp(`(?:^|[^a-z])(?:${words})(?:[^a-z]|$)`);

/** Matches the labels before the last two, so that cable.example may have a mail server. */
export const accessLineWords: readonly GenericPattern[] = [
  {
    kind: "dynamic",
    says: "dynamic",
    pattern: word("dyn|dynamic|dynip|dhcp|dynamicip"),
    fires: ["host.dyn.isp.example", "dhcp-17.campus.example", "p5b.dynamic.isp.example"],
    quiet: ["dynamo.a.example", "host.dyndns-free.a.example"],
  },
  {
    kind: "dynamic",
    says: "DSL",
    pattern: word("[avx]?dsl|dslam|sdsl"),
    fires: ["x77.adsl.isp.example", "dsl-12.isp.example", "line.vdsl.isp.example"],
    quiet: ["dslr.photos.a.example"],
  },
  {
    kind: "dynamic",
    says: "dial-up",
    pattern: word("ppp|pppoe|dial|dialup|dialin|dial-up|dial-in"),
    fires: ["ppp33.isp.example", "4.dialin.isp.example", "x.dial-up.isp.example"],
    quiet: ["dialog.a.example", "pppartners.a.example"],
  },
  {
    kind: "dynamic",
    says: "cable connection",
    pattern: word("cable|catv|docsis|cablemodem"),
    fires: ["c12.cable.isp.example", "catv-8.isp.example"],
    quiet: ["cablegram.a.example", "cm.a.example"],
  },
  {
    kind: "dynamic",
    says: "fiber connection",
    pattern: word("ftth|fttx|fttb|gpon|fibre|fiber"),
    fires: ["a4.ftth.isp.example", "gpon-7.isp.example", "x.fiber.isp.example"],
    quiet: ["fiberglass.a.example"],
  },
  {
    kind: "dynamic",
    says: "home connection",
    pattern: word("broadband|bband|residential|resnet|homeuser|cpe|subscriber"),
    fires: ["x.broadband.isp.example", "7.resnet.campus.example", "cpe-2.isp.example"],
    quiet: ["resort.a.example"],
  },
  {
    kind: "dynamic",
    says: "wireless connection",
    pattern: word("wifi|wlan|wireless|lte|gprs|umts|wimax"),
    fires: ["t1.wifi.isp.example", "lte-3.isp.example"],
    quiet: ["mobile.a.example", "filter.a.example"],
  },
  {
    kind: "dynamic",
    says: "customer connection",
    pattern:
      /(?:^|[^a-z])(?:pool|cust|customer|client|user|home|nat|cgnat|mobile)[.-]?\d|\d[.-]?(?:pool|cust|customer|client|user|home|nat|cgnat|mobile)(?:[^a-z]|$)/,
    fires: ["pool-12.isp.example", "17.cust.isp.example", "user33.isp.example", "44.mobile.isp.example"],
    quiet: ["customer.a.example", "home.a.example", "user.service.a.example", "poolside3.a.example"],
  },
  {
    kind: "dynamic",
    says: "placeholder name",
    pattern: word("unassigned|unallocated|unknown|undefined|norev|no-rdns|no-reverse|reverse-not-set"),
    fires: ["unassigned.isp.example", "7.no-rdns.isp.example"],
    quiet: ["unknowns.a.example"],
  },
];

/** Matches the whole name: these domains belong to providers. */
export const providerDefaults: readonly GenericPattern[] = providerNames.map((row) => ({
  ...row,
  kind: row.kind as GenericPattern["kind"],
  pattern: new RegExp(row.pattern),
}));
