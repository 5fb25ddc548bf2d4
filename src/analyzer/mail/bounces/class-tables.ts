// What words and codes say about why a message was not delivered. The first row that matches counts (read by
// classes.ts). Patterns meet lower-case text with single spaces. Each is linear: gaps and repetitions are bounded, and
// none is inside another.

import type { BounceClass } from "../reports/mail-class.ts";

export type WordRow = { readonly class: BounceClass; readonly words: readonly RegExp[] };
export type CodeRow = readonly [BounceClass, RegExp];

/**
 * Words that clearly name the cause. They outweigh a status code, because many MTAs give 5.1.1, 5.7.1 or 5.0.0 to any
 * failure. Sentences that borrow the words of another cause come before it ("too many unknown users" isn't an unknown
 * user).
 */
export const plainWords: readonly WordRow[] = [
  // Blames the message or the sender's name, although it mentions rates, lists and signatures.
  { class: "rate", words: [/aup#(?:in|out)-1[1-9]\d\d/] },
  {
    class: "reputation",
    words: [/(?:due to|because of|based on) (?:\w+ ){0,3}reputation/, /aup#(?:i|o|in|out)-10\d\d|aup#bl/],
  },
  {
    class: "content",
    words: [
      /(?:black[ -]?listed|listed|blocked) (?:url|link|uri|domain in)|\bsurbl\b|\buribl\b|spam ?signature/,
      /(?:invalid|missing|multiple|duplicate|malformed|bad|without) (?:[\w:-]{1,40} ){0,2}headers?\b/,
    ],
  },
  {
    class: "policy",
    words: [
      // A mobile carrier says this about mail that its user filters.
      /^550 unknown user \S+ \(in reply to end of data/,
      // The recipient chose to refuse the mail.
      /recipient preferences|(?:user|recipient|id) (?:rejects?|refuses?)\b|blocked by (?:the |this )?(?:recipient|user)|only accept\w{0,3} mail from|user rules|restricted sms|not accepting any mail/,
      /group you tried to contact|permission to post|not (?:a |an )?(?:\w+ )?member of/,
      // Blames the sender or the HELO name, not the recipient.
      /(?:sender(?: address)?|mail from|from address|return path|reverse-path|helo|ehlo)\b[^.;]{0,120}(?:rejected|not found|does(?: not|n'?t) (?:exist|resolve)|unresolvable|must |could not be found|invalid|denied)/,
      /domain of sender/,
    ],
  },
  {
    class: "expired",
    words: [
      /(?:message|mail|delivery|delivery time|retry time|queue time)(?: has)? (?:expired|time-?out exceeded)|retry (?:time ?out|time not reached)/,
    ],
  },
  { class: "user_unknown", words: [/recipient address rejected: access denied/] },
  {
    class: "rate",
    words: [
      /rate[ -]?limit/,
      /(?:rate|frequency|volume) (?:is |has been |was )?(?:limit|exceed)/,
      /(?:limit|exceed|quota)\w{0,3} .{0,30}\b(?:rate|per (?:hour|minute|day|second))\b/,
      /throttl/,
      /receiving (?:mail|messages|email)s? (?:too (?:quickly|fast)|at a rate)/,
      /too many (?:\w+ ){0,3}(?:connections?|sessions?|connects|requests|unknown users|invalid recipients|commands|errors|mails?|emails?|messages (?:from|sent|per|this|to))/,
      /too (?:many|much) (?:mail |e-?mail )?(?:hits|mail from|traffic)/,
      /connections? (?:rate|limit|frequency|count|number)/,
      /(?:max(?:imum|imal)?|limit|exceeded|number of) (?:\w+ ){0,4}(?:concurrent|simultaneous|connections|sessions)/,
      /slow(?:ing)? down|sending (?:mail |messages )?too (?:fast|many|much|quickly)/,
      /unusual(?:ly high)? (?:rate|amount|volume|sending)/,
      /(?:daily|hourly|sending|outgoing|outbound|submission) (?:\w+ )?(?:quota|limit)/,
      /mail flood|flooding|frequency limited|high volume/,
      /gr[ea]y ?-?list|postgrey|cxthrt|cxcnct|\b(?:rp|mi):(?:rcl|trc|cel|dmc|stc|qrc|ccl|imf)\b/,
      /rate control|\(throttled\)|too much (?:e-?)?mail|too many (?:\w+ )?recipients/,
      /\bofr_?(?:10[39]|11[0-9])\b|\[ts01\]/,
    ],
  },
  {
    class: "mailbox_full",
    words: [
      /(?:mail ?box|inbox|mail ?folder|maildir|mbox|account|user|recipient|storage|quota|disk)[\w '"@.<>():-]{0,60}\b(?:is|was|are|over|too|currently|almost|been|now|already)? ?(?:full|over its limit)\b(?!y)/,
      /(?:mbox|mail ?box|mail|quota) ?full\b/,
      /over ?-?quota|over (?:the |its |their |his |storage |disk |mailbox )*(?:\w+ )?(?:quota|storage|limit)\b/,
      /quota (?:has been |is |was )?(?:exceed|full|violation|reached|limit|over|exhaust)/,
      /(?:exceed|reach|surpass)\w{0,3} (?:\S{1,60} ){0,5}(?:quota|disk space|storage|mailbox|mail ?folder|inbox|allocated space)/,
      /exceeds allowed (?:size|quota)/,
      /(?:insufficient|not enough|no|out of|no more|inadequate) (?:user |disk |mailbox |free |available |mail )*(?:storage|space|quota)\b(?! (?:on|left on|in) (?:the )?(?:system|server|device))/,
      /mailbox (?:storage |size )?(?:limit|quota|capacity)|mailbox size (?:limit|exceed)/,
      /too many messages (?:in|on) (?:the |this |your )?(?:mailbox|disk|inbox)/,
      /is out of (?:disk|storage) space|would exceed|benutzer hat zuviele mails/,
      /(?:postfach|speicher)\S{0,12} .{0,40}(?:voll\b|ersch[oö]pft|[uü]berschritten|[uü]berf[uü]llt)/,
      /(?:bo[iî]te|messagerie) .{0,60}plein|quota .{0,20}(?:d[eé]pass|atteint)/,
      /(?:buz[oó]n|cuenta|bandeja) .{0,60}llen[ao]|cuota .{0,20}(?:excedid|superad)/,
      /casella .{0,60}pien[ao]|spazio .{0,30}esaurit/,
      /caixa .{0,60}cheia|(?:postbus|mailbox|postvak) .{0,40}\bvol\b/,
      /ящик .{0,60}(?:переполнен|заполнен)|превышен\S{0,2} .{0,20}квот/,
      /skrzynk\S{1,3} .{0,60}(?:pe[lł]n|przepe[lł]n)/,
      /容量|已满|已滿|空间不足|超過容量|一杯|いっぱい/,
    ],
  },
  {
    class: "reputation",
    words: [
      /spamhaus|spamcop|barracudacentral|\bsorbs\b|senderbase|senderscore|surriel|njabl|abuseat|uceprotect|cloudmark|proofpoint.{0,40}blocked/,
      /black[ -]?list|block[ -]?list|deny ?list|\bdns[br]l|\brbl|blocked? using|(?<!not )listed (?:in|by|on|at)\b/,
      /reputation/,
      /user complaints|complaint rate|\bcxbl\b/,
      /(?:s31[145]0|s3113|s775|s844)\b|\[(?:ts0[2-4]|cs01|in\d\d|ss0\d)\]|\b(?:rp|sc|dy|oc)-00\d\b/,
      /\b(?:ofr|lpn\d{0,3})_?\d{0,3}_?(?:10[0-8]|2\d\d|30[0-5]|50[0-9]|999)\b/,
      /(?:sending |client |your |remote |source |the |mail )?(?:ip|ips|ip address|server|host|network|mta|mx|connection)(?:es)?(?! (?:said|repl|respon|return|issued)) [\w[\].:()'" -]{0,60}(?:blocked|banned|blacklisted|bad)\b/,
      /(?:blocked|banned) (?:\w+ ){0,3}(?:ip\b|ips\b|ip address|network|by .{0,20}list)|blocked - see|access from ip .{0,40}blocked/,
      /dynamic(?:ally)?[ -](?:ip|assigned|address|allocated|looking)|generic (?:hostname|rdns|reverse)|residential (?:ip|host)|dial-?up/,
      /refused to talk to me: (?:550|554|521|571)|service refuse|not accepting (?:mail|connections) from (?:your|this)/,
      /messages? from .{0,60} temporarily deferred|poor sender|bad sender/,
    ],
  },
  {
    class: "authentication",
    words: [
      /\bdmarc\b|\bdkim\b|domainkeys?|\bspf\b|\barc\b.{0,20}fail|sender policy framework|sender[ -]?id .{0,20}fail/,
      /unauthenticated (?:e?-?mail|sender|message)|(?:message|mail|sender|domain) (?:is |was )?(?:not |un)authenticated/,
      /(?:e?-?mail|message|required|sender|domain) authentication (?:results?|checks?|polic|level|fail|did|requir|of)/,
      /reverse (?:dns|lookup|hostname|address|mapping|record|name|ip)|reverse-?dns|cxdns|\bptr\b|\brdns\b|fcrdns|forward-confirmed/,
      /(?:cannot|can'?t|could not|unable to|not|does not|must) (?:be )?(?:find|found|resolve[ds]?|verify|reverse|match) (?:your |the |for |client )*(?:reverse|hostname|host name|ip\b|client|helo)/,
      /(?:client host|client|ip|host) ?name? .{0,40}(?:does not resolve|cannot be resolved|no (?:valid )?(?:reverse|ptr|hostname))|cannot find your hostname/,
    ],
  },
  {
    class: "host_unknown",
    words: [
      /null ?mx|(?:domain|host|server)\b.{0,60} (?:does not|doesn'?t|don'?t) (?:accept|receive) (?:e-?)?mail/,
      /host (?:or domain )?(?:name )?(?:is )?(?:unknown|not found|not known)|host-?unknown/,
      /(?:unknown|invalid|nonexistent|non-existent|illegal|no such|bad|unrouteable|unroutable|unresolvable|undefined) (?:mail |destination |remote |recipient |e-?mail )?(?:host|domain|mail server|destination(?! mailbox)(?! address)|site|network)\b(?!.{0,20}sender)(?! of sender)/,
      /(?<!sender )(?<!sender's )(?:domain|host)(?: name)?(?: of recipient)? [^ ]{0,80} ?(?:does not|doesn'?t|do not) (?:exist|resolve)(?!.{0,20}sender)/,
      /(?:recipient|destination|remote|delivery|mail)(?:'s)? (?:domain|server|host)\b.{0,40} (?:not found|does(?:n'?t| not) exist|not exist|unknown|couldn'?t be found)/,
      /domain [\w"'<>@.-]{0,80} ?(?:couldn'?t|could not) be found|domain (?:name )?(?:is |was )?(?:not found|not exist|unknown)|domain not found/,
      /name or service not known|nxdomain|nodename nor servname|name service error|hostname lookup|host name lookup/,
      /no (?:valid |usable )?(?:mx|a|address|mail exchanger|mx or a|mxs|dns)(?: resource)?s?(?: \w+){0,2} (?:records?|hosts?|found|entry|information|for)\b/,
      /couldn'?t find any host|(?:unable|failed|could not|cannot|can'?t) (?:to )?(?:be )?(?:resolved?|look ?up|find) (?:the |route to )?(?:recipient |remote |destination |mail )?(?:host|domain|mx|dns|address for|server|name)/,
      /un-?rout(?:e?able|able) (?:e-?mail )?address|host address lookups? failed|all relevant mx records point to non-existent|(?:has|have) no mail exchanger|lookup did not succeed/,
      /dns (?:error|lookup|problem|failure|query).{0,60}(?:not exist|not found|nxdomain|no such)|dns (?:domain )?.{0,60}does(?:n'?t| not) exist/,
      /domain name .{0,80}does(?:n'?t| not) appear/,
      /domain (?:is |has )?(?:not (?:registered|valid|hosted)|expired|no longer)/,
      /ドメイン.{0,20}(?:存在|見つ)|域名.{0,10}(?:不存在|错误|錯誤)|domain.{0,40}(?:existiert nicht|nicht gefunden)|домен.{0,40}(?:не найден|не существует)/,
    ],
  },
  {
    class: "policy",
    words: [
      /rela(?:y|is)(?:ing)?\b[\w ,]{0,20}(?:denied|prohibited|not|forbidden|disabled|rejected|refused|blocked|attempt)/,
      /(?:unable|not|cannot|can ?not|won'?t|no|refused?|prohibited|don'?t|do not) (?:\w+ ){0,3}rela(?:y|ying)\b|not a gateway/,
      /in my (?:list of allowed|rcpthosts|control\/locals)|that domain isn'?t in/,
      /(?:domain of sender|sender (?:address |domain |e-?mail )?(?:<?\S{0,80} )?(?:rejected|denied|blocked|refused|not allowed|is not|not |verify|verification|invalid|does not exist|must|undeliverable))/,
      /(?:invalid|unknown|bad|unverified|forged|illegal|null|empty) (?:envelope )?sender|from address (?:verification|is not|not)|address is not verified|mail from .{0,60}(?:not allowed|must|rejected|denied|invalid)/,
      /(?:starttls|tls|encrypt\w{0,4}) (?:\w+ ){0,3}(?:required|needed|mandatory|not offered|not available|handshake)|must issue a starttls|cannot start tls/,
      /(?:authentication|auth|smtp auth)\w{0,4} (?:is )?(?:required|needed)|must (?:be )?(?:authenticate|log ?in)/,
      /not (?:allowed|permitted|authori[sz]ed|able) to (?:post|send|submit|mail)|only (?:members|subscribers)|posting (?:to|is)|restricted (?:to|by|list|group|recipient)|not accept (?:mail|messages|e-?mail) from (?:anyone|external|outside|addresses|unauthenticated|that)/,
      /not (?:on|in) (?:the |my |our )?(?:white|allow|safe)[ -]?list/,
    ],
  },
  {
    class: "content",
    words: [
      /\bvirus(?:es)?\b|malware|infected|trojan|phish/,
      /(?:as|is|be|like|for|contain\w{0,3}|detected|probable|possible|suspected|this|due to|high|message|no|refused|against|anti-?) ?spam\b|\bspam (?:message|content|detect|score|filter|mail|reject|like|block|check|source|or|was|is)|spam-?(?:like|score|content|assassin)|spammy|\bunsolicited|\bu[bc]e\b|\bjunk ?(?:e-?)?mail|bulk e-?mail/,
      /content (?:was |is |has been |of )?(?:rejected|filter|restrict|not|denied|violat|blocked|scan|format|polic)|(?:rejected|blocked|refused|denied) (?:\w+ ){0,4}content/,
      /(?:banned|forbidden|prohibited|disallowed|illegal|blocked|executable|dangerous|unwanted) (?:\w+ )?(?:attachment|file|extension|content)/,
      /attachments? (?:type |types |with |in this |is |are |was |were |has |have )*(?:not|block|remov|reject|restrict|forbid|prohibit)/,
      /8-?bit (?:data|mime|characters?) (?:in|not|mess)|improper use of 8-bit|mime (?:error|type not)|conversion (?:required|not|failed)/,
      /\burls? (?:in|listed|found|blocked)|not rfc ?-?(?:2822|5322|822)|rfc ?-?(?:2822|5322|822) (?:compl|violat|conform)|(?:violat|compl|conform)\w{0,4} (?:\w+ )?rfc/,
      /垃圾|スパム|迷惑メール|ウイルス|病毒|ウィルス/,
    ],
  },
  {
    class: "disabled",
    words: [
      /(?:account|mail ?box|user|recipient|address|inbox|e-?mail|subscriber|alias|domain)(?:\(s\))?(?: [^ ]{3,80})?(?:'s)?(?: account| mail ?box| address)? (?:has been |have been |is |was |are |been |has )?(?:currently |temporarily |permanently |now )*(?:disabled|suspended|inactive|deactivated|locked|frozen|on hold|discontinued|closed|expired|terminated|dormant|not active|inactivated|cancel+ed|archived)/,
      /(?:disabled|inactive|suspended|locked|closed|expired|deactivated|dormant|frozen|terminated) (?:mail ?box|account|user|recipient|address|e-?mail)/,
      /(?:account|mail ?box) (?:has been |is |was )(?:\w+ )?blocked/,
      /mailbox disabled|not accepting messages|is not active|account (?:is )?(?:temporarily )?unavailable|user (?:is )?suspended|has been discontinued/,
      /(?:konto|postfach|benutzer|empf[aä]nger).{0,40}(?:deaktiviert|gesperrt|geschlossen)|compte.{0,40}(?:d[eé]sactiv|suspend|ferm)|cuenta.{0,40}(?:desactivad|suspendid|deshabilitad)|ящик.{0,40}(?:заблокирован|отключ)|停用|禁用|利用停止|冻结/,
    ],
  },
  {
    class: "user_unknown",
    words: [
      /(?:user|mail ?box|recipient|addressee|account|alias|address|person|rcpt|local[ -]part)(?: address| name)? ?[-:]? ?(?:is )?unknown|unknown[ -](?:or (?:illegal|invalid|inactive) )?(?:local )?(?:e-?mail |virtual |mail )?(?:user|recipient|mail ?box|alias|addressee|account|address|local[ -]part|rcpt|person|name|customer|subscriber)/,
      /(?:invalid|illegal|nonexistent|non-existent|no such|bad|undefined|not a valid|not a known|no valid|no matching|wrong|incorrect|unavailable) (?:or (?:unknown|inactive) )?(?:local )?(?:e-?mail |virtual |mail |final |destination )?(?:user|recipient|mail ?box|alias|addressee|account|address|local[ -]part|rcpt|person|name here|customer|subscriber|mobile|destination mailbox)/,
      /(?:user|recipient|mail ?box|addressee|account|address|alias|subscriber|person|e-?mail|member|name|customer|contact)(?:\(s\)|s|'s)?(?: address| name| account)?[:,]?(?: you (?:entered|tried to reach|are trying to \w+|specified))?(?: that you tried to reach)?(?: [^ ]{1,100}){0,2}?[:,.;]{0,2} (?:could not|cannot|can ?not|could ?n'?t|can'?t|is not|isn'?t|was not|wasn'?t|does not|doesn'?t|doesnt|do not|don'?t|did not|didn'?t|not|no longer|is no longer|are no longer)(?: be)?(?: a| an| have an?| currently| seem to)? ?(?:found|exist|known|listed|recogni[sz]ed|valid\b|registered|match|present|defined|here|locat|reach|available here|active here|on (?:this|our|the) (?:server|system)|\S{0,60} ?account|\S{0,60} ?mail ?box|in (?:the |our )?(?:directory|system|use|service|database))/,
      /(?:has no|have no|doesn'?t have an?|does not have an?|no) (?:[\w.-]+ )?(?:mail ?box|account|such user|user|valid recipient|recipients?|mail folder)s?(?: here| by| with| for| found|\b)/,
      /not our (?:user|customer)|no one here|not a (?:known|valid|local|listed) /,
      /not listed in (?:the )?(?:domino|public|address|local)|recipientnotfound|recipient not found|address (?:rejected|error)(?:\.|: user|: no such|: unknown|: undeliverable| \()|unknown address|undeliverable address|address (?:couldn'?t|could not) be found/,
      /no longer (?:with|works?|employed|on (?:this|the|our)? ?server|here|at|associated|an? \w+ (?:of|at))|(?:has|have) moved|(?:address|user|e-?mail|mailbox) (?:has |was )?(?:been )?(?:changed|removed|deleted)|(?:deleted|removed) (?:user|account|mailbox)|(?:account|address|mailbox) (?:was |is |has been )?(?:deleted|abandon)|user not local|been replaced by|please try <|has a new (?:e-?mail )?address/,
      /not found (?:in|at|on) (?:the |this |our )?(?:system|server|domain|destination|recipient|ldap|directory|database|user)|(?:ldap|directory|alias|passwd|user) (?:lookup|entry|look-up).{0,20}(?:fail|not found|no entry)/,
      /there is no (?:such )?(?:user|account|one|mailbox|person)|mailbox (?:name )?(?:not allowed|unavailable|is unavailable)|this address (?:no longer|does not|doesn'?t|is not)|not have an? .{0,40}account|who does not exist|no such (?:name|id)|no mailbox|invalid\/inactive/,
      /(?:utilisateur|destinataire|adresse|bo[iî]te)[^.]{0,60}(?:inconnue?|n'existe pas|invalide|introuvable|incorrecte|n'a pas [eé]t[eé] trouv)/,
      /(?:empf[aä]nger|benutzer|adresse|postfach|konto|adressat)\S{0,8}[^.]{0,60}(?:unbekannt|existiert nicht|nicht (?:gefunden|bekannt|vorhanden|verf[uü]gbar)|ung[uü]ltig)|unbekannter? (?:empf|benutzer|adress)/,
      /(?:usuario|destinatario|direcci[oó]n|cuenta|buz[oó]n)[^.]{0,60}(?:desconocid|no existe|no (?:se )?(?:ha |pudo )?(?:encontr)|inv[aá]lid|inexistente)/,
      /(?:utente|destinatario|indirizzo|casella)[^.]{0,60}(?:sconosciut|inesistente|non esiste|non (?:[eè] stat[oa] )?trovat|non valid)/,
      /(?:usu[aá]rio|destinat[aá]rio|endere[cç]o|conta|caixa)[^.]{0,60}(?:desconhecid|n[aã]o existe|n[aã]o (?:foi |p[oô]de ser )?encontrad|inv[aá]lid|inexistente)/,
      /(?:gebruiker|geadresseerde|ontvanger|adres|postbus)[^.]{0,60}(?:onbekend|bestaat niet|niet (?:worden )?gevonden|ongeldig)/,
      /(?:пользовател|получател|адрес|ящик)\S{0,4}[^.]{0,60}(?:не найден|не существует|неизвест|недействит|не зарегистр)|(?:неизвестный|несуществующий) (?:пользов|получ|адрес)/,
      /(?:u[zż]ytkownik|adres|konto|odbiorc|skrzynk)\S{0,4}[^.]{0,60}(?:nieznan|nie istnieje|nie (?:zosta\S{1,3} )?(?:znalezion|odnalezion)|nie ma)/,
      /見つかりません|見つかりませんでした|存在しません|存在致しません|宛先不明|地址不存在|用户(?:不存在|未找到)|无此用户|收件人(?:地址)?不存在|使用者不存在|(?:邮箱|郵箱|帐号|账号|帳號)不存在|無此|존재하지/,
    ],
  },
  {
    class: "too_big",
    words: [
      /(?:message|e-?mail|mail|body|attachments?|data|content|file)(?: size| length)?(?: of [\w.,]{1,20}(?: bytes| kb| mb)?)? ?(?:is |was |are |has |been )*(?:too (?:big|large|long)|exceed|larger|over (?:the )?(?:size|max)|greater than)/,
      /(?:message|mail|max(?:imum|imal)?|fixed|attachment|file|allowed|body) (?:\w+ ){0,3}size|size (?:limit|exceed|restrict)|size of (?:this|the|your) (?:message|mail|e-?mail)|too (?:large|big) (?:for|to|message|mail)|oversize/,
      /nachricht.{0,30}zu gro[sß]|message .{0,20}trop (?:gros|volumineux|grand)|mensaje .{0,30}demasiado grande|messaggio .{0,30}troppo grande|邮件(?:大小|过大|太大)|слишком больш|サイズ.{0,20}(?:超|大き)/,
    ],
  },
];

/** Words that count only when the status says nothing. */
export const hintWords: readonly WordRow[] = [
  {
    class: "user_unknown",
    words: [
      /address rejected|does not exist|not found|doesn'?t exist|invalid recipient|no recipients?\b|unknown$|user reject|recipient (?:address )?reject/,
    ],
  },
  {
    class: "system",
    words: [
      /\bloops?\b|looping|too many (?:hops|received|forward)|hop count|bounced too many|forwarding to|loops back/,
      /(?:i\/o|disk|file|write|read|queue|local|internal|server|configuration|config|software|database|resources?|processing|temporary|program|lookup|mailer|application|protocol|delivery agent|system)(?: \w+)? (?:error|failure|problem|failed|full|fault|exception|misconfigur\w+)/,
      /misconfigur|(?:server|system) (?:is )?(?:\w+ )?(?:busy|down|overload|shutting)|command (?:output|died|time|unrecognized|failed|unknown)/,
      /(?:can'?t|cannot|couldn'?t|could not|unable to|failed to) (?:create|open|write|append|lock|execute|exec|fork|access|run|save|store|chdir|stat)\b/,
      /no space left|not enough (?:system )?(?:memory|resources)|insufficient (?:system )?(?:resources|storage)|(?:bad|invalid) (?:sequence|syntax|command)|syntax error|unrecognized|not implemented|procmail|maildrop|segmentation|local delivery|mail system (?:full|storage)/,
      /(?:service|server) (?:is |currently |temporarily )*(?:not available|unavailable|closing)|temporar\w{1,4} (?:local |system |lookup |server )?(?:failure|problem|error)/,
    ],
  },
  {
    class: "expired",
    words: [
      /(?:could not|cannot|can ?not|couldn'?t|unable to|not|undeliver\w{0,4}) (?:be )?(?:\w+ ){0,4}(?:for|within|after|in|since) (?:the last |more than |over )?[\d.]+ ?(?:day|hour|minute|week|d\b|h\b|m\b)/,
      /(?:retry|retries|delivery|queue|message|mail|transmission|life ?time)(?: time| timeout| period| attempts?| duration)? ?(?:has |is |was |have |been )*(?:expired|timed? ?-?out|exhausted|elapsed|exceeded)|expired|in (?:the |our )?(?:\w+ )?queue (?:for )?(?:too long|more than|over|\d)/,
      /(?:no|not|nor|never|without|did not|didn'?t|doesn'?t) (?:\w+ )?(?:answer|respon\w+|reply)/,
      /(?:connection|connect|connecting|session|conversation|operation|attempts?|host|delivery|smtp|server|dns)\b.{0,80}(?:timed? ?-?out|refused|reset|lost|dropped|unreachable|timeout)/,
      /time(?:d)? ?-?out|(?:network|host|destination|server|route|port)(?: \S{1,80})? (?:is |are )?(?:unreachable|not reachable|down\b|inaccessible|offline)|no route to|unreachable/,
      /(?:unable|failed|could ?n[o']t|cannot|can'?t|not able|could not) (?:to )?(?:be )?(?:establish|connect|reach|contact|open (?:a )?connection)/,
      /giving up|gave up|tried (?:too many|to deliver|repeatedly)|delivery temporarily suspended|(?:maximum|max|too many|all) (?:\w+ )?(?:retries|attempts|tries)|attempts (?:failed|to deliver)|delayed|will (?:continue|keep) (?:to )?(?:try|retry|be)|verz[oö]ger|задерж|retardé|lost connection|delivery attempts/,
    ],
  },
  {
    class: "policy",
    words: [
      /polic(?:y|ies)|administrative|prohibit|not authori[sz]ed|unauthori[sz]ed|permission|access (?:is )?denied|security (?:polic|reason|violat|restrict|check)|denied|not (?:permitted|allowed)|restrict|reject\w{0,3}|refused|blocked|moderat|disallow|forbidden|banned/,
    ],
  },
  { class: "content", words: [/suspicious|unacceptable|filter|\bspam\b|\bdt:sp[mt]/] },
  { class: "system", words: [/try (?:again )?later|unavailable|error|deferred|busy|transaction failed/] },
];

/** What each registered status means (RFC 3463, the IANA registry), and what large providers use it for. */
export const statusRows: readonly CodeRow[] = [
  ["user_unknown", /^[45]\.1\.(?:1|3|4|6|10)$|^5\.7\.1[78]$|^5\.4\.14$/],
  ["host_unknown", /^[45]\.1\.2$|^[45]\.4\.4$|^5\.4\.310$/],
  ["policy", /^[45]\.1\.[789]$|^[45]\.7\.(?:[2-9]|1[0-249]|30|5[0-9]|6[0-9]|12[0-9]|13[0-9]|193)$/],
  ["disabled", /^5\.2\.1$|^5\.7\.13$/],
  ["mailbox_full", /^[45]\.2\.2$/],
  ["too_big", /^[45]\.2\.3$|^[45]\.3\.4$/],
  ["authentication", /^[45]\.7\.(?:2[0-79]|509|515|750)$/],
  ["rate", /^[45]\.7\.28$|^5\.2\.12[12]$|^4\.7\.50[0-9]$|^[45]\.5\.3$/],
  ["reputation", /^[45]\.7\.(?:50[1-3]|51[0-4]|6\d\d|70\d)$/],
  ["content", /^[45]\.6\.\d+$/],
  ["expired", /^[45]\.4\.(?:1|2|7|31[678])$/],
  ["system", /^[45]\.2\.4$|^[45]\.3\.[1-9]\d*$|^[45]\.4\.(?:3|5|6|8)$|^[45]\.5\.[1-9]\d*$/],
];

/** Statuses that only narrow the cause down. They decide when no words do. */
export const vagueStatusRows: readonly CodeRow[] = [
  ["user_unknown", /^[45]\.1\.\d+$|^5\.2\.\d+$/],
  ["policy", /^[45]\.7\.\d+$/],
  ["expired", /^[45]\.4\.\d+$/],
  ["system", /^[45]\.[35]\.\d+$|^4\.2\.\d+$/],
];

/** Reply codes of RFC 5321 §4.2.3 that say more than "no". They decide when nothing else does. */
export const replyRows: readonly CodeRow[] = [
  ["host_unknown", /^556$/],
  ["mailbox_full", /^[45]52$/],
  ["user_unknown", /^55[013]$/],
  ["policy", /^(?:53[058]|571)$/],
  ["system", /^4\d\d$|^50\d$/],
];
