import { t } from 'i18next'
import { toast } from './toasts.ts'

export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast(t('common:copied'))
  } catch {
    toast(t('common:copyFailed'), { bad: true })
  }
}
