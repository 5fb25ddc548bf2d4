// Passkeys (WebAuthn), through @simplewebauthn/server. It is loaded with the first passkey, because most servers have none.

import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import { parseJson } from "../../../analyzer/json.ts";
import { Refusal } from "../../../platform/errors.ts";

/** Where the browser is. A passkey works only for the host that it was made for. */
export type Site = { readonly origin: string; readonly host: string };

/** Stored in second_factors.passkey. */
type StoredPasskey = {
  readonly id: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
};

/** ES256, RS256, and EdDSA. Node warns that it still tries out the newer ones. */
const algorithms = [-7, -257, -8];

type Transports = NonNullable<RegistrationResponseJSON["response"]["transports"]>;

/** WebAuthn §5.1.3: an IP address is no valid domain for a passkey. Nor does it work over plain HTTP, except here. */
export function whyNoPasskeys({ origin, host }: Site): string | null {
  if (/^\[|^[\d.]+$/.test(host))
    return "Passkeys need a host name. Open Assay under its name instead of its IP address. A proxy must pass the Host header through.";
  if (!origin.startsWith("https:") && host !== "localhost" && !host.endsWith(".localhost"))
    return "Passkeys need HTTPS. Open Assay under its https:// address.";
  return null;
}

export async function offerRegistration(
  site: Site,
  user: { readonly id: string; readonly name: string; readonly email: string },
  known: readonly string[],
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await import("@simplewebauthn/server");
  return await generateRegistrationOptions({
    rpName: "Assay",
    rpID: site.host,
    userID: new Uint8Array(Buffer.from(user.id)),
    userName: user.email,
    userDisplayName: user.name,
    excludeCredentials: known.map(readPasskey).map(toDescriptor),
    attestationType: "none",
    supportedAlgorithmIDs: algorithms,
    authenticatorSelection: { residentKey: "discouraged", userVerification: "preferred" },
  });
}

/** Returns what is stored, or refuses. `response` is the browser's, unchecked. */
export async function finishRegistration(
  site: Site,
  challenge: string,
  response: unknown,
): Promise<{ readonly passkey: string; readonly credentialId: string }> {
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  const verified = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.host,
    requireUserVerification: false,
    supportedAlgorithmIDs: algorithms,
  }).catch(refuse);
  if (!verified.verified) throw notAccepted();
  const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential;
  const stored = { id, publicKey: Buffer.from(publicKey).toString("base64url"), counter };
  const passkey = JSON.stringify({ ...stored, transports: transports.map(String).slice(0, 10) });
  return { passkey, credentialId: id };
}

export async function offerLogin(
  site: Site,
  passkeys: readonly string[],
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await import("@simplewebauthn/server");
  return await generateAuthenticationOptions({
    rpID: site.host,
    allowCredentials: passkeys.map(readPasskey).map(toDescriptor),
    userVerification: "preferred",
  });
}

/** Returns what is stored from now on, or refuses. */
export async function checkPasskey(site: Site, challenge: string, stored: string, response: unknown): Promise<string> {
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  const passkey = readPasskey(stored);
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: response as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.host,
    requireUserVerification: false,
    credential: {
      id: passkey.id,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, "base64url")),
      counter: passkey.counter,
    },
  }).catch(refuse);
  if (!verified) throw notAccepted();
  return JSON.stringify({ ...passkey, counter: authenticationInfo.newCounter });
}

function readPasskey(stored: string): StoredPasskey {
  return parseJson(stored) as StoredPasskey;
}

function toDescriptor({ id, transports }: StoredPasskey) {
  return { id, transports: transports as Transports };
}

/** The library throws for everything that a hostile response can contain. */
function refuse(): never {
  throw notAccepted();
}

function notAccepted(): Refusal {
  return new Refusal("invalid_credentials", "The passkey was not accepted. Try again.");
}
