import i18next from 'i18next'
import type { AppErrorShape } from '../../shared/errors.ts'
import { translated } from '../../shared/own-sentences.ts'
import { connection } from '../bridge/connect.ts'
import { reasonTexts } from './use-reason-texts.ts'

/** Failures that read well without the particulars that only the English message has. */
const TOLD_BY_CODE = [
  ...(['not_found', 'key_missing', 'key_refused', 'credits_short', 'rate_limited', 'service_unreachable'] as const),
  ...(['service_error', 'address_insecure', 'secret_store_unavailable', 'name_taken'] as const),
  ...(['disk_full', 'not_writable', 'unreadable', 'file_swapped'] as const),
] satisfies AppErrorShape['code'][]
/** Failures whose particulars matter; the English message follows. */
const TOLD_WITH_DETAIL = ['bad_request', 'address_wrong', 'internal'] as const satisfies AppErrorShape['code'][]

const isOneOf = <Code extends string>(codes: readonly Code[], code: string): code is Code =>
  (codes as readonly string[]).includes(code)

/**
 * A failure in the window's language. The engine writes English, as exact as it can; sentences that are known are said in
 * another language as exactly. Of the others the code speaks there, and the English sentence is the detail where the code
 * alone would say too little. What is wrong in Hangar itself is said in English, too, before the raw words of the program.
 */
export function errorText({ code, message, field }: AppErrorShape): string {
  if (connection.get().state !== 'open') return i18next.t('common:error.notConnected')
  if (field !== undefined) return i18next.t('common:error.field', { field })
  const own = ownText(message)
  if (own !== null) return own
  if (code === 'internal') return i18next.t('common:error.internal', { detail: message })
  if (i18next.language === 'en') return message
  if (isOneOf(TOLD_BY_CODE, code)) return i18next.t(`common:error.${code}`)
  return i18next.t(`common:error.${isOneOf(TOLD_WITH_DETAIL, code) ? code : 'other'}`, { detail: message })
}

/** One of Hangar's own sentences in the window's language; null for any other text. */
export function ownText(text: string): string | null {
  const { language } = i18next
  return translated(text, reasonTexts(language).own, language)
}
