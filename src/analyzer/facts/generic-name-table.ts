// Reverse DNS names that no administrator chose: those of access lines, and those that hosting providers give every machine. Each
// row has names that it matches and names that it must not match; a test runs them. Names that contain the client's
// address are recognized by it (generic-name.ts), not here.

type GenericPattern = {
  readonly kind: "dynamic" | "provider-default";
  /** Shown to the sender as the reason. */
  readonly says: string;
  /** Matches the whole name, in lower case. */
  readonly pattern: RegExp;
  readonly fires: readonly string[];
  readonly quiet: readonly string[];
};

/** A word counts between dots, hyphens and digits: "pool12" but not "liverpool". */
const word = (words: string) => new RegExp(`(?:^|[^a-z])(?:${words})(?:[^a-z]|$)`);

/** Matches the labels before the last two, so that cable.example may have a mail server. */
export const accessLineWords: readonly GenericPattern[] = [
  {
    kind: "dynamic",
    says: "dynamic",
    pattern: word("dyn|dynamic|dynip|dhcp|dynamicip"),
    fires: ["host.dyn.isp.example", "dhcp-17.campus.example", "p5b.dynamic.isp.example"],
    quiet: ["dynamo.a.example", "host.dyndns-free.a.example"],
  },
  {
    kind: "dynamic",
    says: "DSL",
    pattern: word("[avx]?dsl|dslam|sdsl"),
    fires: ["x77.adsl.isp.example", "dsl-12.isp.example", "line.vdsl.isp.example"],
    quiet: ["dslr.photos.a.example"],
  },
  {
    kind: "dynamic",
    says: "dial-up",
    pattern: word("ppp|pppoe|dial|dialup|dialin|dial-up|dial-in"),
    fires: ["ppp33.isp.example", "4.dialin.isp.example", "x.dial-up.isp.example"],
    quiet: ["dialog.a.example", "pppartners.a.example"],
  },
  {
    kind: "dynamic",
    says: "cable connection",
    pattern: word("cable|catv|docsis|cablemodem"),
    fires: ["c12.cable.isp.example", "catv-8.isp.example"],
    quiet: ["cablegram.a.example", "cm.a.example"],
  },
  {
    kind: "dynamic",
    says: "fiber connection",
    pattern: word("ftth|fttx|fttb|gpon|fibre|fiber"),
    fires: ["a4.ftth.isp.example", "gpon-7.isp.example", "x.fiber.isp.example"],
    quiet: ["fiberglass.a.example"],
  },
  {
    kind: "dynamic",
    says: "home connection",
    pattern: word("broadband|bband|residential|resnet|homeuser|cpe|subscriber"),
    fires: ["x.broadband.isp.example", "7.resnet.campus.example", "cpe-2.isp.example"],
    quiet: ["resort.a.example"],
  },
  {
    kind: "dynamic",
    says: "wireless connection",
    pattern: word("wifi|wlan|wireless|lte|gprs|umts|wimax"),
    fires: ["t1.wifi.isp.example", "lte-3.isp.example"],
    quiet: ["mobile.a.example", "filter.a.example"],
  },
  {
    kind: "dynamic",
    says: "customer connection",
    pattern:
      /(?:^|[^a-z])(?:pool|cust|customer|client|user|home|nat|cgnat|mobile)[.-]?\d|\d[.-]?(?:pool|cust|customer|client|user|home|nat|cgnat|mobile)(?:[^a-z]|$)/,
    fires: ["pool-12.isp.example", "17.cust.isp.example", "user33.isp.example", "44.mobile.isp.example"],
    quiet: ["customer.a.example", "home.a.example", "user.service.a.example", "poolside3.a.example"],
  },
  {
    kind: "dynamic",
    says: "placeholder name",
    pattern: word("unassigned|unallocated|unknown|undefined|norev|no-rdns|no-reverse|reverse-not-set"),
    fires: ["unassigned.isp.example", "7.no-rdns.isp.example"],
    quiet: ["unknowns.a.example"],
  },
];

