import { useTranslation } from 'react-i18next'
import type { ReasonTexts } from '../../shared/text/reason-sentences.ts'
import { english } from './english.ts'

/** The words for reasons and notes in the window's language, for `reason-sentences.ts`. */
export function useReasonTexts(): ReasonTexts {
  const { i18n } = useTranslation('reasons')
  return (i18n.getResourceBundle(i18n.language, 'reasons') as ReasonTexts | undefined) ?? english.reasons
}
