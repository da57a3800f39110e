import { useMemo } from 'react'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { JobRow } from '../../../shared/contract/jobs.ts'
import { noteSentence, saidText, shortText } from '../../../shared/sentences/reason-sentences.ts'
import { useShell } from '../../store/shell-store.ts'
import { isCapped, reasonTexts } from '../../text/use-reason-texts.ts'

/** Texts that every line needs, looked up once by the list. */
export interface LineWords {
  t: TFunction<['jobs', 'reasons', 'frame']>
  language: string
  /** Whether jobs of the practice service are marked, because another service is in use. */
  marksPractice: boolean
}

export function useLineWords(): LineWords {
  const { t, i18n } = useTranslation(['jobs', 'reasons', 'frame'])
  const { language } = i18n
  const marksPractice = useShell(({ state }) => state?.service?.practice === false)
  return useMemo(() => ({ t, language, marksPractice }), [t, language, marksPractice])
}

interface StateTexts {
  state: string
  /** Why it is in that state. */
  beside: string | null
  /** All of it with what was said, and the most telling note. */
  whole: string
}

export function stateTexts(row: JobRow, { t, language }: LineWords): StateTexts {
  const texts = reasonTexts(language)
  const { reason, note } = row
  const beside = reason === null ? null : isCapped(reason) ? t('reasons:capReached') : shortText(texts, reason)
  const said = reason === null ? '' : saidText(texts, reason, language)
  const noted = reason !== null || note === null ? '' : noteSentence(texts, note, language)
  const state = t(`reasons:state.${row.state}`)
  return { state, beside, whole: inOneLine([state, beside ?? noted, said]) }
}

/** Sentences and words as one line of sentences. */
function inOneLine(parts: readonly string[]): string {
  return parts
    .filter((part) => part !== '')
    .map((part, nth, all) => (nth < all.length - 1 ? part.replace(/\.$/, '') : part))
    .join('. ')
}
