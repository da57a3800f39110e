import { t } from 'i18next'
import { toast } from './toasts.ts'

export async function copyText(text: string, said = t('common:copied')): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast(said)
  } catch {
    toast(t('common:copyFailed'), { bad: true })
  }
}
