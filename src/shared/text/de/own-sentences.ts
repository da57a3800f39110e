import type { OwnSentence } from '../en/own-sentences.ts'

export const ownSentences: Record<OwnSentence, string> = {
  file_changing: 'die Datei wird gerade geändert',
  file_empty: 'die Datei ist leer',
  file_forbidden: 'Hangar darf sie nicht lesen; prüfen Sie ihre Rechte',
  over_service_limit: '{{bytes}} Byte; der Dienst nimmt höchstens {{limit}}',
  over_reading_limit: '{{bytes}} Byte; für eine kleinere Kopie liest Hangar höchstens {{limit}}',
  bytes_unknown: 'der Inhalt ist weder JPEG noch PNG, GIF, WebP oder AVIF',
  bytes_contradict: 'der Inhalt widerspricht sich selbst',
  header_unreadable: 'der Anfang der Datei ist nicht lesbar ({{why}})',
  over_pixel_limit: '{{pixels}} Pixel; die Grenze liegt bei {{limit}}',
  over_frame_limit: '{{pixels}} Pixel in {{frames}} Einzelbildern; die Grenze liegt bei {{limit}}',
  over_avif_limit:
    '{{pixels}} Pixel; höchstens {{limit}} werden hier zu AVIF: wählen Sie WebP für dieses Bild oder verkleinern Sie es',
  stops_early: 'das Bild hört vor seinem Ende auf; vielleicht wird es noch kopiert',
  damaged: 'das Bild ist beschädigt oder abgeschnitten ({{why}})',
  service_takes: 'der Dienst nimmt JPEG, PNG, GIF und WebP',
  service_converts: 'der Dienst wandelt nur JPEG und PNG um, dies ist {{type}}',
  library_crashed: 'beim Lesen dieses Bildes ist die Bildbibliothek zweimal abgestürzt',
  took_too_long: 'das Bild hat länger als {{seconds}} s gebraucht und wurde aufgegeben',

  large_animation: 'eine Animation von {{bytes}} Byte wird nicht verkleinert',
  no_copy_of_animation: 'eine Animation wird nicht verkleinert',
  no_copy_of_avif: 'von AVIF wird keine Kopie gemacht',
  no_copy_small_enough: 'keine Kopie davon ist klein genug',
  no_avif_of_animation: 'aus einer Animation kann hier kein AVIF werden',

  credits_missing: 'es fehlen Credits: {{credits}}',
  burst: '{{pictures}} Bilder auf einmal, mehr als {{limit}}: stimmen Sie zu, dass sie gesendet werden',
  cap_per_day:
    'von {{limit}} Bildern am Tag sind {{spent}} verbraucht: heben Sie die Obergrenze an, oder warten Sie bis morgen',
  cap_per_month:
    'von {{limit}} Bildern im Monat sind {{spent}} verbraucht: heben Sie die Obergrenze an, oder warten Sie',
  cap_per_folder:
    'von {{limit}} Bildern am Tag in diesem Ordner sind {{spent}} verbraucht: heben Sie die Obergrenze an, oder warten Sie',
  credit_limit:
    'von höchstens {{limit}} Credits sind {{spent}} ausgegeben, und das nächste Bild kostet bis zu {{perImage}}: heben Sie die Grenze an',
  no_price:
    'höchstens {{limit}} Credits dürfen ausgegeben werden, aber der Dienst hat keinen Preis genannt: versuchen Sie es erneut, wenn er antwortet',
  practice_not_started: 'Der Übungsdienst ist nicht gestartet: {{why}}',
  practice_not_running: 'der Übungsdienst läuft nicht',
  no_key: 'kein Schlüssel',
  no_result: 'fertig gemeldet, aber ohne Ergebnis',
  not_there_yet: 'der Dienst sagt, dass die Datei noch nicht da ist',
  download_not_whole: 'was heruntergeladen wurde, ist kein ganzes Bild: {{why}}',
  download_other_type: 'was heruntergeladen wurde, ist {{type}} statt {{wanted}}',
  answer_compressed: 'Die Antwort ist komprimiert, obwohl darum gebeten war, das zu lassen.',
  answer_not_json: 'Die Antwort ist kein JSON.',
  answer_undocumented: 'Die Antwort ist nicht so, wie sie beschrieben ist: {{where}}.',
  answer_without_file: 'Die Antwort enthält keine Datei.',
  file_compressed: 'Die Datei kam noch einmal komprimiert, obwohl darum gebeten war, das zu lassen.',

  network_refused: 'die Verbindung wurde abgelehnt, oder es führt kein Weg zum Server',
  network_dns: 'der Name des Servers ließ sich nicht auflösen',
  network_tls: 'es kam keine sichere Verbindung zustande',
  network_proxy: 'der Proxy hat die Verbindung nicht hergestellt',
  network_forbidden: 'es geht in ein privates Netz',
  network_connect_timeout: 'die Verbindung kam nicht rechtzeitig zustande',
  network_reset: 'die Verbindung brach ab, bevor eine Antwort kam',
  network_timeout: 'zu lange wurde nichts gesendet oder empfangen',
  network_cut_off: 'die Antwort ist abgeschnitten',
  network_too_large: 'die Antwort ist länger als erlaubt',
  network_aborted: 'es wurde hier aufgegeben',
  network_other: 'der Austausch ist gescheitert',
  redirect_insecure: 'der Dienst hat den Download an eine Adresse ohne https weitergeleitet',
  redirect_nowhere: 'der Dienst hat den Download ohne brauchbare Adresse weitergeleitet',
  redirect_too_often: 'der Download wurde zu oft weitergeleitet',
  service_no_answer: 'Der Bilddienst hat nicht richtig geantwortet ({{why}}). Versuchen Sie es gleich noch einmal.',
  service_address_wrong: 'Die Adresse des Bilddienstes scheint falsch zu sein ({{why}}).',
  service_refused: 'Der Bilddienst hat die Anfrage abgelehnt ({{why}}).',
  chargers_no_answer:
    'Der Ladestationsdienst hat nicht richtig geantwortet ({{why}}). Versuchen Sie es gleich noch einmal.',
  chargers_address_wrong: 'Die Adresse des Ladestationsdienstes scheint falsch zu sein ({{why}}).',
  chargers_refused: 'Der Ladestationsdienst hat die Anfrage abgelehnt ({{why}}).',

  no_space: 'Für {{dir}} ist kein Platz mehr. Schaffen Sie welchen, dann geht es weiter.',
  may_not_write: 'Hangar darf in {{dir}} nicht schreiben. Erlauben Sie es, oder wählen Sie einen anderen Ordner.',
  folder_gone: 'Den Ordner {{dir}} gibt es nicht mehr. Bringen Sie ihn zurück, oder wählen Sie einen anderen.',
  part_swapped: '{{path}} wurde gegen eine andere Datei getauscht, bevor sie ihren Namen hatte; sie entsteht neu',
  leads_out:
    '{{path}} führt aus dem Ordner hinaus, in den die Ergebnisse gehören; darum wird dort nichts geschrieben. Prüfen Sie den Pfad auf Verknüpfungen.',
  result_too_large: 'Das Ergebnis ist größer als {{bytes}} Byte und wurde nicht behalten.',
  result_names_taken: 'In {{dir}} ist jeder Name für dieses Ergebnis vergeben. Verschieben Sie einige der Dateien.',
  sidecar_names_taken: 'In {{dir}} ist jeder Name für die Begleitdatei von {{name}} vergeben.',
  sidecar_unreadable: 'Die Begleitdatei {{name}} ist nicht lesbar ({{why}}).',
  sidecar_keeps_changing: 'Die Begleitdatei von {{name}} ändert sich ständig; etwas anderes schreibt sie gerade.',
  sidecar_too_large: '{{name}} würde zu groß, um wieder gelesen zu werden.',
  sidecar_missing:
    'Neben den Ergebnissen steht jetzt keine Begleitdatei. Ihr Text bleibt erhalten und steht darin, sobald sie wieder geschrieben wird.',
  sidecar_of_other:
    'Die Begleitdatei gehört zu einer anderen Fassung dieses Bildes. Ihr Text bleibt für diese Fassung erhalten.',
  twin_without_words: 'In der Begleitdatei von {{name}}, demselben Bild, steht er nicht: {{why}}',

  upload_without_folder: 'Wählen Sie zuerst den Eingangsordner für Uploads: Einstellungen, Daten.',
  upload_malformed: 'Dieser Upload hat nicht die Form, die Hangar annimmt.',
  upload_not_named_picture: 'Das ist dem Namen nach kein Bild (jpg, png, gif, webp).',
  upload_no_picture: 'Diese Datei ist kein Bild in JPEG, PNG, GIF oder WebP, wie immer sie heißt.',
  upload_too_large: 'Dateien über {{megabytes}} MB lassen sich nicht hochladen.',
  upload_day_full:
    'Heute wurde so viel hochgeladen, dass Hangar nichts mehr annimmt. Kopieren Sie den Rest direkt dorthin.',
  upload_too_many: 'Zu viele Uploads zugleich. Warten Sie die anderen ab.',
  upload_no_space:
    'In {{dir}} ist kein Platz mehr für diese Datei. Schaffen Sie welchen, und laden Sie sie noch einmal hoch.',
  upload_names_taken: 'Im Eingangsordner ist jeder Name für {{name}} vergeben. Verschieben Sie einige Dateien.',
  connection_missing:
    'Die Seite ist gerade nicht mit Hangar verbunden; es wird weiter versucht. Es ist nichts geschehen.',
  connection_lost:
    'Die Verbindung zu Hangar brach ab, bevor die Antwort kam. Sehen Sie nach, ob es geschehen ist, bevor Sie es wiederholen.',
  signed_out: 'Diese Seite ist nicht mehr angemeldet. Öffnen Sie einen neuen Link: hangar serve --link.',
  went_wrong: 'In Hangar selbst ist etwas schiefgegangen; mehr steht im Protokoll.',
  too_much_at_once: 'Das ist zu viel auf einmal. Wählen Sie weniger Bilder, und wiederholen Sie es.',

  no_address: 'Das ist keine Adresse: Schreiben Sie sie ganz, zum Beispiel https://bilder.example.com/api/v1.',
  address_without_https: 'Die Adresse muss mit https:// beginnen, zum Beispiel https://bilder.example.com/api/v1.',
  address_unencrypted:
    'Der Schlüssel würde unverschlüsselt übertragen: Nehmen Sie https:// (http:// gilt nur für diesen Computer).',
  address_with_password:
    'Lassen Sie Benutzername und Kennwort aus der Adresse weg; der Schlüssel wird eigens eingetragen.',
  address_with_query: 'Lassen Sie ab „?“ oder „#“ alles aus der Adresse weg.',
  address_too_long: 'Geben Sie die Adresse nur bis {{path}} an: keine andere Version und kein Pfad danach.',
  address_first: 'Geben Sie zuerst die Adresse des Dienstes ein: Ein Schlüssel gilt für eine Adresse.',
  address_changed:
    'Inzwischen wurde eine andere Adresse eingetragen, und ein Schlüssel gilt für eine. Geben Sie ihn noch einmal ein.',
  given_at_start: 'Das wurde Hangar beim Start mitgegeben und bleibt so, bis es ohne gestartet wird.',
  path_missing: 'Eine Datei oder einen Ordner „{{path}}“ gibt es nicht. Prüfen Sie den Pfad.',
  folder_known: 'Dieser Ordner wird schon überwacht. Ändern Sie stattdessen diesen.',
  path_own: '„{{path}}“ gehört Hangar selbst und wird nicht verarbeitet. Geben Sie eigene Bilder an.',
  folder_own: 'Dieser Ordner gehört Hangar selbst. Wählen Sie einen anderen.',
  folder_hidden:
    'Ein Ordner für Ergebnisse wird nie überwacht, und in diesem läge ein ganzer überwachter Ordner. Wählen Sie einen darin oder daneben.',
  file_for_folder: 'Das ist eine Datei. Wählen Sie einen Ordner.',
  folder_name_bad: 'So kann ein Ordner nicht heißen: kein Schrägstrich, und am Anfang kein Punkt.',
  folder_name_taken: 'Etwas mit diesem Namen gibt es schon.',
  folder_not_there: 'Diesen Ordner gibt es nicht mehr. Wählen Sie einen anderen.',
  folder_forbidden: 'Hangar hat kein Recht auf diesen Ordner. Wählen Sie einen anderen, oder ändern Sie seine Rechte.',
  folder_path_relative: 'Ein überwachter Ordner wird mit seinem vollen Pfad angegeben.',
  folder_not_watched: 'Dieser Ordner wird nicht überwacht.',
  folder_not_removed: 'Dieser Ordner wurde nicht entfernt, oder vor zu langer Zeit.',
  pattern_empty: 'Das Muster „{{pattern}}“ ist leer. Lassen Sie es weg, oder schreiben Sie eines wie „*.jpg“.',
  pattern_absolute: 'Das Muster „{{pattern}}“ ist absolut. Schreiben Sie es relativ zum Ordner.',
  pattern_leads_out: 'Das Muster „{{pattern}}“ führt aus dem Ordner hinaus. Schreiben Sie es relativ zum Ordner.',
  pattern_grouped:
    'Das Muster „{{pattern}}“ fasst Namen mit runden Klammern zusammen. Nehmen Sie geschweifte wie in „*.{jpg,png}“, oder „[(]“ für eine runde Klammer.',
  pattern_negated: 'Das Muster „{{pattern}}“ ist verneint. Nehmen Sie stattdessen die andere Liste.',
  pattern_too_many: 'Das Muster „{{pattern}}“ hat eine offene Klammer oder steht für mehr als {{most}} Muster.',
  folder_unusable: 'Dieser Ordner ist nicht zu gebrauchen ({{why}}).',
}
