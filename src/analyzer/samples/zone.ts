// The DNS zone that the gallery's messages are judged by, in zone file format. Only reserved names and addresses (RFC
// 2606, RFC 5737), except one public link shortener, which must be known by name. Nothing else exists here, and no
// external DNS is queried.

/** `key`: the public key of the messages' signatures, in base64. */
export function toLaboratoryZone(key: string): string {
  const dkim = `TXT "v=DKIM1; k=rsa; p=${key}"`;
  return `
meadow.example                      MX    10 mx.meadow.example
meadow.example                      A     192.0.2.80
meadow.example                      NS    ns.meadow.example
meadow.example                      TXT   "v=spf1 ip4:192.0.2.10 ip4:192.0.2.77 -all"
_dmarc.meadow.example               TXT   "v=DMARC1; p=reject; rua=mailto:dmarc@meadow.example"
lab._domainkey.meadow.example       ${dkim}
bounce.meadow.example               MX    10 mx.meadow.example
bounce.meadow.example               TXT   "v=spf1 ip4:192.0.2.10 ip4:192.0.2.77 -all"
mx.meadow.example                   A     192.0.2.25
mx.meadow.example                   AAAA  2001:db8::25
ns.meadow.example                   A     192.0.2.53
www.meadow.example                  A     192.0.2.80
img.meadow.example                  A     192.0.2.80
click.meadow.example                A     192.0.2.80
mail.meadow.example                 A     192.0.2.10
mail.meadow.example                 TXT   "v=spf1 a -all"
10.2.0.192.in-addr.arpa             PTR   mail.meadow.example
out.meadow.example                  A     192.0.2.77
out.meadow.example                  TXT   "v=spf1 a -all"

relay.bramble.example               A     192.0.2.66
relay.bramble.example               TXT   "v=spf1 a -all"
66.2.0.192.in-addr.arpa             PTR   relay.bramble.example
bramble.example                     MX    10 relay.bramble.example
bramble.example                     A     192.0.2.66
pay.bramble.example                 A     192.0.2.66

sendwell.example                    MX    10 mx.sendwell.example
sendwell.example                    TXT   "v=spf1 ip4:192.0.2.140 -all"
lab._domainkey.sendwell.example     ${dkim}
bounce.sendwell.example             MX    10 mx.sendwell.example
bounce.sendwell.example             TXT   "v=spf1 ip4:192.0.2.140 -all"
mx.sendwell.example                 A     192.0.2.141
out.sendwell.example                A     192.0.2.140
click.sendwell.example              A     192.0.2.141
out.sendwell.example                TXT   "v=spf1 a -all"
140.2.0.192.in-addr.arpa            PTR   out.sendwell.example

bit.ly                              A     192.0.2.90
`;
}
