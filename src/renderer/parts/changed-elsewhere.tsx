import { useTranslation } from 'react-i18next'
import type { Edited } from '../store/use-edited.ts'
import { Button } from './button.tsx'
import './changed-elsewhere.css'

/**
 * Says that another window stored something else while this form was open, and lets a person choose. `theirs`: their value, or what
 * they changed, in words.
 */
export function ChangedElsewhere<Value>({
  edited,
  theirs,
}: {
  edited: Pick<Edited<Value>, 'theirs' | 'takeTheirs' | 'keepMine' | 'replaced' | 'backToMine'>
  theirs: string
}) {
  const { t } = useTranslation('common')
  if (edited.theirs !== null)
    return (
      <div className="changed-elsewhere" role="alert">
        <p>{t('elsewhere.changed', { theirs })}</p>
        <Button onClick={edited.takeTheirs}>{t('elsewhere.take')}</Button>
        <Button onClick={edited.keepMine}>{t('elsewhere.keep')}</Button>
      </div>
    )
  if (edited.replaced === null) return null
  return (
    <div className="changed-elsewhere" role="status">
      <p>{t('elsewhere.taken')}</p>
      <Button onClick={edited.backToMine}>{t('elsewhere.back')}</Button>
    </div>
  )
}
