import i18next, { t } from 'i18next'
import type { JobRow } from '../../../shared/contract/jobs.ts'
import { noteSentence, saidText, shortText } from '../../../shared/sentences/reason-sentences.ts'
import { isCapped, reasonTexts } from '../../text/reason-texts.ts'

interface StateTexts {
  state: string
  beside: string | null
  /** All of it with what was said, and the most telling note. */
  whole: string
}

export function stateTexts(row: JobRow): StateTexts {
  const texts = reasonTexts()
  const { reason, note } = row
  const beside = reason === null ? null : isCapped(reason) ? t('reasons:capReached') : shortText(texts, reason)
  const said = reason === null ? '' : saidText(texts, reason, i18next.language)
  const noted = reason !== null || note === null ? '' : noteSentence(texts, note, i18next.language)
  const state = t(`reasons:state.${row.state}`)
  return { state, beside, whole: inOneLine([state, beside ?? noted, said]) }
}

function inOneLine(parts: readonly string[]): string {
  return parts
    .filter((part) => part !== '')
    .map((part, nth, all) => (nth < all.length - 1 ? part.replace(/\.$/, '') : part))
    .join('. ')
}
