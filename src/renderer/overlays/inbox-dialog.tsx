import { useTranslation } from 'react-i18next'
import { askOrToast } from '../store/bridge.ts'
import { inBackground } from '../bridge/in-background.ts'
import { showOverlay, type Overlay } from '../store/view-store.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { uploadFiles } from '../intake/take-files.ts'

/** Asks, once, for the folder that uploads go to, and then starts the upload. */
export function InboxDialog({ files, recipe }: Extract<Overlay, { kind: 'inbox' }>) {
  const { t } = useTranslation(['intake', 'common'])
  const choose = async () => {
    const { pickFolder } = await import('../pickers/pick-folder.tsx')
    const place = await pickFolder(t('inbox.title'))
    if (place === null || (await askOrToast('settings.set', { inboxDir: place.token })) === null) return
    await uploadFiles(files, recipe)
  }
  const close = () => showOverlay(null)
  return (
    <Dialog
      title={t('inbox.title')}
      onClose={close}
      actions={
        <>
          <Button onClick={close}>{t('common:cancel')}</Button>
          <Button kind="primary" data-autofocus onClick={() => inBackground('inbox-dialog.choose', choose)}>
            {t('inbox.choose')}
          </Button>
        </>
      }
    >
      <p>{t('inbox.why')}</p>
    </Dialog>
  )
}
