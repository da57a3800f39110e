import { useTranslation } from 'react-i18next'

/** Over the content while the connection is lost: what is shown may be old. */
export function ConnectionBar() {
  const { t } = useTranslation('frame')
  return (
    <div className="frame-bar lost" role="status">
      <p>{t('lost')}</p>
    </div>
  )
}
