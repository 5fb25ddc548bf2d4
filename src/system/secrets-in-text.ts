// What must not reach a log: fields that are secret by name, and secrets that can be known by their form wherever
// they stand. The names catch what has no form (a password); the forms catch what travels inside other text
// (a URL, an error of a library). Each row has a sample in the test.

const secretNames = /token|secret|passw|passphrase|authorization|cookie|credential|api_?key|private_?key/i;

type Mask = { readonly what: string; readonly form: RegExp; readonly shown: string };

const masks: readonly Mask[] = [
  { what: "our API token", form: /\basy_[\w-]+/g, shown: "asy_…" },
  { what: "a webhook's signing secret", form: /\bwhsec_[\w+/=-]+/g, shown: "whsec_…" },
  { what: "a bearer token", form: /\b(bearer)\s+[\w.~+/=-]+/gi, shown: "$1 …" },
  { what: "basic credentials", form: /\b(basic)\s+[\w+/]{16,}=*/gi, shown: "$1 …" },
  { what: "a password in a URL", form: /(:\/\/)[^\s/?#@]*@/g, shown: "$1…@" },
  { what: "a Slack webhook", form: /(hooks\.slack\.com\/)[\w/-]+/gi, shown: "$1…" },
  {
    what: "a Discord webhook",
    form: /(discord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks\/)[\w/-]+/gi,
    shown: "$1…",
  },
  {
    what: "a secret in a query",
    form: /([?&#](?:\w*token|code|\w*secret|password|state|signature)=)[^&#\s]+/gi,
    shown: "$1…",
  },
  { what: "a share link", form: /(\/s\/)[\w-]{20,}/g, shown: "$1…" },
];

export function isSecretName(name: string): boolean {
  return secretNames.test(name);
}

export function maskSecrets(text: string): string {
  return masks.reduce((masked, { form, shown }) => masked.replace(form, shown), text);
}
