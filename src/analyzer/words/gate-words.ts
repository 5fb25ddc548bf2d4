// What a mailbox provider does about a finding, in words, for the app, shared pages and the terminal.

type GateRule = {
  readonly provider: string;
  /** bulk: senders above the provider's volume limit. */
  readonly sender: string;
  readonly reply: string;
  readonly may?: boolean;
};

const names: Readonly<Record<string, string>> = {
  gmail: "Gmail",
  yahoo: "Yahoo",
  outlook: "Outlook.com",
  apple: "iCloud",
  icloud: "iCloud",
  gmx: "GMX",
  other: "Another receiver",
};

/** The provider as the subject of a sentence. */
export function toActor(provider: string): string {
  return names[provider] ?? provider;
}

const noHelp = "offers no help with delivery problems";

/** For providers that act without an SMTP reply. */
const deeds: Readonly<Record<string, string>> = {
  "spam folder": "likely sends it to spam",
  rejection: "likely rejects it",
  "no mitigation": noHelp,
  "no mitigation (no refusal)": noHelp,
  "asked for, no fixed reply": "recommends a fix",
};

/** Null for text of an SMTP reply. */
export function toDeed(reply: string): string | null {
  return deeds[reply] ?? null;
}

function isRejection(reply: string): boolean {
  return /\b5\d\d\b/.test(reply) || reply === "rejection";
}

/**
 * Without a rule for bulk senders if the provider rejects this mail from every sender, and with one rejection for each
 * provider: it replies once.
 */
export function toActing<Gate extends GateRule>(gates: readonly Gate[]): Gate[] {
  const refusing = new Set(
    gates
      .filter(({ sender, may, reply }) => sender === "any" && may !== true && isRejection(reply))
      .map(({ provider }) => provider),
  );
  const rejected = new Set<string>();
  return gates.filter(({ sender, provider, reply, may }) => {
    if (sender !== "any" && refusing.has(provider)) return false;
    if (may === true || !isRejection(reply)) return true;
    const key = `${provider} ${sender}`;
    const isFirst = !rejected.has(key);
    rejected.add(key);
    return isFirst;
  });
}
