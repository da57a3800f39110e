import { Upload } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { showOverlay, useView } from '../store/view-store.ts'
import { countText } from '../text/figures.ts'
import { Button } from '../parts/button.tsx'
import { useSpoken } from '../parts/speech.tsx'
import { useConnection } from '../store/use-connection.ts'

/** Over the content while an upload continues whose dialog was hidden. */
export function UploadBar() {
  const { t, i18n } = useTranslation('intake')
  const { upload } = useConnection()
  const isShown = useView(({ overlay }) => overlay?.kind === 'upload')
  const count = (figure: number) => countText(figure, i18n.language)
  const { done = 0, total = 0, isOver = true } = upload ?? {}
  const text = `${t('upload.title')}: ${t('upload.done', { done: count(done), count: total, total: count(total) })}`
  const isGoing = !isOver && !isShown
  useSpoken(isGoing ? text : null)
  if (!isGoing) return null
  return (
    // The figures change constantly: `useSpoken` announces them now and then instead.
    <div className="frame-bar" role="status" aria-live="off">
      <Upload size={16} aria-hidden />
      <p className="figures">{text}</p>
      <Button onClick={() => showOverlay({ kind: 'upload' })}>{t('upload.show')}</Button>
    </div>
  )
}
