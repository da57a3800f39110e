import i18next, { t } from 'i18next'
import type { AppErrorShape } from '../../shared/sentences/errors.ts'
import { sentenceText, type Sentence } from '../../shared/sentences/sentence.ts'
import { useConnection } from '../bridge/connection.ts'
import { reasonTexts } from '../text/reason-texts.ts'

/** In the window's language; a fault of Hangar itself is said before the program's own words. */
export function errorText({ sentence }: AppErrorShape): string {
  if (useConnection.getState().state !== 'open') return t('common:error.notConnected')
  return 'raw' in sentence ? t('common:error.internal', { detail: sentence.raw }) : sentenceIn(sentence)
}

/** Whether an address is to blame for a failure, as far as it is known: nothing answers there, or something else does. */
export function isOfAddress({ code }: AppErrorShape): boolean {
  return code === 'address_wrong' || code === 'address_insecure' || code === 'service_unreachable'
}

export function sentenceIn(sentence: Sentence): string {
  return sentenceText(sentence, reasonTexts().own, i18next.language)
}