/** Matches the whole name: these domains belong to providers. */
export const providerDefaults: readonly GenericPattern[] = [
  {
    kind: "dynamic",
    says: "the reverse zone itself",
    pattern: /\.(?:in-addr|ip6)\.arpa$/,
    fires: ["7.113.0.203.in-addr.arpa"],
    quiet: ["in-addr.a.example"],
  },
  {
    kind: "provider-default",
    says: "Amazon EC2",
    pattern: /\.compute(?:-\d)?\.(?:amazonaws\.com(?:\.cn)?|internal)$/,
    fires: ["ec2-203-0-113-7.compute-1.amazonaws.com", "ec2-203-0-113-7.eu-west-1.compute.amazonaws.com"],
    quiet: ["a8-31.smtp-out.amazonses.com", "e226-3.smtp-out.eu-central-1.amazonses.com"],
  },
  {
    kind: "provider-default",
    says: "Google Cloud",
    pattern: /\.bc\.googleusercontent\.com$/,
    fires: ["7.113.0.203.bc.googleusercontent.com"],
    quiet: ["mail-ej1-f46.google.com"],
  },
  {
    kind: "provider-default",
    says: "Microsoft Azure",
    pattern: /\.cloudapp(?:\.azure)?\.(?:net|com)$/,
    fires: ["vm1.westeurope.cloudapp.azure.com", "vm1.cloudapp.net"],
    quiet: ["mail-am0eur05on2104.outbound.protection.outlook.com"],
  },
  {
    kind: "provider-default",
    says: "Hetzner",
    pattern: /\.clients\.your-server\.de$/,
    fires: ["static.7.113.0.203.clients.your-server.de"],
    quiet: ["www262.your-server.de"],
  },
  {
    kind: "provider-default",
    says: "OVH",
    pattern: /(?:^|\.)(?:vps-[0-9a-f]{6,}\.vps\.ovh\.(?:net|ca|us)|(?:ns|ip)\d+\.ip-[\d-]+\.(?:eu|net|us|ca))$/,
    fires: ["vps-1a2b3c4d.vps.ovh.net", "ns3123456.ip-203-0-113.eu", "ip7.ip-203-0-113.net"],
    quiet: ["mx1.mail.ovh.net"],
  },
  {
    kind: "provider-default",
    says: "Vultr or Choopa",
    pattern: /\.(?:vultrusercontent\.com|vultr\.com|choopa\.(?:net|com))$/,
    fires: ["203.0.113.7.vultrusercontent.com", "203.0.113.7.choopa.net"],
    quiet: ["vultr.a.example"],
  },
  {
    kind: "provider-default",
    says: "Linode",
    pattern: /\.(?:members\.linode\.com|ip\.linodeusercontent\.com)$/,
    fires: ["li1-7.members.linode.com", "203-0-113-7.ip.linodeusercontent.com"],
    quiet: ["mail.linode.com"],
  },
  {
    kind: "provider-default",
    says: "Contabo",
    pattern: /^v[md]i\d+\.contaboserver\.net$/,
    fires: ["vmi123456.contaboserver.net"],
    quiet: ["mail.contaboserver.net"],
  },
  {
    kind: "provider-default",
    says: "netcup",
    pattern: /^v\d{8,}\.[a-z]+\.(?:de|net|com|systems)$/,
    fires: ["v2202411123456789012.supersrv.de", "v22019037123484.goodsrv.de"],
    quiet: ["v2.mail.a.example"],
  },
  {
    kind: "provider-default",
    says: "Strato or IONOS",
    pattern:
      /^(?:h\d{5,}\.stratoserver\.net|ip[\d-]+\.pbiaas\.com|s\d{6,}\.online(?:home-server|-server)\.(?:info|de|com))$/,
    fires: ["h1234567.stratoserver.net", "ip203-0-113-7.pbiaas.com", "s12345678.onlinehome-server.info"],
    quiet: ["mo4-p00-ob.smtp.rzone.de", "mout.kundenserver.de"],
  },
  {
    kind: "provider-default",
    says: "Scaleway or Online",
    pattern: /\.(?:poneytelecom\.eu|instances\.scw\.cloud|rev\.poneytelecom\.eu)$/,
    fires: ["203-0-113-7.rev.poneytelecom.eu", "7-113-0-203.instances.scw.cloud"],
    quiet: ["scw.a.example"],
  },
  {
    kind: "provider-default",
    says: "Hostwinds, ColoCrossing or BuyVM",
    pattern: /\.(?:hwsrv\.net|hostwindsdns\.com|colocrossing\.com|frantech\.ca)$|^hwsrv-\d+\./,
    fires: ["hwsrv-12345.hostwindsdns.com", "203-0-113-7-host.colocrossing.com"],
    quiet: ["mail.hostwinds.example"],
  },
  {
    kind: "provider-default",
    says: "GoDaddy",
    pattern: /^(?:ip-)?[\d.-]+\.ip\.secureserver\.net$/,
    fires: ["ip-203-0-113-7.ip.secureserver.net"],
    quiet: ["p3plsmtpa01-01.prod.phx3.secureserver.net"],
  },
  {
    kind: "provider-default",
    says: "UpCloud, Oracle or Alibaba",
    pattern: /\.(?:upcloud\.host|oraclevcn\.com|alidns-host\.com)$/,
    fires: ["203-0-113-7.de-fra1.upcloud.host", "vm.sub1.vcn1.oraclevcn.com"],
    quiet: ["upcloud.a.example"],
  },
  {
    kind: "provider-default",
    says: "rented server",
    pattern:
      /^(?:(?:vps|vserver|vds)[.-]?\d[\d.-]*|(?:srv|server|host|vm|kvm|node|cloud|instance|dedicated)[.-]?\d{4,})\.|^hosted-by\./,
    fires: ["vps-12345.host.example", "srv123456.host.example", "host-20417.host.example", "hosted-by.host.example"],
    quiet: ["vps.a.example", "server1.a.example", "node-7.a.example"],
  },
];
