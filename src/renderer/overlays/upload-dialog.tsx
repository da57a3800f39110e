import { t } from 'i18next'
import { useConnection } from '../bridge/connection.ts'
import { Lines } from '../intake/intake-facts.tsx'
import { sentenceIn } from '../store/error-text.ts'
import { showOverlay } from '../store/view-store.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { useSpoken } from '../parts/speech.tsx'

/** The progress of an upload, and then the refused files with the reasons. Closing the dialog does not stop the upload. */
export function UploadDialog() {
  const { upload } = useConnection()
  const { done, total, refused } = upload ?? { done: 0, total: 0, refused: [] }
  const close = () => showOverlay(null)
  const soFar = t('intake:upload.done', { done, count: total, total })
  useSpoken(done < total ? soFar : null)
  if (total > 0 && done === total && refused.length > 0)
    return (
      <Dialog
        title={t('intake:leftOut', { count: refused.length })}
        onClose={close}
        actions={
          <Button kind="primary" onClick={close}>
            {t('common:close')}
          </Button>
        }
      >
        <Lines lines={refused.map(({ name, why }) => ({ name, about: sentenceIn(why) }))} />
      </Dialog>
    )
  return (
    <Dialog
      title={t('intake:upload.title')}
      onClose={close}
      actions={
        <>
          <Button onClick={() => upload?.stop()}>{t('intake:upload.stop')}</Button>
          <Button kind="primary" onClick={close}>
            {t('intake:upload.hide')}
          </Button>
        </>
      }
    >
      <div className="stack">
        <p className="figures">
          {soFar}
          {refused.length > 0 ? ` ${t('intake:upload.refused', { count: refused.length })}` : ''}
        </p>
        <progress className="progress" value={done} max={Math.max(1, total)} aria-label={t('intake:upload.title')} />
        <p className="secondary">{t('intake:upload.means')}</p>
      </div>
    </Dialog>
  )
}
