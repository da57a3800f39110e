import type { practiceWords as englishPractice, reasonWords as english } from '../en/reason-words.ts'

const NOTHING_SENT = 'Es wurde nichts gesendet und daher nichts berechnet; das Original ist unverändert.'
const MAY_BE_CHARGED =
  'Es wurde möglicherweise berechnet und wird darum nicht von selbst noch einmal gesendet; das Original ist unverändert.'
const STAYS = 'Das Original ist unverändert.'
const PAID_AND_KEPT = 'Was bezahlt wurde, bleibt erhalten; das Original ist unverändert.'
const DECIDE =
  'Entscheiden Sie: „Erneut senden“ wird möglicherweise doppelt berechnet, bei „Auf sich beruhen lassen“ wird nichts gesendet.'

export const reasonWords: typeof english = {
  backoff: {
    short: 'Wartet auf den nächsten Versuch',
    happened: 'Der letzte Versuch ist nicht gelungen.',
    means:
      'Der nächste folgt von selbst; wiederholt wird nur, was kostenlos ist oder diesen Computer nie verlassen hat.',
    todo: '',
  },
  rate_limited: {
    short: 'Wartet wegen des Anfragelimits',
    happened: 'Der Dienst bittet zu warten: zu viele Anfragen in einer Minute.',
    means: 'Es geht von selbst weiter und zählt nicht als Versuch.',
    todo: '',
  },
  same_content_in_flight: {
    short: 'Wartet auf dasselbe Bild',
    happened: 'Dasselbe Bild ist unter einem anderen Namen schon unterwegs.',
    means: 'Bezahlt wird einmal; diese Datei bekommt dann dessen Ergebnisse.',
    todo: '',
  },
  service_unreachable: {
    short: 'Dienst nicht erreichbar',
    happened: 'Der Bilddienst ist nicht erreichbar.',
    means: 'Bis er antwortet, wird nichts mehr gesendet; danach geht es von selbst weiter.',
    todo: 'Prüfen Sie das Netz und die Adresse des Dienstes.',
  },
  service_doubtful: {
    short: 'Dienst gestört',
    happened: 'Der Bilddienst antwortet, aber nicht so, dass es einen Sinn ergibt.',
    means: 'Bis er wieder richtig antwortet, wird nichts mehr gesendet; danach geht es von selbst weiter.',
    todo: '',
  },

  own_output: {
    short: 'Von Hangar erzeugt',
    happened: 'Diese Datei ist ein Ergebnis, das Hangar geschrieben hat.',
    means: 'Sie wird nie selbst als Bild verarbeitet.',
    todo: '',
  },
  already_done: {
    short: 'Schon fertig',
    happened: 'Dieses Bild wurde so schon verarbeitet, und seine Ergebnisse sind da.',
    means: 'Es wird nichts noch einmal gesendet oder berechnet.',
    todo: '',
  },
  source_gone: {
    short: 'Original nicht mehr da',
    happened: 'Das Original wurde verschoben oder gelöscht, bevor die Ergebnisse geschrieben waren.',
    means:
      'Es wurde nichts geschrieben. Was bezahlt wurde, bleibt erhalten und dient wieder, wenn dasselbe Bild zurückkommt.',
    todo: '',
  },
  source_changed: {
    short: 'Original geändert',
    happened: 'Das Original wurde während der Verarbeitung geändert.',
    means: 'Die Ergebnisse der früheren Fassung wurden nicht geschrieben.',
    todo: 'Die neue Fassung zählt als neues Bild; fügen Sie sie erneut hinzu.',
  },

  key_missing: {
    short: 'Kein Schlüssel',
    happened: 'Für diesen Bilddienst gibt es keinen Schlüssel.',
    means: NOTHING_SENT,
    todo: 'Tragen Sie den Schlüssel in den Einstellungen ein.',
  },
  key_refused: {
    short: 'Schlüssel abgelehnt',
    happened: 'Der Bilddienst lehnt den Schlüssel ab.',
    means: 'Die Bilder warten, und nichts wird berechnet; mit einem gültigen Schlüssel geht es weiter.',
    todo: 'Tragen Sie den richtigen Schlüssel in den Einstellungen ein.',
  },
  other_account: {
    short: 'Wartet auf den Schlüssel seines Kontos',
    happened: 'Dieses Bild wurde mit dem Schlüssel eines anderen Kontos gesendet.',
    means: 'Es ist dort bezahlt; nur mit einem Schlüssel dieses Kontos lassen sich die Ergebnisse holen.',
    todo: 'Tragen Sie in den Einstellungen einen Schlüssel dieses Kontos ein, oder brechen Sie das Bild ab.',
  },
  other_service: {
    short: 'Gehört zu einem anderen Dienst',
    happened: 'Dieses Bild wurde für einen anderen Bilddienst beauftragt als den jetzigen.',
    means: 'Es wird an keinen Dienst gesendet, für den es nicht gedacht war.',
    todo: 'Kehren Sie in den Einstellungen zu jenem Dienst zurück, oder fügen Sie das Bild für diesen erneut hinzu.',
  },
  credits_short: {
    short: 'Zu wenig Credits',
    happened: 'Das Guthaben des Kontos reicht nicht.',
    means: 'Noch nicht gesendete Bilder warten; was gesendet ist, wird abgeholt.',
    todo: 'Laden Sie das Konto auf; binnen Minuten geht es dann von selbst weiter, mit „Erneut versuchen“ sofort.',
  },
  credits_refused: {
    short: 'Wegen Guthaben abgelehnt',
    happened:
      'Der Dienst lehnte dieses Bild wegen fehlender Credits ab, obwohl sie laut seiner eigenen Auskunft reichen.',
    means:
      'Es wurde nicht angenommen und sollte nichts kosten. Im Abstand von Minuten wird es noch bis zu zweimal von selbst versucht.',
    todo: 'Laden Sie das Konto auf oder fragen Sie den Support des Dienstes; „Erneut versuchen“ versucht es sofort.',
  },
  address_wrong: {
    short: 'Adresse des Dienstes wohl falsch',
    happened: 'Was unter der Adresse antwortet, verhält sich nicht wie der Bilddienst.',
    means: 'Die Bilder warten; an keinem liegt es, und nichts wird berechnet.',
    todo: 'Prüfen Sie die Adresse in den Einstellungen; meist endet sie auf /api/v1.',
  },
  spend_guard: {
    short: 'Wartet auf Zustimmung',
    happened: 'Das Senden ginge über eine Grenze hinaus, bis zu der ohne Rückfrage ausgegeben wird.',
    means: 'Ohne Zustimmung wird nichts gesendet.',
    todo: 'Stimmen Sie zu, heben Sie die Grenze in den Einstellungen an, oder brechen Sie ab.',
  },
  stalled: {
    short: 'Seit einem Tag nicht fertig',
    happened: 'Der Dienst ist mit diesem Bild seit einem Tag nicht fertig geworden.',
    means: 'Es wurde berechnet; der Dienst wird jede Stunde wieder gefragt, was nichts kostet.',
    todo: 'Warten Sie, oder fragen Sie den Support des Dienstes.',
  },
  disk_full: {
    short: 'Datenträger voll',
    happened: 'Der Datenträger ist voll.',
    means: 'Nichts wurde halb geschrieben. Sobald Platz ist, geht es von selbst weiter, ohne neue Kosten.',
    todo: 'Schaffen Sie Platz auf dem Datenträger.',
  },
  target_not_writable: {
    short: 'Ordner nicht beschreibbar',
    happened: 'In den Ordner für die Ergebnisse lässt sich nicht schreiben.',
    means: 'Es wurde nichts geschrieben. Sobald es geht, geht es von selbst weiter, ohne neue Kosten.',
    todo: 'Erlauben Sie Hangar, dort zu schreiben, oder wählen Sie im Rezept einen anderen Ordner.',
  },
  folder_missing: {
    short: 'Ordner nicht da',
    happened: 'Das Bild lässt sich gerade nicht lesen: Sein Ordner oder Laufwerk ist nicht da.',
    means: 'Sobald er wieder da ist, geht es von selbst weiter.',
    todo: 'Schließen Sie das Laufwerk wieder an.',
  },

  too_large: {
    short: 'Zu groß',
    happened: 'Die Datei ist größer als die 10 MB, die der Dienst annimmt.',
    means: NOTHING_SENT,
    todo: 'Exportieren Sie das Bild kleiner, oder wählen Sie im Rezept, dass eine kleinere Kopie gesendet wird.',
  },
  wrong_type: {
    short: 'Typ passt nicht dazu',
    happened: 'Bilder dieses Typs lassen sich so nicht verarbeiten.',
    means: NOTHING_SENT,
    todo: 'Wählen Sie im Rezept einen anderen Vorgang, oder das Umwandeln auf diesem Computer.',
  },
  not_an_image: {
    short: 'Kein Bild',
    happened: 'Die Datei heißt wie ein Bild, enthält aber keines von einem Typ, den der Dienst annimmt.',
    means: NOTHING_SENT,
    todo: 'Speichern Sie es als JPEG, PNG, GIF oder WebP.',
  },
  cut_off: {
    short: 'Abgeschnitten',
    happened: 'Das Bild endet zu früh: Ein Teil davon fehlt.',
    means: NOTHING_SENT,
    todo: 'Kopieren Sie es noch einmal von dort, woher es kam.',
  },
  too_many_pixels: {
    short: 'Zu viele Pixel',
    happened: 'Das Bild hat mehr Pixel, als sich sicher verarbeiten lassen.',
    means: NOTHING_SENT,
    todo: 'Exportieren Sie es kleiner.',
  },
  unreadable: {
    short: 'Nicht lesbar',
    happened: 'Die Datei lässt sich nicht lesen.',
    means: NOTHING_SENT,
    todo: 'Prüfen Sie ihre Zugriffsrechte und ihr Laufwerk.',
  },
  rejected_by_service: {
    short: 'Vom Dienst abgelehnt',
    happened: 'Der Dienst lehnt dieses Bild ab.',
    means: 'Abgelehntes sollte nicht berechnet werden, doch das entscheidet der Dienst; das Original ist unverändert.',
    todo: 'Ändern Sie, was der Dienst nennt, und versuchen Sie es erneut; das wird möglicherweise berechnet.',
  },
  job_failed: {
    short: 'Beim Dienst fehlgeschlagen',
    happened: 'Der Dienst hat das Bild angenommen, wurde aber nicht damit fertig; einen Grund nennt er nicht.',
    means: 'Es wurde möglicherweise berechnet. ' + STAYS,
    todo: '„Erneut versuchen“ sendet es noch einmal, was möglicherweise noch einmal berechnet wird.',
  },
  never_ended: {
    short: 'Nie fertig geworden',
    happened: 'Der Dienst ist mit diesem Bild seit einer Woche nicht fertig geworden.',
    means: 'Es wurde möglicherweise berechnet. ' + STAYS,
    todo: '„Erneut fragen“ kostet nichts; „Erneut versuchen“ sendet es noch einmal, was möglicherweise noch einmal berechnet wird.',
  },
  download_gone: {
    short: 'Ergebnis nicht mehr da',
    happened: 'Der Dienst meldet das Bild als fertig, doch seine Datei ist dort nicht zu bekommen.',
    means: PAID_AND_KEPT,
    todo: '„Erneut holen“ versucht es noch einmal, kostenlos.',
  },
  download_broken: {
    short: 'Ergebnis beschädigt',
    happened: 'Was der Dienst als Ergebnis lieferte, war kein vollständiges Bild.',
    means: 'Davon wurde nichts geschrieben. ' + PAID_AND_KEPT,
    todo: '„Erneut holen“ versucht es noch einmal, kostenlos.',
  },
  encode_failed: {
    short: 'Hier nicht umwandelbar',
    happened: 'Das Bild ließ sich auf diesem Computer nicht umwandeln.',
    means: PAID_AND_KEPT,
    todo: 'Wählen Sie im Rezept das andere Format, oder einen Vorgang ohne Umwandeln.',
  },
  copy_failed: {
    short: 'Keine kleinere Kopie',
    happened: 'Die kleinere Kopie, die gesendet werden sollte, ließ sich auf diesem Computer nicht machen.',
    means: NOTHING_SENT,
    todo: 'Versuchen Sie es erneut, oder exportieren Sie das Bild kleiner.',
  },
  no_free_name: {
    short: 'Kein Name frei',
    happened: 'Jeder Name, den das Ergebnis haben könnte, ist vergeben.',
    means: 'Nichts Vorhandenes wurde überschrieben. ' + PAID_AND_KEPT,
    todo: 'Räumen Sie den Ordner auf, oder wählen Sie im Rezept einen anderen; danach hilft „Erneut holen“, kostenlos.',
  },

  part_swapped: {
    short: 'Ergebnis ausgetauscht',
    happened: 'Bei jedem Schreiben des Ergebnisses ersetzte ein anderes Programm die unfertige Datei in ihrem Ordner.',
    means: 'Was das andere Programm dort ablegte, wurde nicht als Ergebnis genommen. ' + PAID_AND_KEPT,
    todo: 'Finden Sie heraus, was in diesem Ordner Dateien verändert, oder wählen Sie im Rezept einen anderen; danach hilft „Erneut holen“, kostenlos.',
  },

  answer_lost: {
    short: 'Antwort verloren',
    happened: 'Das Bild wurde gesendet, aber die Antwort kam nie an.',
    means: MAY_BE_CHARGED,
    todo: DECIDE,
  },
  crashed_while_sending: {
    short: 'Beim Senden beendet',
    happened: 'Hangar wurde beendet, während das Bild gesendet wurde.',
    means: MAY_BE_CHARGED,
    todo: DECIDE,
  },
  no_job_id: {
    short: 'Antwort ohne Auftrag',
    happened:
      'Der Dienst hat das Bild angenommen, aber seine Antwort nennt keinen Auftrag, nach dem sich fragen ließe.',
    means: MAY_BE_CHARGED,
    todo: DECIDE,
  },
  server_error: {
    short: 'Fehler beim Dienst',
    happened: 'Der Dienst antwortete mit einem eigenen Fehler, nachdem das Bild gesendet war.',
    means: MAY_BE_CHARGED,
    todo: DECIDE,
  },
  unclear_answer: {
    short: 'Unklare Antwort',
    happened: 'Das Bild wurde gesendet, und aus der Antwort geht nicht hervor, ob der Dienst es angenommen hat.',
    means: MAY_BE_CHARGED,
    todo: DECIDE,
  },
  lost_at_service: {
    short: 'Beim Dienst verloren',
    happened: 'Der Dienst hatte das Bild angenommen und kennt es jetzt nicht mehr.',
    means: MAY_BE_CHARGED,
    todo: 'Entscheiden Sie: „Erneut fragen“ kostet nichts, „Erneut senden“ wird möglicherweise doppelt berechnet, bei „Auf sich beruhen lassen“ wird nichts gesendet.',
  },

  before_sending: {
    short: 'Vor dem Senden abgebrochen',
    happened: 'Es wurde abgebrochen, bevor es gesendet war.',
    means: NOTHING_SENT,
    todo: '',
  },
  after_sending: {
    short: 'Nach dem Senden abgebrochen',
    happened: 'Es wurde abgebrochen, nachdem es gesendet war.',
    means: 'Die Credits sind ausgegeben. Das Ergebnis dient, wenn dasselbe Bild wieder beauftragt wird.',
    todo: '',
  },
  dropped: {
    short: 'Auf sich beruhen gelassen',
    happened: 'Sie haben entschieden, es auf sich beruhen zu lassen.',
    means: 'Es wird nur noch einmal gesendet, wenn Sie es beauftragen. ' + STAYS,
    todo: '',
  },
}

