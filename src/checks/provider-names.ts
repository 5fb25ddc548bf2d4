// Mailbox providers as people call them.

const providerNames: Readonly<Record<string, string>> = {
  gmail: "Gmail",
  yahoo: "Yahoo and AOL",
  outlook: "Outlook.com",
  apple: "Apple",
  icloud: "Apple (iCloud)",
  gmx: "GMX and WEB.DE",
  generic: "Other providers",
  other: "Others",
};

export function toProviderName(provider: string): string {
  return providerNames[provider] ?? provider;
}
