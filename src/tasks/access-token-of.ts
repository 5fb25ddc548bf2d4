export type AccessToken =
  | { readonly ok: true; readonly accessToken: string; readonly expiresAt: number | null }
  /** `isFinal`: only a person can mend it. */
  | { readonly ok: false; readonly problem: string; readonly isFinal: boolean };

/** Of an integration; refreshed when it is about to lapse. */
export type AccessTokenOf = (integrationId: string) => Promise<AccessToken>;
