import type { reasons as english } from '../en/reasons.ts'
import { ownSentences } from './own-sentences.ts'
import { reasonWords } from './reason-words.ts'

export const reasons: typeof english = {
  reason: reasonWords,
  own: ownSentences,
  quote: 'Er sagt: „{{detail}}“.',
  note: {
    saved_too_little: 'Die komprimierte Datei hätte sich nicht gelohnt und wurde nicht geschrieben.',
    analyzed_only: 'Es wird nur beschrieben: Alles zusammen macht der Dienst nur mit JPEG und PNG.',
    nothing_to_convert: 'Es hat das gewünschte Format schon, darum wurde nichts umgewandelt.',
    translation_missing: 'In einer der Sprachen kam vom Dienst kein Text.',
    animation_kept: 'Die Animation bleibt erhalten.',
    published_from_kept_result:
      'Es war schon bezahlt; die Ergebnisse wurden noch einmal geschrieben, ohne etwas zu senden.',
    data_after_image_end:
      'Hinter dem Bild steht noch mehr in der Datei, etwa ein Bewegtfoto; das bleibt nur im Original.',
    figures_only: 'Der Dienst hat es umgewandelt und nennt nur Größen: Eine Datei zum Herunterladen bietet er nicht.',
    sidecar_name_taken: 'Den Namen der Begleitdatei trägt eine Datei, die nicht von Hangar ist.',
    sent_downscaled:
      'Es ist größer, als der Dienst annimmt; darum wurde eine kleinere Kopie gesendet. Das Original ist unverändert.',
  },
  noteWith: {
    saved_too_little: 'Die komprimierte Datei hätte nur {{detail}} % gespart und wurde nicht geschrieben.',
    analyzed_only: '{{detail}} wird nur beschrieben: Alles zusammen macht der Dienst nur mit JPEG und PNG.',
    nothing_to_convert: 'Es ist schon {{detail}}, darum wurde nichts umgewandelt.',
    animation_not_converted: 'Eine Animation wird hier nicht in AVIF umgewandelt.',
    translation_missing: 'Vom Dienst kam kein Text in {{detail}}.',
    sidecar_name_taken:
      'Den Namen der Begleitdatei trägt eine Datei, die nicht von Hangar ist; die Texte stehen in {{detail}}.',
    sent_downscaled:
      'Es ist größer, als der Dienst annimmt; darum wurde eine kleinere Kopie gesendet ({{detail}}). Das Original ist unverändert.',
  },
  step: {
    retry: {
      label: 'Erneut versuchen',
      explains: 'Versucht es noch einmal; was der Dienst schon angenommen hatte, wird möglicherweise erneut berechnet.',
    },
    resend: { label: 'Erneut senden', explains: 'Sendet es noch einmal; das wird möglicherweise doppelt berechnet.' },
    drop: {
      label: 'Auf sich beruhen lassen',
      explains: 'Nimmt es von der Liste der offenen Fragen; gesendet wird nichts.',
    },
    fetch_again: { label: 'Erneut holen', explains: 'Lädt das Ergebnis noch einmal herunter, kostenlos.' },
    ask_again: {
      label: 'Erneut fragen',
      explains: 'Fragt den Dienst noch einmal, was daraus wurde; nichts wird gesendet und nichts berechnet.',
    },
    confirm_spend: { label: 'Zustimmen', explains: 'Stimmt den Kosten zu; dann wird gesendet.' },
    set_key: {
      label: 'Schlüssel eintragen',
      explains: 'Nimmt den Schlüssel, den der Dienst akzeptiert; dann geht es weiter.',
    },
    top_up: { label: 'Credits aufladen', explains: 'Kaufen Sie Credits beim Dienst; dann geht es weiter.' },
    fix_address: {
      label: 'Adresse berichtigen',
      explains: 'Nimmt die richtige Adresse des Dienstes; dann geht es weiter.',
    },
    free_space: {
      label: 'Platz schaffen',
      explains: 'Schaffen Sie Platz, oder erlauben Sie das Schreiben; dann geht es von selbst weiter.',
    },
    show_file: { label: 'Datei zeigen', explains: 'Öffnet den Ordner, in dem sie liegt.' },
    cancel: { label: 'Abbrechen', explains: 'Bricht es ab; was gesendet ist, bleibt berechnet.' },
  },
  state: {
    ready: 'Bereit',
    sending: 'Wird gesendet',
    waiting: 'Beim Dienst',
    fetching: 'Wird geholt',
    writing: 'Wird geschrieben',
    done: 'Fertig',
    skipped: 'Übersprungen',
    held: 'Zurückgehalten',
    failed: 'Fehlgeschlagen',
    unknown: 'Ungewiss',
    cancelled: 'Abgebrochen',
  },
  event: {
    found: 'Aufgenommen',
    dispatch: 'Senden begonnen',
    accepted: 'An den Dienst gesendet',
    notSent: 'Nicht gesendet',
    doubt: 'In Zweifel',
    notYet: 'Der Dienst arbeitet noch daran',
    completed: 'Beim Dienst fertig',
    reuse: 'Schon bezahlt: Das Ergebnis dient noch einmal',
    adopt: 'Schon unterwegs: Auf das Ergebnis wird gewartet',
    workHere: 'Arbeit auf diesem Computer begonnen',
    fetched: 'Ergebnis geholt',
    planned: 'Name für ein Ergebnis gewählt',
    published: 'Ergebnisse geschrieben',
    later: 'Wartet',
    hold: 'Zurückgehalten',
    release: 'Geht weiter',
    fail: 'Fehlgeschlagen',
    skip: 'Übersprungen',
    cancel: 'Abgebrochen',
    retry: 'Auf Anweisung erneut versucht',
    resend: 'Auf Anweisung erneut gesendet',
    fetchAgain: 'Auf Anweisung erneut geholt',
    askAgain: 'Auf Anweisung erneut gefragt',
    drop: 'Auf Anweisung auf sich beruhen gelassen',
    restart: 'Hangar wurde neu gestartet',
    rebind: 'Dem gewählten Dienst zugeordnet',
  },
  phase: {
    starting: 'Startet',
    watching: 'Überwacht',
    reconciling: 'Wird durchgesehen',
    polling: 'Wird regelmäßig durchgesehen',
    paused: 'Angehalten',
    missing: 'Nicht da',
    refused: 'Nicht überwacht',
  },
}
