// Words of transactional mail (an order, a code, a password) and of offers, in lowercase. Searched only in the subject and at
// the start of the text.

/** Each of these alone shows that the recipient did something before. */
export const transactionPhrases: Readonly<Record<string, readonly string[]>> = {
  "an order": [
    "order confirmation|confirmation of your order|thank you for your order|thanks for your order|your order has been|your order has shipped|your order is on its way|we've received your order|has been dispatched|out for delivery|shipping confirmation|booking confirmation|booking confirmed|reservation confirmed|reservation confirmation",
    "bestellbestätigung|auftragsbestätigung|versandbestätigung|buchungsbestätigung|danke für ihre bestellung|danke für deine bestellung|vielen dank für ihren einkauf|ihre bestellung wurde|deine bestellung wurde|wurde versandt|eingang ihrer bestellung",
    "confirmation de commande|confirmation de votre commande|merci pour votre commande|votre commande a été|confirmation de réservation|confirmation d'expédition|confirmation de livraison",
    "confirmación de pedido|confirmación de tu pedido|confirmación de su pedido|gracias por tu pedido|gracias por su pedido|gracias por tu compra|gracias por su compra|confirmación de reserva|tu pedido ha sido|su pedido ha sido",
    "conferma ordine|conferma dell'ordine|conferma d'ordine|conferma del tuo ordine|grazie per il tuo ordine|grazie per il suo ordine|conferma di prenotazione|conferma prenotazione|conferma di spedizione",
    "confirmação de pedido|confirmação do pedido|confirmação da encomenda|confirmação de encomenda|confirmação de reserva|obrigado pela sua compra|obrigado por comprar",
    "orderbevestiging|bestelbevestiging|bevestiging van je bestelling|bevestiging van uw bestelling|bedankt voor je bestelling|bedankt voor uw bestelling|boekingsbevestiging|verzendbevestiging",
    "potwierdzenie zamówienia|dziękujemy za zamówienie|potwierdzenie rezerwacji|zamówienie zostało|potvrzení objednávky|děkujeme za vaši objednávku|děkujeme za objednávku|potvrdenie objednávky|ďakujeme za objednávku",
    "orderbekräftelse|tack för din beställning|tack för din order|bokningsbekräftelse|leveransbekräftelse|ordrebekræftelse|tak for din ordre|tak for din bestilling|bookingbekræftelse|ordrebekreftelse|takk for din bestilling|bestillingsbekreftelse|tilausvahvistus|kiitos tilauksestasi|varausvahvistus",
    "rendelés visszaigazolás|megrendelés visszaigazolás|köszönjük a rendelés|confirmare comandă|confirmarea comenzii|îți mulțumim pentru comandă|sipariş onayı|siparişiniz alındı|siparişiniz kargoya|потвърждение на поръчка|potvrda narudžbe|potrditev naročila|užsakymo patvirtinimas|pasūtījuma apstiprinājums|tellimuse kinnitus",
    "подтверждение заказа|спасибо за заказ|ваш заказ принят|ваш заказ оформлен|ваш заказ отправлен|підтвердження замовлення|дякуємо за замовлення|επιβεβαίωση παραγγελίας|אישור הזמנה|تأكيد الطلب|تأكيد طلبك",
    "ご注文ありがとうございます|ご注文の確認|ご注文確認|注文確認|発送のお知らせ|ご予約確認|订单确认|订单已发货|感谢您的订购|訂單確認|訂單成立|주문 확인|주문이 완료|주문이 접수|배송이 시작|xác nhận đơn hàng|konfirmasi pesanan|ยืนยันคำสั่งซื้อ|ऑर्डर की पुष्टि",
  ].flatMap((row) => row.split("|")),
  "a payment": [
    "your receipt|payment receipt|payment received|payment confirmation|we received your payment|your invoice|invoice attached|your payment to|your refund|refund confirmation",
    "ihre rechnung|deine rechnung|zahlungsbestätigung|zahlungseingang|zahlung erhalten|votre facture|reçu de paiement|votre reçu|confirmation de paiement|su factura|tu factura|recibo de pago|confirmación de pago|la tua fattura|la sua fattura|conferma di pagamento|ricevuta di pagamento|a sua fatura|sua fatura|recibo de pagamento|confirmação de pagamento",
    "uw factuur|je factuur|betalingsbevestiging|twoja faktura|potwierdzenie płatności|potwierdzenie wpłaty|vaše faktura|potvrzení platby|din faktura|betalningsbekräftelse|betalingsbekræftelse|betalingsbekreftelse|maksuvahvistus|fizetési visszaigazolás|factura ta|factura dumneavoastră|faturanız|ödeme onayı|ваш счёт|ваш чек|кассовый чек|подтверждение оплаты|підтвердження оплати",
    "領収書|ご請求書|お支払い確認|支付成功|付款确认|电子发票|付款確認|電子發票|결제 완료|결제가 완료|영수증|hóa đơn của bạn|bukti pembayaran",
  ].flatMap((row) => row.split("|")),
  "an appointment": [
    "appointment reminder|reminder of your appointment|reminder about your appointment|remind you of your appointment|remind you that you have an appointment|your appointment on|your appointment with|your appointment is|appointment confirmed|appointment confirmation|terminerinnerung|erinnern sie an ihren termin|erinnern dich an deinen termin|erinnerung an ihren termin|erinnerung an deinen termin|terminbestätigung|ihren termin am|ihr termin am|dein termin am",
    "rappel de rendez-vous|rappel de votre rendez-vous|rappelons votre rendez-vous|votre rendez-vous du|votre rendez-vous le|confirmation de rendez-vous|recordatorio de cita|recordatorio de su cita|recordatorio de tu cita|recordamos su cita|recordamos tu cita|recordamos que tiene una cita|su cita del|confirmación de cita|promemoria appuntamento|promemoria del suo appuntamento|ricordiamo l'appuntamento|ricordiamo il suo appuntamento|ricordiamo il tuo appuntamento|suo appuntamento del|lembrete de consulta|lembrete da sua consulta|lembrar da sua consulta|lembramos a sua consulta|lembramos que a sua consulta|consulta confirmada",
    "afspraakherinnering|herinnering afspraak|herinnering aan uw afspraak|herinnering aan je afspraak|herinneren u aan uw afspraak|herinneren je aan je afspraak|uw afspraak op|przypomnienie o wizycie|przypominamy o wizycie|przypominamy o umówionej wizycie|potwierdzenie wizyty|påminnelse om din tid|påminner om din tid|påminnelse om ditt besök|din bokade tid|påmindelse om din tid|påminnelse om din time|muistutus ajanvarauksesta|připomínka termínu|emlékeztető időpont|randevu hatırlatma|напоминание о приеме|напоминание о записи|напоминаем о записи|ご予約のリマインド|ご予約日|予約日のお知らせ|診察のご予約|预约提醒|예약 안내",
  ].flatMap((row) => row.split("|")),
  "a password or an account": [
    "reset your password|password reset|reset password|password was changed|password has been changed|new sign-in|new login|sign-in attempt|login attempt|verify your email|confirm your email|verify your account|verify your address|confirm your address|activate your account|security alert",
    "passwort zurücksetzen|passwort zurückzusetzen|passwort vergessen|neue anmeldung|e-mail-adresse bestätigen|e-mail-adresse zu bestätigen|konto aktivieren|réinitialiser votre mot de passe|réinitialisation de votre mot de passe|réinitialisation du mot de passe|confirmez votre adresse|vérifiez votre adresse|restablecer contraseña|restablecer tu contraseña|restablecer su contraseña|restablecimiento de contraseña|verifica tu correo|confirma tu correo",
    "reimposta la password|reimposta password|reimpostare la password|reimpostazione della password|conferma il tuo indirizzo|redefinir senha|redefinir sua senha|redefinição de senha|repor a palavra-passe|confirme seu e-mail|wachtwoord opnieuw instellen|wachtwoord herstellen|wachtwoord resetten|bevestig je e-mailadres|resetowanie hasła|reset hasła|zresetuj hasło|potwierdź adres e-mail|obnovení hesla|obnova hesla|reset hesla",
    "återställ lösenord|återställ ditt lösenord|bekräfta din e-post|nulstil adgangskode|nulstil din adgangskode|tilbakestill passord|tilbakestill passordet|vaihda salasana|salasanan vaihto|jelszó visszaállítás|resetare parolă|resetarea parolei|şifre sıfırlama|şifrenizi sıfırlayın|сброс пароля|восстановление пароля|подтвердите адрес|подтвердите ваш|відновлення пароля|скидання пароля|επαναφορά κωδικού|איפוס סיסמה|إعادة تعيين كلمة المرور",
    "パスワードの再設定|パスワード再設定|パスワードのリセット|重置密码|找回密码|重設密碼|비밀번호 재설정|비밀번호 변경|đặt lại mật khẩu|atur ulang kata sandi|รีเซ็ตรหัสผ่าน|पासवर्ड रीसेट",
  ].flatMap((row) => row.split("|")),
};

