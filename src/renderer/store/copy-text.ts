import i18next from 'i18next'
import { toast } from './toasts.ts'

/** Puts a text on the clipboard, and says so. */
export async function copyText(text: string, said = i18next.t('common:copied')): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast(said)
  } catch {
    toast(i18next.t('common:copyFailed'), { bad: true })
  }
}
