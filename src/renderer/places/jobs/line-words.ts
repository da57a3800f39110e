import { useMemo } from 'react'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { JobRow } from '../../../shared/contract/jobs.ts'
import { noteSentence, saidText, shortText } from '../../../shared/sentences/reason-sentences.ts'
import { useShell } from '../../store/shell-store.ts'
import { countText } from '../../text/figures.ts'
import { isCapped } from '../../text/is-capped.ts'
import { reasonTexts } from '../../text/use-reason-texts.ts'

/** Texts that every line needs, looked up once by the list. */
export interface LineWords {
  t: TFunction<['jobs', 'reasons']>
  language: string
  /** Whether jobs of the practice service are marked, because another service is in use. */
  marksPractice: boolean
}

export function useLineWords(): LineWords {
  const { t, i18n } = useTranslation(['jobs', 'reasons'])
  const { language } = i18n
  const marksPractice = useShell(({ state }) => state?.service?.practice === false)
  return useMemo(() => ({ t, language, marksPractice }), [t, language, marksPractice])
}

interface StateTexts {
  state: string
  /** Why, or the most telling note. */
  beside: string | null
  /** What was said about the reason; empty without it, as is `others`, the number of notes. */
  said: string
  others: string
}

export function stateTexts(row: JobRow, { t, language }: LineWords): StateTexts {
  const texts = reasonTexts(language)
  const reason =
    row.reason === null ? null : isCapped(row.reason) ? t('reasons:capReached') : shortText(texts, row.reason)
  const said = row.reason === null ? '' : saidText(texts, row.reason, language)
  const beside = reason ?? (row.note === null ? null : noteSentence(texts, row.note, language))
  const state = t(`reasons:state.${row.state}`)
  const others =
    reason === null && row.notes > 1 ? t('notes', { count: row.notes, figure: countText(row.notes, language) }) : ''
  return { state, beside, said, others }
}

/** Sentences and words as one line of sentences. */
export function inOneLine(parts: readonly string[]): string {
  return parts
    .filter((part) => part !== '')
    .map((part, nth, all) => (nth < all.length - 1 ? part.replace(/\.$/, '') : part))
    .join('. ')
}
