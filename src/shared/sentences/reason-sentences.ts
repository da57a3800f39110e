import type { CreditCode, NextStep, Note, Reason, ReasonCode } from './reasons.ts'
import { sentenceText } from './sentence.ts'
import { listText } from '../text/list-text.ts'
import { straightText } from '../text/safe-characters.ts'
import type reasons from '../text/en/reasons.json'
import type sentences from '../text/en/sentences.json'

/** A reason in words: a few for a list, and a sentence or two each for what happened, what it means, and what to do, if anything. */
interface ReasonWords {
  short: string
  happened: string
  /** Without it, that nothing was sent. */
  means?: string
  todo?: string
}

/** The words of one language, of its catalogues `reasons` and `sentences`; each has the shape of the English one. */
export type ReasonTexts = Omit<typeof reasons, 'reason'> & {
  reason: Readonly<Record<ReasonCode, ReasonWords>>
  own: typeof sentences
}

/** A reason as sentences: what happened, what was said about it, what it means, and what to do. Empty ones are left out. */
interface ReasonSentences {
  happened: string
  /** Of the detail: untrusted. */
  said: string
  means: string
  todo: string
}

/** Reasons whose detail is something a person should read in the service's own words. */
const QUOTES_SERVICE: ReadonlySet<ReasonCode> = new Set<ReasonCode>([
  'rejected_by_service',
  'credits_refused',
  'unclear_answer',
  'address_wrong',
  'key_refused',
  'no_job_id',
])

/** `isPractice`: nothing is ever charged. The caller makes what was said safe for the place: it may be the service's. */
export function reasonSentences(
  texts: ReasonTexts,
  reason: Reason,
  language: string,
  isPractice = false,
): ReasonSentences {
  const { happened, means = texts.nothingSent, todo = '' } = texts.reason[reason.code]
  const said = saidText(texts, reason, language)
  const { atPractice } = texts
  if (!isPractice || !Object.hasOwn(atPractice.todo, reason.code)) return { happened, said, means, todo }
  const todoThere = atPractice.todo[reason.code as keyof typeof atPractice.todo]
  return { happened, said, means: atPractice.means, todo: todoThere }
}

/** What a next step does. */
export function stepExplains({ step, stepAtPractice }: ReasonTexts, name: NextStep, isPractice: boolean): string {
  if (isPractice && (name === 'retry' || name === 'resend')) return stepAtPractice[name]
  return step[name].explains
}

/** A reason in a few words, with the computer of the team that it is about. */
export function shortText({ reason, onComputer }: ReasonTexts, { code, detail }: Reason): string {
  const computer = detail !== null && 'code' in detail && detail.values?.['computer']
  if (typeof computer === 'string' && (code === 'under_way_elsewhere' || code === 'unknown_elsewhere'))
    return onComputer[code].replaceAll('{{computer}}', () => straightText(computer))
  return reason[code].short
}

/** The detail of a reason as a sentence; empty without one. What is not of Hangar itself stays as it was said. */
export function saidText(texts: ReasonTexts, { code, detail }: Reason, language: string): string {
  if (detail === null) return ''
  if ('raw' in detail && QUOTES_SERVICE.has(code)) return filled(texts.quote, detail.raw)
  const said = sentenceText(detail, texts.own, language)
  return `${said.slice(0, 1).toUpperCase()}${said.slice(1)}${/[.!?]$/.test(said) ? '' : '.'}`
}

/** A note as one sentence. The detail is untrusted. */
export function noteSentence(texts: ReasonTexts, { code, detail }: Note, language: string): string {
  const { note, noteWithout, lacking, cleaned, credit } = texts
  if (detail === null)
    return filled(Object.hasOwn(noteWithout, code) ? noteWithout[code as 'sent_converted'] : note[code], '…')
  const named = (names: object) => filled(note[code], Object.hasOwn(names, detail) ? names[detail as never] : detail)
  switch (code) {
    case 'nothing_to_convert':
      return detail === 'animation' ? texts.animationNotConverted : filled(note[code], detail.toUpperCase())
    case 'analyzed_only':
      return filled(note[code], detail.toUpperCase())
    case 'optimized_not_cleaned':
      return named(cleaned)
    case 'credits_lost':
    case 'credits_unchecked': {
      const codes = detail.split(',').filter((one): one is CreditCode => Object.hasOwn(credit, one))
      return filled(
        note[code],
        listText(
          codes.map((one) => credit[one]),
          language,
        ),
      )
    }
    case 'translation_missing':
    case 'texts_withheld':
    case 'widths_not_kept':
    case 'words_changed':
    case 'words_flagged':
    case 'texts_too_long':
      return filled(note[code], listText(detail.split(', '), language))
    case 'gain_map_lost':
    case 'depth_lost':
    case 'motion_lost':
    case 'other_views_lost':
    case 'texts_not_embedded':
      return named(lacking)
    default:
      return filled(note[code], detail)
  }
}

/** Not `replace` with a string: a detail may hold `$&`. */
function filled(template: string, detail: string): string {
  return template.replaceAll('{{detail}}', () => straightText(detail))
}
