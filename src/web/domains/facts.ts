// What was read of a domain, in words. The facts of each mechanism have a form of their own, which the interface does not
// promise: what is not as expected is passed over.

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.flatMap((one) => textOf(one) ?? []) : [];
}

/** What a fact holds, where it is known. */
function knownOf(fact: unknown): unknown {
  const { known, value } = fieldsOf(fact);
  return known === true ? value : null;
}

type Key = {
  readonly selector: string;
  /** How it is made and how it came to be known. */
  readonly says: string;
};

const sourceWords: Readonly<Record<string, string>> = {
  configured: "named by you",
  seen: "learned from received mail",
  probed: "found by its well-known name",
};

export function toKeys(facts: unknown): readonly Key[] {
  return listOf(facts).flatMap((key) => {
    const selector = textOf(key.selector);
    if (selector === null) return [];
    const words = [
      textOf(key.type),
      typeof key.bits === "number" ? `${key.bits} bit` : null,
      key.revoked === true ? "revoked" : null,
      textsOf(key.records).length === 0 ? "not there" : null,
      sourceWords[textOf(key.source) ?? ""] ?? null,
    ];
    return [{ selector, says: words.filter((word) => word !== null).join(", ") }];
  });
}

const readers: Readonly<Record<string, (facts: Fields) => string | null>> = {
  mx: (facts) => {
    if (facts.nullMx === true) return "Takes no mail, and says so";
    const names = listOf(facts.hosts).flatMap(({ name }) => textOf(name) ?? []);
    return names.length === 0 ? "No MX record" : names.join(", ");
  },
  mtaSts: ({ records, policy }) => {
    if (textsOf(records).length === 0) return "No policy is announced";
    const { mode } = fieldsOf(fieldsOf(knownOf(policy)).policy);
    return textOf(mode) === null ? "Announced" : `Mode ${mode}`;
  },
  tlsRpt: ({ rua }) => {
    const targets = textsOf(rua).map((uri) => uri.replace(/^mailto:/, ""));
    return targets.length === 0 ? "No address for reports" : `To ${targets.join(", ")}`;
  },
  dnssec: ({ bogus, signed }) => {
    if (bogus === true) return "Signatures that do not hold";
    return signed === true ? "Signed" : "Not signed";
  },
  dane: ({ hosts }) => {
    const all = listOf(hosts).map(({ fact }) => fieldsOf(knownOf(fact)));
    const having = all.filter(({ records }) => Array.isArray(records) && records.length > 0);
    if (having.length === 0) return "No TLSA records";
    return `TLSA records for ${having.length} of ${all.length} MX hosts`;
  },
};

/** Null: nothing is known of it. */
export function toFound(mechanism: string, facts: unknown): string | null {
  return facts === null ? null : (readers[mechanism]?.(fieldsOf(facts)) ?? null);
}
