import { t } from 'i18next'
import { isApple, keysText } from './shortcut-keys.ts'

/** Formats shortcuts for this keyboard, in the window's language. */
export function useKeysText(): (keys: string) => string {
  const words = t('common:keys', { returnObjects: true })
  return (keys) => keysText(keys, isApple, words)
}
