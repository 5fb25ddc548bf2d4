// The browser's side of passkeys (WebAuthn level 3, §5.1.8 to §5.1.10).

import { Trouble } from "../../../web/client/call.ts";

type Json = Record<string, unknown>;

export function askPasskey(options: Json): Promise<Json> {
  return ask(() =>
    navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(
        options as unknown as PublicKeyCredentialRequestOptionsJSON,
      ),
    }),
  );
}

export function makePasskey(options: Json): Promise<Json> {
  return ask(() =>
    navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(
        options as unknown as PublicKeyCredentialCreationOptionsJSON,
      ),
    }),
  );
}

async function ask(open: () => Promise<Credential | null>): Promise<Json> {
  if (typeof PublicKeyCredential !== "function" || !("parseRequestOptionsFromJSON" in PublicKeyCredential))
    throw new Trouble("This browser doesn’t support passkeys. Update it, or use another way.");
  try {
    const credential = (await open()) as PublicKeyCredential | null;
    if (credential !== null) return credential.toJSON() as unknown as Json;
  } catch (error) {
    if ((error as DOMException).name === "InvalidStateError")
      throw new Trouble("This device already has a passkey for your account.");
    if ((error as DOMException).name !== "NotAllowedError") throw error;
  }
  // Browsers don't say which of these it was.
  throw new Trouble("The passkey wasn’t used: it was canceled, took too long, or isn’t on this device.");
}
