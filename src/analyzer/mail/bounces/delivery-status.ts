// Reads the machine-readable part of a delivery status notification: RFC 3464 §2, and RFC 6533 for addresses outside
// ASCII. It is lenient, because MTAs deviate from the standard in field order, blank lines and address types.

import { addressIn } from "./notice-text.ts";

type DeliveryStatus = { readonly reportingMta: string | null; readonly recipients: readonly StatusGroup[] };

export type StatusGroup = {
  readonly address: string | null;
  readonly action: string | null;
  readonly status: string | null;
  readonly diagnostic: string | null;
  /** The diagnostic comes from a local program, not from an MTA (RFC 3464 §2.3.6 allows any type). */
  readonly isProgram: boolean;
};

const maxRecipients = 100;
const maxFields = 5_000;

type Group = Map<string, string>;

export function readDeliveryStatus(text: string): DeliveryStatus {
  const groups = readGroups(text);
  const perRecipient = groups.filter((group) => recipientFields.some((name) => group.has(name)));
  const ofMessage = groups.find((group) => group.has("reporting-mta"));
  return {
    reportingMta: typedValue(ofMessage?.get("reporting-mta")),
    recipients: mergeTorn(perRecipient).slice(0, maxRecipients).map(toRecipient),
  };
}

const recipientFields = [
  "final-recipient",
  "original-recipient",
  "x-actual-recipient",
  "action",
  "status",
  "diagnostic-code",
];
const addressFields = ["final-recipient", "x-actual-recipient", "original-recipient"];

/** A blank line ends a group. So does a repeated field, in case the blank line was lost. */
function readGroups(text: string): Group[] {
  const groups: Group[] = [new Map()];
  const lines = text.replace(/\r?\n[ \t]+(?=\S)/g, " ").split(/\r?\n/);
  for (const line of lines.slice(0, maxFields)) {
    const field = /^([\w-]{1,60})[ \t]{0,10}:(.*)$/.exec(line);
    if (line.trim() === "" || (field && groups.at(-1)?.has(keyOf(field[1])) && keyOf(field[1]) === "final-recipient"))
      groups.push(new Map());
    const group = groups.at(-1);
    const name = keyOf(field?.[1]);
    if (field && group && !group.has(name)) group.set(name, (field[2] ?? "").trim());
  }
  return groups.filter((group) => group.size > 0);
}

function keyOf(name: string | undefined): string {
  return (name ?? "").toLowerCase();
}

/** A group without a recipient continues the one before it. */
function mergeTorn(groups: readonly Group[]): Group[] {
  const merged: Group[] = [];
  for (const group of groups) {
    const before = merged.at(-1);
    const namesOne = addressFields.some((name) => group.has(name));
    const goesOn = before && (!namesOne || !addressFields.some((name) => before.has(name)));
    if (goesOn && [...group.keys()].every((name) => !before.has(name)))
      for (const [name, value] of group) before.set(name, value);
    else merged.push(new Map(group));
  }
  return merged;
}

function toRecipient(group: Group): StatusGroup {
  const addresses = addressFields.map((name) => addressIn(group.get(name) ?? ""));
  const diagnostic = typedValue(group.get("diagnostic-code"));
  return {
    address: addresses.find((address) => address !== null) ?? null,
    action: readAction(group.get("action")),
    status: /[245]\.\d{1,3}\.\d{1,3}/.exec(group.get("status") ?? "")?.[0] ?? null,
    diagnostic: diagnostic === null || diagnostic === "" ? null : diagnostic,
    isProgram: /^\s*x-unix\s*;/i.test(group.get("diagnostic-code") ?? ""),
  };
}

/** RFC 3464 §2.3.3. Exchange and others write "failure", or a comment after the word. */
function readAction(value: string | undefined): string | null {
  const word = /[a-z]+/i.exec(value ?? "")?.[0]?.toLowerCase() ?? "";
  const rows: readonly [string, RegExp][] = [
    ["failed", /^fail/],
    ["delayed", /^(?:delay|defer)/],
    ["delivered", /^deliver/],
    ["relayed", /^relay/],
    ["expanded", /^expand/],
  ];
  return rows.find(([, pattern]) => pattern.test(word))?.[0] ?? null;
}

/** The value of `dns; mx.example.com` or `smtp; 550 …`, without its type. */
function typedValue(value: string | undefined): string | null {
  return value === undefined ? null : value.replace(/^\s*[\w-]{1,30}\s{0,5};\s*/, "").trim();
}
