// What becomes of a sample that Assay sends.

/** relay: through ASSAY_SEND_SMTP_URL. loopback: straight to our own listener. */
export const sendTransports = ["relay", "loopback"] as const;
export type SendTransport = (typeof sendTransports)[number];

/** bounced: it was taken, and a bounce came back of it. */
export const sendStatuses = ["sending", "sent", "failed", "bounced"] as const;
export type SendStatus = (typeof sendStatuses)[number];
