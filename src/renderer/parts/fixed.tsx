import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFixed } from '../store/use-fixed.ts'
import './fixed.css'

/** Controls of settings, by their names in a configuration file; disabled, with a word about it, where Hangar was started with one. */
export function Fixed({ by, children }: { by: readonly string[]; children: ReactNode }) {
  const { t } = useTranslation('common')
  const file = useFixed(by)
  if (file === null) return children
  return (
    <fieldset className="fixed" disabled>
      {children}
      <p className="field-hint">{t('fixed', { file })}</p>
    </fieldset>
  )
}