/** Names for a code to enter. */
export const codeNames: readonly string[] = [
  "your code is|is your code|ihr code lautet|dein code lautet|ist ihr code|ist dein code|votre code est|tu código es|su código es|il tuo codice è|seu código é|o seu código é|je code is|uw code is|twój kod to|din kod är|ваш код",
  "verification code|one-time code|one time code|one-time password|one-time passcode|one time passcode|security code|login code|log-in code|sign-in code|access code|authentication code|confirmation code|passcode|otp",
  "bestätigungscode|sicherheitscode|einmalcode|einmalpasswort|verifizierungscode|anmeldecode|zugangscode|code de vérification|code de sécurité|code de confirmation|code d'accès|code à usage unique|código de verificación|código de seguridad|código de acceso|codice di verifica|codice di sicurezza|codice di accesso|codice otp|código de verificação|código de segurança|código de acesso",
  "verificatiecode|beveiligingscode|inlogcode|toegangscode|eenmalige code|kod weryfikacyjny|kod jednorazowy|kod dostępu|ověřovací kód|jednorázový kód|overovací kód|verifieringskod|säkerhetskod|engångskod|inloggningskod|bekræftelseskode|engangskode|verifiseringskode|sikkerhedskode|sikkerhetskode|vahvistuskoodi|kertakäyttökoodi|ellenőrző kód|cod de verificare|doğrulama kodu|güvenlik kodu",
  "код подтверждения|одноразовый код|проверочный код|код доступа|код для входа|код підтвердження|код за потвърждение|κωδικός επαλήθευσης|κωδικός επιβεβαίωσης|קוד אימות|رمز التحقق|رمز التأكيد|認証コード|確認コード|ワンタイムパスワード|验证码|驗證碼|인증번호|인증 코드|mã xác minh|mã xác thực|kode verifikasi|kode otp|รหัสยืนยัน|सत्यापन कोड",
].flatMap((row) => row.split("|"));

