// Received lines in the formats of the servers in use, folded the same way, with the expected results.

import type { ReceivedStamp } from "../../../../src/analyzer/mail/headers/received.ts";

export type ReceivedSample = {
  readonly server: string;
  readonly line: string;
  /** Only the named fields are compared. */
  readonly reads: Partial<Omit<ReceivedStamp, "at">> & { readonly at?: string | null };
};

const ten = "2026-11-21T10:00:00.000Z";

export const receivedSamples: readonly ReceivedSample[] = [
  {
    server: "Postfix with TLS",
    line: `from mail.a.example (mail.a.example [203.0.113.7])
	(using TLSv1.3 with cipher TLS_AES_256_GCM_SHA384 (256/256 bits)
	 key-exchange X25519 server-signature RSA-PSS (2048 bits) server-digest SHA256)
	(No client certificate requested)
	by mx.b.example (Postfix) with ESMTPS id 4dC3gk2Zr3z1Xy
	for <ann@b.example>; Sat, 21 Nov 2026 11:00:00 +0100 (CET)`,
    reads: {
      from: "mail.a.example",
      helo: "mail.a.example",
      name: "mail.a.example",
      ip: "203.0.113.7",
      reach: "public",
      by: "mx.b.example",
      with: "ESMTPS",
      tls: { used: true, version: "TLSv1.3", cipher: "TLS_AES_256_GCM_SHA384" },
      id: "4dC3gk2Zr3z1Xy",
      for: "ann@b.example",
      at: ten,
      warnings: [],
    },
  },
  {
    server: "Postfix without TLS, client without a name",
    line: `from WIN-7QH (unknown [198.51.100.9])
	by mx.b.example (Postfix) with ESMTP id 4dC3; Sat, 21 Nov 2026 10:00:00 +0000 (UTC)`,
    reads: {
      helo: "WIN-7QH",
      name: null,
      ip: "198.51.100.9",
      tls: { used: false, version: null, cipher: null },
      at: ten,
    },
  },
  {
    server: "Postfix over IPv6",
    line: "from six.a.example (six.a.example [IPv6:2001:db8::25]) by mx.b.example (Postfix) with ESMTPS id A; Sat, 21 Nov 2026 10:00:00 +0000",
    reads: { ip: "2001:db8::25", name: "six.a.example", tls: { used: true, version: null, cipher: null } },
  },
  {
    server: "Postfix submission",
    line: `from [192.168.1.20] (dsl-12.isp.example [203.0.113.44])
	(using TLSv1.2 with cipher ECDHE-RSA-AES128-GCM-SHA256 (128/128 bits))
	(Authenticated sender: ann@a.example)
	by smtp.a.example (Postfix) with ESMTPSA id B1; Sat, 21 Nov 2026 10:00:00 +0000`,
    reads: {
      from: "[192.168.1.20]",
      helo: "[192.168.1.20]",
      name: "dsl-12.isp.example",
      ip: "203.0.113.44",
      with: "ESMTPSA",
      tls: { used: true, version: "TLSv1.2", cipher: "ECDHE-RSA-AES128-GCM-SHA256" },
    },
  },
  {
    server: "Postfix pickup",
    line: "by web1.a.example (Postfix, from userid 33)\n\tid 9F1A2; Sat, 21 Nov 2026 10:00:00 +0000 (UTC)",
    reads: { from: null, ip: null, by: "web1.a.example", id: "9F1A2", with: null, tls: null, at: ten },
  },
  {
    server: "Postfix content filter on the same machine",
    line: "from localhost (localhost [127.0.0.1]) by mx.b.example (Postfix) with ESMTP id C; Sat, 21 Nov 2026 10:00:00 +0000",
    reads: { ip: "127.0.0.1", reach: "local", tls: { used: false, version: null, cipher: null } },
  },
  {
    server: "Exim with TLS",
    line: `from mail.a.example ([203.0.113.7])
	by mx.b.example with esmtps  (TLS1.3) tls TLS_AES_256_GCM_SHA384
	(Exim 4.96)
	(envelope-from <bo@a.example>)
	id 1tE4xG-00071B-2f
	for ann@b.example;
	Sat, 21 Nov 2026 10:00:00 +0000`,
    reads: {
      from: "mail.a.example",
      ip: "203.0.113.7",
      by: "mx.b.example",
      with: "esmtps",
      tls: { used: true, version: "TLSv1.3", cipher: "TLS_AES_256_GCM_SHA384" },
      id: "1tE4xG-00071B-2f",
      for: "ann@b.example",
      at: ten,
    },
  },
  {
    server: "Exim, old manner of TLS, another HELO name",
    line: `from out.a.example ([203.0.113.7] helo=web.a.example)
	by mx.b.example with esmtps (TLSv1.2:ECDHE-RSA-AES256-GCM-SHA384:256)
	(Exim 4.84) id 1a; Sat, 21 Nov 2026 10:00:00 +0000`,
    reads: {
      from: "out.a.example",
      name: "out.a.example",
      helo: "web.a.example",
      tls: { used: true, version: "TLSv1.2", cipher: "ECDHE-RSA-AES256-GCM-SHA384" },
    },
  },
  {
    server: "Exim, client without a name that greets with a false literal",
    line: "from [198.51.100.9] (port=50234 helo=[127.0.0.1]) by mx.b.example with esmtp (Exim 4.96) id 1b; Sat, 21 Nov 2026 10:00:00 +0000",
    reads: { from: "[127.0.0.1]", helo: "[127.0.0.1]", name: null, ip: "198.51.100.9", reach: "public" },
  },
  {
    server: "Exim, local",
    line: "from www-data by web.a.example with local (Exim 4.92)\n\t(envelope-from <www-data@a.example>)\n\tid 1c; Sat, 21 Nov 2026 10:00:00 +0000",
    reads: { from: "www-data", helo: null, ip: null, with: "local", tls: null, id: "1c", at: ten },
  },
  {
    server: "Exim, authenticated, with port and ident",
    line: "from dsl.isp.example ([203.0.113.44]:49822 helo=[192.168.0.2] ident=ann) by smtp.a.example with esmtpsa (TLS1.2:ECDHE_RSA_AES_256_GCM_SHA384:256) (Exim 4.89) id 1d; Sat, 21 Nov 2026 10:00:00 +0000",
    reads: { ip: "203.0.113.44", helo: "[192.168.0.2]", name: "dsl.isp.example", with: "esmtpsa" },
  },
  {
    server: "Sendmail",
    line: `from mail.a.example (mail.a.example [203.0.113.7] (may be forged))
	by mx.b.example (8.17.1/8.17.1) with ESMTPS id 4ALA00xx012345
	(version=TLSv1.3 cipher=TLS_AES_256_GCM_SHA384 bits=256 verify=NOT)
	for <ann@b.example>; Sat, 21 Nov 2026 10:00:00 GMT`,
    reads: {
      name: "mail.a.example",
      ip: "203.0.113.7",
      by: "mx.b.example",
      id: "4ALA00xx012345",
      tls: { used: true, version: "TLSv1.3", cipher: "TLS_AES_256_GCM_SHA384" },
      at: ten,
    },
  },
  {
    server: "Sendmail of old, whose protocol word tells no TLS",
    line: "from a (root@b.a.example [203.0.113.7]) by mx.b.example (8.13.8/8.13.8) with ESMTP id x (version=TLSv1/SSLv3 cipher=DHE-RSA-AES256-SHA bits=256 verify=NO); Sat, 21 Nov 2026 02:00:00 -0800 (PST)",
    reads: {
      helo: "a",
      name: "b.a.example",
      tls: { used: true, version: "TLSv1/SSLv3", cipher: "DHE-RSA-AES256-SHA" },
      at: ten,
    },
  },
  {
    server: "Sendmail submit",
    line: "(from root@localhost)\n\tby web.a.example (8.15.2/8.15.2/Submit) id 4ALA00aa000001;\n\tSat, 21 Nov 2026 05:00:00 -0500",
    reads: { from: null, by: "web.a.example", id: "4ALA00aa000001", at: ten },
  },
  {
    server: "Exchange Online between its own servers",
    line: `from AM0PR01MB0001.eurprd01.prod.exchangelabs.com
 (2603:10a6:208:1::10) by DB7PR01MB0002.eurprd01.prod.exchangelabs.com
 (2603:10a6:10:2::20) with Microsoft SMTP Server (version=TLS1_2,
 cipher=TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384) id 15.20.8182.18; Sat, 21 Nov
 2026 10:00:00 +0000`,
    reads: {
      from: "AM0PR01MB0001.eurprd01.prod.exchangelabs.com",
      ip: "2603:10a6:208:1::10",
      by: "DB7PR01MB0002.eurprd01.prod.exchangelabs.com",
      with: "Microsoft SMTP Server",
      tls: { used: true, version: "TLSv1.2", cipher: "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384" },
      id: "15.20.8182.18",
      at: ten,
    },
  },
  {
    server: "Exchange Online at its edge",
    line: `from mail.a.example (203.0.113.7) by
 AM6EUR05FT001.mail.protection.outlook.com (10.233.240.100) with Microsoft
 SMTP Server (version=TLS1_3, cipher=TLS_AES_256_GCM_SHA384) id 15.20.8182.16
 via Frontend Transport; Sat, 21 Nov 2026 10:00:00 +0000`,
    reads: { ip: "203.0.113.7", with: "Microsoft SMTP Server", id: "15.20.8182.16", at: ten },
  },
  {
    server: "Exchange by MAPI",
    line: "from DB7PR01MB0002.eurprd01.prod.exchangelabs.com ([fe80::1]) by DB7PR01MB0002.eurprd01.prod.exchangelabs.com ([fe80::1%6]) with mapi id 15.20.8182.018; Sat, 21 Nov 2026 10:00:00 +0000",
    reads: { ip: "fe80::1", reach: "private", with: "mapi", tls: null, id: "15.20.8182.018" },
  },
  {
    server: "Exchange 2010",
    line: "from mail.a.example (10.1.2.3) by cas.a.example (10.1.2.4) with Microsoft SMTP Server (TLS) id 14.3.498.0; Sat, 21 Nov 2026 10:00:00 +0000",
    reads: { ip: "10.1.2.3", reach: "private", tls: { used: true, version: null, cipher: null } },
  },
  {
    server: "Exchange 2010 without TLS",
    line: "from app (10.1.2.3) by cas.a.example (10.1.2.4) with Microsoft SMTP Server id 14.3.498.0; Sat, 21 Nov 2026 10:00:00 +0000",
    reads: { with: "Microsoft SMTP Server", tls: null },
  },
  {
    server: "Gmail at its edge",
    line: `from mail-ej1-f46.google.com (mail-ej1-f46.google.com. [209.85.218.46])
        by mx.google.com with SMTPS id a640c23a62f3a-aa4f12345sor123456.1.2026.11.21.02.00.00
        for <ann@b.example>
        (Google Transport Security);
        Sat, 21 Nov 2026 02:00:00 -0800 (PST)`,
    reads: {
      name: "mail-ej1-f46.google.com.",
      ip: "209.85.218.46",
      with: "SMTPS",
      tls: { used: true, version: null, cipher: null },
      for: "ann@b.example",
      at: ten,
    },
  },
  {
    server: "Gmail at its edge with the cipher",
    line: "from mail.a.example (mail.a.example. [203.0.113.7]) by mx.google.com with ESMTPS id x-2 for <ann@b.example> (version=TLS1_3 cipher=TLS_AES_128_GCM_SHA256 bits=128/128); Sat, 21 Nov 2026 02:00:00 -0800 (PST)",
    reads: { tls: { used: true, version: "TLSv1.3", cipher: "TLS_AES_128_GCM_SHA256" }, at: ten },
  },
  {
    server: "Gmail within (by comes first)",
    line: "by 2002:a05:6402:2c5:b0:5d0:1234:5678 with SMTP id b5csp1234567edx;\n        Sat, 21 Nov 2026 02:00:00 -0800 (PST)",
    reads: {
      from: null,
      by: "2002:a05:6402:2c5:b0:5d0:1234:5678",
      with: "SMTP",
      tls: null,
      id: "b5csp1234567edx",
      at: ten,
    },
  },
  {
    server: "Gmail by HTTP",
    line: "by mail-ej1-f46.google.com with HTTP; Sat, 21 Nov 2026 02:00:00 -0800",
    reads: { by: "mail-ej1-f46.google.com", with: "HTTP", tls: null, at: ten },
  },
  {
    server: "Gmail submission",
    line: "from [10.0.0.5] (dsl-12.isp.example. [203.0.113.44]) by smtp.gmail.com with ESMTPSA id 5b1f17b1804b1-43254 for <ann@b.example> (version=TLS1_3 cipher=TLS_AES_128_GCM_SHA256 bits=128/128); Sat, 21 Nov 2026 02:00:00 -0800 (PST)",
    reads: { helo: "[10.0.0.5]", ip: "203.0.113.44", reach: "public" },
  },
  {
    server: "qmail, invoked from network",
    line: "(qmail 12345 invoked from network); 21 Nov 2026 10:00:00 -0000",
    reads: { from: null, by: null, at: ten, warnings: [] },
  },
  {
    server: "qmail, invoked by uid",
    line: "(qmail 12345 invoked by uid 89); 21 Nov 2026 10:00:00 -0000",
    reads: { by: null, tls: null, at: ten },
  },
  {
    server: "qmail-smtpd",
    line: "from unknown (HELO mail.a.example) (203.0.113.7)\n  by 0 with SMTP; 21 Nov 2026 10:00:00 -0000",
    reads: {
      from: "mail.a.example",
      helo: "mail.a.example",
      name: null,
      ip: "203.0.113.7",
      by: "0",
      tls: { used: false, version: null, cipher: null },
      at: ten,
    },
  },
  {
    server: "qmail-smtpd with a name, a login and TLS",
    line: "from dsl.isp.example (HELO x) (ann@203.0.113.44) by smtp.a.example with (ECDHE-RSA-AES256-GCM-SHA384 encrypted) SMTP; 21 Nov 2026 10:00:00 -0000",
    reads: {
      from: "dsl.isp.example",
      helo: "x",
      name: "dsl.isp.example",
      ip: "203.0.113.44",
      with: "SMTP",
      tls: { used: true, version: null, cipher: "ECDHE-RSA-AES256-GCM-SHA384" },
    },
  },
  {
    server: "Amazon SES, receiving",
    line: "from mail.a.example (mail.a.example [203.0.113.7]) by inbound-smtp.us-east-1.amazonaws.com with SMTP id 6f1abc for ann@b.example; Sat, 21 Nov 2026 10:00:00 +0000 (UTC)",
    reads: { by: "inbound-smtp.us-east-1.amazonaws.com", id: "6f1abc", for: "ann@b.example", at: ten },
  },
  {
    server: "SendGrid filter, date as Go prints it",
    line: "by recvd-54cd4bbf5c-x8k2p with SMTP id recvd-54cd4bbf5c-1F;\n\t2026-11-21 10:00:00.123456789 +0000 UTC m=+1234.567890123",
    reads: { by: "recvd-54cd4bbf5c-x8k2p", id: "recvd-54cd4bbf5c-1F", at: ten },
  },
  {
    server: "SendGrid over HTTP",
    line: "from MTIzNDU2 (unknown) by geopod-ismtpd-5 (SG) with HTTP id Abc_-1; Sat, 21 Nov 2026 10:00:00.123 +0000 (UTC)",
    reads: { from: "MTIzNDU2", ip: null, by: "geopod-ismtpd-5", with: "HTTP", id: "Abc_-1", at: ten },
  },
  {
    server: "Mailgun over HTTP",
    line: "by 127.0.0.1 with HTTP id 3b1c; Sat, 21 Nov 2026 10:00:00 GMT",
    reads: { by: "127.0.0.1", with: "HTTP", tls: null, at: ten },
  },
  {
    server: "Mandrill",
    line: "from [203.0.113.7] by mandrillapp.com id 0a1b2c; Sat, 21 Nov 2026 10:00:00 +0000",
    reads: { from: "[203.0.113.7]", ip: "203.0.113.7", by: "mandrillapp.com", id: "0a1b2c" },
  },
  {
    server: "Dovecot LMTP",
    line: "from mx.b.example ([127.0.0.1])\n\tby store.b.example with LMTP\n\tid qPk1LgQMP2fXVQAAh5C2xw\n\t(envelope-from <bo@a.example>)\n\tfor <ann@b.example>; Sat, 21 Nov 2026 10:00:00 +0000",
    reads: { ip: "127.0.0.1", reach: "local", with: "LMTP", id: "qPk1LgQMP2fXVQAAh5C2xw" },
  },
  {
    server: "Cyrus LMTP over a Unix socket",
    line: "from mx.b.example ([unix socket]) by store.b.example (Cyrus 3.8.1) with LMTPA; Sat, 21 Nov 2026 10:00:00 +0000",
    reads: { from: "mx.b.example", ip: null, by: "store.b.example", with: "LMTPA", at: ten },
  },
  {
    server: "Yahoo within",
    line: "from sonic.gate.mail.ne1.yahoo.com by sonic321.consmr.mail.ir2.yahoo.com with HTTP; Sat, 21 Nov 2026 10:00:00 +0000",
    reads: { from: "sonic.gate.mail.ne1.yahoo.com", with: "HTTP", tls: null },
  },
  {
    server: "Yahoo, receiving",
    line: "from 203.0.113.7 (EHLO mail.a.example)\n by 10.197.41.65 with SMTPs\n (version=TLS1_3 cipher=TLS_AES_128_GCM_SHA256);\n Sat, 21 Nov 2026 10:00:00 +0000",
    reads: {
      from: "mail.a.example",
      helo: "mail.a.example",
      ip: "203.0.113.7",
      by: "10.197.41.65",
      tls: { used: true, version: "TLSv1.3", cipher: "TLS_AES_128_GCM_SHA256" },
    },
  },
  {
    server: "Yahoo submission, ID in capitals",
    line: "by hermes--production-ir2-1 (Yahoo Inc. Hermes SMTP Server) with ESMTPA ID 0af31;\n          Sat, 21 Nov 2026 10:00:00 +0000 (UTC)",
    reads: { by: "hermes--production-ir2-1", with: "ESMTPA", id: "0af31", tls: null },
  },
  {
    server: "Apple",
    line: "from mail.a.example (mail.a.example [203.0.113.7]) by p00-icloudmta-smtpin-1.p00.apple.example (Postfix) with ESMTPS id 2B for <ann@b.example>; Sat, 21 Nov 2026 10:00:00 +0000 (UTC)",
    reads: { by: "p00-icloudmta-smtpin-1.p00.apple.example" },
  },
  {
    server: "Oracle Messaging Server",
    line: "from mail.a.example ([203.0.113.7]) by ms.b.example (Oracle Communications Messaging Server 8.1.0.1 64bit) with ESMTPS id <0SNA00F1Q2X3Y400@ms.b.example> for ann@b.example (ORCPT ann@b.example); Sat, 21 Nov 2026 10:00:00 +0000 (GMT)",
    reads: { id: "0SNA00F1Q2X3Y400@ms.b.example", for: "ann@b.example", at: ten },
  },
  {
    server: "Lotus Domino",
    line: "from mail.a.example ([203.0.113.7]) by dom.b.example (Lotus Domino Release 9.0.1FP8) with ESMTP id 2026112111000012-12345 ; Sat, 21 Nov 2026 11:00:00 +0100",
    reads: { id: "2026112111000012-12345", with: "ESMTP", at: ten },
  },
  {
    server: "MDaemon",
    line: "from mail.a.example by md.b.example (MDaemon PRO v24.0.1) with ESMTPS id md5001.msg for <ann@b.example>; Sat, 21 Nov 2026 10:00:00 +0000",
    reads: { from: "mail.a.example", ip: null, id: "md5001.msg" },
  },
  {
    server: "CommuniGate",
    line: "from [203.0.113.7] (HELO mail.a.example) by cg.b.example (CommuniGate Pro SMTP 6.3.3) with ESMTPS id 12345 for ann@b.example; Sat, 21 Nov 2026 10:00:00 +0000",
    reads: { from: "mail.a.example", ip: "203.0.113.7", helo: "mail.a.example" },
  },
  {
    server: "PowerMTA, remark behind the date",
    line: "by out7.a.example id h1abcdef for <ann@b.example>; Sat, 21 Nov 2026 10:00:00 +0000 (envelope-from <bo@a.example>)",
    reads: { by: "out7.a.example", id: "h1abcdef", at: ten, warnings: [] },
  },
  {
    server: "PowerMTA from a client",
    line: "from app (203.0.113.7) by out7.a.example (PowerMTA v5.0r8) id h2 for <ann@b.example>; Sat, 21 Nov 2026 05:00:00 -0500 (envelope-from <bo@a.example>)",
    reads: { from: "app", ip: "203.0.113.7", at: ten },
  },
  {
    server: "Haraka",
    line: `from mail.a.example (mail.a.example [203.0.113.7])
	by hk.b.example (Haraka/3.0.3) with ESMTPS id 5C1A.1
	envelope-from <bo@a.example>
	tls TLS_AES_256_GCM_SHA384 (cipher=TLS_AES_256_GCM_SHA384);
	Sat, 21 Nov 2026 10:00:00 +0000`,
    reads: { id: "5C1A.1", tls: { used: true, version: null, cipher: "TLS_AES_256_GCM_SHA384" }, at: ten },
  },
  {
    server: "KumoMTA",
    line: "from app.a.example (203.0.113.7:51234)\n  by kumo.a.example (KumoMTA)\n  with ESMTPS (TLSv1_3:TLS13_AES_256_GCM_SHA384) id 5f0c for <ann@b.example>;\n  Sat, 21 Nov 2026 10:00:00 +0000",
    reads: { ip: "203.0.113.7", tls: { used: true, version: "TLSv1.3", cipher: "TLS13_AES_256_GCM_SHA384" } },
  },
  {
    server: "OpenSMTPD",
    line: "from mail.a.example (mail.a.example [203.0.113.7])\n\tby osd.b.example (OpenSMTPD) with ESMTPS id 1a2b (TLSv1.3:TLS_AES_256_GCM_SHA384:256:NO)\n\tfor <ann@b.example>;\n\tSat, 21 Nov 2026 10:00:00 +0000 (UTC)",
    reads: { tls: { used: true, version: "TLSv1.3", cipher: "TLS_AES_256_GCM_SHA384" }, id: "1a2b" },
  },
  {
    server: "Courier",
    line: "from mail.a.example (mail.a.example [::ffff:203.0.113.7]) (TLS: TLSv1.3,256bits,TLS_AES_256_GCM_SHA384) by co.b.example with ESMTPS; Sat, 21 Nov 2026 10:00:00 +0000",
    reads: { ip: "203.0.113.7", tls: { used: true, version: "TLSv1.3", cipher: "TLS_AES_256_GCM_SHA384" }, at: ten },
  },
  {
    server: "SMTPUTF8 with a name in its own script",
    line: "from mail.a.example (mail.a.example [203.0.113.7]) by bücher.example with UTF8SMTPS id u for <jörg@bücher.example>; Sat, 21 Nov 2026 10:00:00 +0000",
    reads: { by: "bücher.example", for: "jörg@bücher.example", tls: { used: true, version: null, cipher: null } },
  },
  {
    server: "Proofpoint filter",
    line: "from pps.filterd (m0001.ppops.example [127.0.0.1])\n\tby m0001.ppops.example (8.18.1.2/8.18.1.2) with ESMTP id 4AL9xyz;\n\tSat, 21 Nov 2026 10:00:00 GMT",
    reads: { helo: "pps.filterd", reach: "local", at: ten },
  },
  {
    server: "a client that greets as a keyword",
    line: "from by (unknown [198.51.100.9]) by mx.b.example (Postfix) with SMTP id D; Sat, 21 Nov 2026 10:00:00 +0000",
    reads: { from: "by", helo: "by", by: "mx.b.example", ip: "198.51.100.9" },
  },
  {
    server: "a line without a date",
    line: "from a.example ([203.0.113.7]) by b.example with SMTP id 1",
    reads: { at: null, warnings: ["no-date"] },
  },
  {
    server: "a line whose date nobody can read",
    line: "by b.example; yesterday",
    reads: { at: null, warnings: ["date-unreadable"] },
  },
  {
    server: "a line whose zone nobody defined",
    line: "by b.example; Sat, 21 Nov 2026 10:00:00 XYZ",
    reads: { at: null, warnings: ["zone-unknown"] },
  },
  {
    server: "a comment that nobody closes",
    line: "from a.example (oops [203.0.113.7] by b.example with SMTP; Sat, 21 Nov 2026 10:00:00 +0000",
    reads: { ip: "203.0.113.7", by: null, at: ten },
  },
];
