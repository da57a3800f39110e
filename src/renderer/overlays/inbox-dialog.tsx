import { t } from 'i18next'
import { askOrToast } from '../store/bridge.ts'
import { showOverlay, type Overlay } from '../store/view-store.ts'
import { Question } from '../parts/question.tsx'
import { uploadFiles } from '../intake/take-files.ts'

/** Asks, once, for the folder that uploads go to, and then starts the upload. */
export function InboxDialog({ files, recipe }: Extract<Overlay, { kind: 'inbox' }>) {
  const choose = async () => {
    const { pickFolder } = await import('../pickers/pick-folder.tsx')
    const place = await pickFolder(t('intake:inbox.title'))
    if (place === null || (await askOrToast('settings.set', { inboxDir: place.token })) === null) return
    await uploadFiles(files, recipe)
  }
  return (
    <Question
      title={t('intake:inbox.title')}
      text={t('intake:inbox.why')}
      yes={t('intake:inbox.choose')}
      isDanger={false}
      isUsual
      onYes={choose}
      onNo={() => showOverlay(null)}
    />
  )
}
