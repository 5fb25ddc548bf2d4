// PROXY headers as a proxy sends them.

export function proxyV1(address: string, port: number): Buffer {
  const family = address.includes(":") ? "TCP6" : "TCP4";
  const own = family === "TCP6" ? "2001:db8::25" : "198.51.100.25";
  return Buffer.from(`PROXY ${family} ${address} ${own} ${port} 25\r\n`);
}

export function proxyV2(versionAndCommand: number, family: number, payload: Buffer): Buffer {
  const fixed = Buffer.from("0d0a0d0a000d0a515549540a00000000", "hex");
  fixed.writeUInt8(versionAndCommand, 12);
  fixed.writeUInt8(family, 13);
  fixed.writeUInt16BE(payload.length, 14);
  return Buffer.concat([fixed, payload]);
}

export function tlv(type: number, value: Buffer | string): Buffer {
  const bytes = Buffer.from(value as string);
  return Buffer.concat([Buffer.from([type, bytes.length >> 8, bytes.length & 0xff]), bytes]);
}

/** The checksum is between the addresses and what follows. */
export function withChecksum(
  versionAndCommand: number,
  family: number,
  addresses: Buffer,
  rest: Buffer = Buffer.alloc(0),
): Buffer {
  const payload = Buffer.concat([addresses, tlv(0x03, Buffer.alloc(4)), rest]);
  const header = proxyV2(versionAndCommand, family, payload);
  header.writeUInt32BE(crc32c(header), 16 + addresses.length + 3);
  return header;
}

/** By polynomial division, most significant bit first, unlike the code under test. */
export function crc32c(bytes: Uint8Array): number {
  let remainder = 0xffffffffn;
  for (const byte of bytes) {
    for (let bit = 0; bit < 8; bit++) {
      const next = BigInt((byte >> bit) & 1);
      const top = (remainder >> 31n) ^ next;
      remainder = (remainder << 1n) & 0xffffffffn;
      if (top === 1n) remainder ^= 0x1edc6f41n;
    }
  }
  const reflected = [...remainder.toString(2).padStart(32, "0")].reverse().join("");
  return (Number.parseInt(reflected, 2) ^ 0xffffffff) >>> 0;
}