const FREE = 'Das war zur Übung, und die kostet nie etwas; das Original ist unverändert.'
const KEPT = 'Was der Dienst gemacht hat, bleibt erhalten; das Original ist unverändert.'
const DECIDE_FREELY =
  'Entscheiden Sie: „Erneut senden“ sendet es noch einmal, bei „Auf sich beruhen lassen“ wird nichts gesendet.'

export const practiceWords: typeof englishPractice = {
  stalled: {
    means: 'Der Dienst wird jede Stunde wieder gefragt. Das ist eine Übung, und die kostet nie etwas.',
    todo: 'Warten Sie, oder brechen Sie das Bild ab.',
  },
  rejected_by_service: { means: FREE, todo: 'Ändern Sie, was der Dienst nennt, und versuchen Sie es erneut.' },
  job_failed: { means: FREE, todo: '„Erneut versuchen“ sendet es noch einmal.' },
  never_ended: { means: FREE, todo: '„Erneut fragen“ fragt noch einmal; „Erneut versuchen“ sendet es noch einmal.' },
  download_gone: { means: KEPT, todo: '„Erneut holen“ versucht es noch einmal.' },
  download_broken: {
    means: 'Davon wurde nichts geschrieben. ' + KEPT,
    todo: '„Erneut holen“ versucht es noch einmal.',
  },
  answer_lost: { means: FREE, todo: DECIDE_FREELY },
  crashed_while_sending: { means: FREE, todo: DECIDE_FREELY },
  no_job_id: { means: FREE, todo: DECIDE_FREELY },
  server_error: { means: FREE, todo: DECIDE_FREELY },
  unclear_answer: { means: FREE, todo: DECIDE_FREELY },
  lost_at_service: {
    means: FREE,
    todo: 'Entscheiden Sie: „Erneut fragen“ fragt noch einmal, „Erneut senden“ sendet es noch einmal, bei „Auf sich beruhen lassen“ wird nichts gesendet.',
  },
  after_sending: {
    means: 'Eine Übung kostet nichts. Das Ergebnis dient, wenn dasselbe Bild wieder beauftragt wird.',
    todo: '',
  },
}
