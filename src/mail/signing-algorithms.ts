// What Assay signs with: RSA with 2,048 bits, which every receiver reads, and Ed25519 (RFC 8463) beside it.

export const keyAlgorithms = ["rsa", "ed25519"] as const;
export type KeyAlgorithm = (typeof keyAlgorithms)[number];