/** Things that have a number: an order, an invoice, a parcel, a booking, a ticket. */
export const numberedThings: readonly string[] = [
  "order|invoice|receipt|tracking|shipment|parcel|booking|reservation|ticket|payment|transaction|bestellung|bestellnummer|auftrag|auftragsnummer|rechnung|rechnungsnummer|sendung|sendungsnummer|buchung|buchungsnummer|vorgangsnummer|commande|facture|colis|réservation|suivi|pedido|factura|envío|reserva|seguimiento|ordine|fattura|spedizione|prenotazione|encomenda|fatura|bestelling|ordernummer|bestelnummer|factuur|factuurnummer|boeking|zending|zamówienie|zamówienia|faktura|faktury|przesyłka|przesyłki|rezerwacja|objednávka|objednávky|zásilka|zásilky|zásielka|beställning|försändelse|fakturanummer|ordre|ordrenummer|bestilling|forsendelse|tilaus|tilausnumero|lasku|lähetys|rendelés|számla|comanda|comandă|sipariş|kargo|заказ|заказа|счёт|счет|накладная|отправление|бронирование|замовлення|рахунок|поръчка|παραγγελία|τιμολόγιο|הזמנה|חשבונית|طلب|فاتورة|đơn hàng|pesanan|faktur|คำสั่งซื้อ",
  "注文番号|受注番号|請求書番号|お問い合わせ番号|伝票番号|予約番号|订单号|订单编号|訂單編號|訂單號碼|发票号码|發票號碼|运单号|快递单号|物流单号|주문번호|주문 번호|송장번호|운송장번호|예약번호|หมายเลขคำสั่งซื้อ",
].flatMap((row) => row.split("|"));

export const numberWords =
  "number|no|nr|num|id|ref|reference|nummer|numéro|numero|número|numer|číslo|č|numara|numarası|номер|№|αριθμός|מספר|رقم|nomor|numarul|numărul|száma|numero di|n";

