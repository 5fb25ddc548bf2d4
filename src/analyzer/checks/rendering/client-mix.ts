// Assumed market shares of email clients among recipients in general. The mix for one message is unknown, so a client counts
// by its share, and the report names the clients.

type ClientFamily = {
  readonly name: string;
  /** Percent of all recipients. */
  readonly share: number;
  /** In caniemail's names: `family/platform`. */
  readonly platforms: readonly string[];
};

const webAndPhones = (family: string) =>
  ["desktop-webmail", "ios", "android"].map((platform) => `${family}/${platform}`);

export const clientMix: readonly ClientFamily[] = [
  { name: "Apple Mail", share: 44, platforms: ["apple-mail/macos", "apple-mail/ios"] },
  { name: "Gmail", share: 30, platforms: [...webAndPhones("gmail"), "gmail/mobile-webmail"] },
  {
    name: "Outlook.com",
    share: 6,
    platforms: ["outlook/outlook-com", "outlook/ios", "outlook/android", "outlook/macos"],
  },
  // The version that renders with Word. Microsoft is replacing it with one that renders like Outlook.com.
  { name: "Outlook for Windows", share: 6, platforms: ["outlook/windows"] },
  { name: "Yahoo", share: 6, platforms: [...webAndPhones("yahoo"), ...webAndPhones("aol")] },
  { name: "Samsung Email", share: 3, platforms: ["samsung-email/android"] },
  { name: "GMX", share: 2, platforms: [...webAndPhones("gmx"), ...webAndPhones("web-de")] },
  { name: "Thunderbird", share: 1, platforms: ["thunderbird/windows", "thunderbird/macos"] },
  { name: "Proton Mail", share: 1, platforms: webAndPhones("protonmail") },
  { name: "Mail.ru", share: 1, platforms: ["mail-ru/desktop-webmail"] },
];
