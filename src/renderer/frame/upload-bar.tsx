import { Upload } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { showOverlay, useView } from '../store/view-store.ts'
import { countText } from '../text/figures.ts'
import { Button } from '../parts/button.tsx'
import { useConnection } from './use-connection.ts'

/** Over the content while an upload continues whose dialog was hidden. */
export function UploadBar() {
  const { t, i18n } = useTranslation('intake')
  const { upload } = useConnection()
  const isShown = useView(({ overlay }) => overlay?.kind === 'upload')
  if (upload === null || upload.isOver || isShown) return null
  const { done, total } = upload
  const count = (figure: number) => countText(figure, i18n.language)
  return (
    <div className="frame-bar">
      <Upload size={16} aria-hidden />
      <p className="figures">
        {t('upload.title')}: {t('upload.done', { done: count(done), count: total, total: count(total) })}
      </p>
      <Button onClick={() => showOverlay({ kind: 'upload' })}>{t('upload.show')}</Button>
    </div>
  )
}
