// Which replies reject a message.

export function isRejection(reply: string): boolean {
  return /\b5\d\d\b/.test(reply) || reply === "rejection";
}