/** Each row is one idea, so two words of a row count as one sign. */
export const offerTerms: readonly (readonly string[])[] = [
  "% off|% rabatt|% de réduction|% de descuento|% di sconto|% de desconto|% korting|% zniżki|% taniej|% slevu|% sleva|% rabat|% alennus|% kedvezmény|% reducere|% indirim|% скидк|% знижк|%オフ|% off|折|% 할인|%할인|giảm giá|diskon",
  "sale|ausverkauf|schlussverkauf|soldes|rebajas|saldi|saldos|liquidação|uitverkoop|wyprzedaż|výprodej|rea|udsalg|salg|alennusmyynti|leárazás|indirim|распродажа|розпродаж|εκπτώσεις|מבצע|تخفيضات|セール|大促|特卖|특가|세일|khuyến mãi",
  "coupon|voucher|promo code|discount code|gutschein|rabattcode|code promo|bon de réduction|cupón|código promocional|codice sconto|buono sconto|cupom|kortingscode|kod rabatowy|slevový kód|rabattkod|rabatkode|rabattkode|alennuskoodi|kuponkód|cod de reducere|indirim kodu|промокод|купон|クーポン|优惠券|優惠券|쿠폰|mã giảm giá",
  "discount|rabatt|reduziert|réduction|remise|descuento|sconto|desconto|korting|zniżka|zniżki|sleva|slevy|alennus|kedvezmény|reducere|скидка|скидки|знижка|έκπτωση|הנחה|خصم|割引|折扣|할인",
  "special offer|limited offer|limited time|deal|bargain|sonderangebot|angebot|angebote|offre spéciale|offre|oferta|offerta|aanbieding|promocja|nabídka|erbjudande|tilbud|tarjous|ajánlat|ofertă|fırsat|акция|предложение|пропозиція|προσφορά|عرض|お得|キャンペーン|优惠|優惠|특별|ưu đãi|penawaran",
  "free shipping|free delivery|versandkostenfrei|gratisversand|livraison gratuite|livraison offerte|envío gratis|spedizione gratuita|frete grátis|gratis verzending|darmowa dostawa|doprava zdarma|fri frakt|gratis fragt|ilmainen toimitus|ingyenes szállítás|livrare gratuită|ücretsiz kargo|бесплатная доставка|безкоштовна доставка|送料無料|包邮|免運|무료배송|무료 배송",
  "shop now|buy now|order now|jetzt kaufen|jetzt shoppen|jetzt bestellen|jetzt sichern|achetez maintenant|j'en profite|compra ahora|comprar ahora|acquista ora|compre agora|shop nu|koop nu|kup teraz|nakupovat|handla nu|køb nu|kjøp nå|osta nyt|vásárolj|cumpără acum|hemen al|купить сейчас|купити|今すぐ購入|立即购买|立即購買|지금 구매",
  "black friday|cyber monday|cyber week|singles' day|prime day|winter sale|summer sale|flash sale|newsletter exclusive|members only",
].map((row) => row.split("|"));

/** Parts of the local part in addresses of automated mail. */
export const programMailboxes: ReadonlySet<string> = new Set(
  "nagios icinga zabbix prometheus alertmanager grafana checkmk prtg munin monit sensu observium librenms uptime uptimerobot statuspage monitoring monitor alerting alert alerts alarm alarms backup backups bacula veeam restic borg sicherung cron crond anacron root daemon mailerdaemon logwatch logs syslog fail2ban bot robot bots build builds ci deploy deployments pipeline jenkins gitlab github camera cameras kamera cam cctv nvr dvr nas synology qnap truenas proxmox esxi printer scanner copier drucker router firewall fritzbox ups smarthome homeassistant iot sensor sensors server servers system systems sysadmin hostmaster status reminder reminders erinnerung recordatorio rappel promemoria lembrete noreply donotreply nichtantworten nepasrepondre noresponder nonrispondere receipt receipts billing invoice invoices invoicing rechnung rechnungen facturation order orders bestellung bestellungen commande commandes pedidos ordini payments payment security notification notifications notify alert alerts account accounts verify verification confirm confirmation shipping shipment tracking delivery booking bookings reservation reservations ticket tickets statements monitoring system auto automated".split(
    " ",
  ),
);

/** schema.org types for things that the recipient did or should do. */
export const transactionTypes: ReadonlySet<string> = new Set(
  "Order Invoice ParcelDelivery Reservation EventReservation FlightReservation BusReservation TrainReservation TaxiReservation LodgingReservation FoodEstablishmentReservation RentalCarReservation ReservationPackage ViewAction ConfirmAction TrackAction RsvpAction SaveAction CancelAction UpdateAction DownloadAction CheckInAction ReviewAction".split(
    " ",
  ),
);
export const offerTypes: ReadonlySet<string> = new Set(["DiscountOffer", "PromotionCard"]);
